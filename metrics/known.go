package metrics

// Groups of tasks by how many of their molecules training tasks have.
const (
	NewMolecules   = iota // below 10 %
	SomeKnown             // in between
	KnownMolecules        // 90 % or more
)

// KnownGroup returns the group of a task by that share.
func KnownGroup(share float64) int {
	switch {
	case share < 0.1:
		return NewMolecules
	case share >= 0.9:
		return KnownMolecules
	}
	return SomeKnown
}
