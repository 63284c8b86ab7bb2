package environment

// Legend: A atoms of the batch; R_l classes of level l, E_l their bonds.

// Level is the distinct environments of a batch's atoms up to l bonds away, by the
// colour refinement of Weisfeiler and Leman. Two atoms are in one class of level 0 if
// their categories are equal. They are in one class of level l > 0 if they are in
// one class of level l-1 and have equal bonds: the categories and the neighbours'
// classes of level l-1 are the same. The state of an atom after l layers of a message
// passing network is a function of its class.
type Level struct {
	Atoms  []uint8 // [R_0, 2] as in molecule.Graph; level 0 only
	Self   []int32 // [R_l] the class at level l-1; this and the next three fields above level 0 only
	RowPtr []int32 // [R_l+1] bonds of class r: RowPtr[r]..RowPtr[r+1]
	Col    []int32 // [E_l] class of the neighbour at level l-1
	Bond   []uint8 // [E_l, 2] as in molecule.Graph

	// Set by RefineGroups above level 0, and empty after Refine. After RefineGroups, Self and Col
	// above level 1 are atoms: the first atom of the class, and the neighbours of that atom.
	// RefineFeatures sets only Row and Self, which are atoms at all levels.
	Row  []int32 // [A] class of each atom
	Like []int32 // [A] first atom of its class in its group
}

// Len returns the number of classes.
func (l *Level) Len() int {
	if l.Self == nil {
		return len(l.Atoms) / 2
	}
	return len(l.Self)
}
