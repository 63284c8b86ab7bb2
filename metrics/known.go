package metrics

// Groups of tasks by the share of their molecules that training tasks contain.
const (
	NewMolecules   = iota // below 10 %
	SomeKnown             // in between
	KnownMolecules        // 90 % or more
)

// KnownGroup returns the group of a task with that share.
func KnownGroup(share float64) int {
	switch {
	case share < 0.1:
		return NewMolecules
	case share >= 0.9:
		return KnownMolecules
	}
	return SomeKnown
}
