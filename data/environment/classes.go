package environment

import "pacia/data/molecule"

// Legend: A atoms of the batch; R_l classes of level l, E_l their bonds.

// Classes are the distinct environments of a batch's atoms, level by level.
type Classes struct {
	Levels  []Level  // empty before Refine
	AtomRow []int32  // [A] class of each atom at the last level
	Names   [][]Name // [R_l] of each level; empty before Identify
	refiner refiner
}

// Reset removes all levels and keeps the memory.
func (e *Classes) Reset() { e.Levels, e.AtomRow, e.Names = e.Levels[:0], e.AtomRow[:0], e.Names[:0] }

// Refine fills Levels with the levels 0 to n, n ≥ 1, and AtomRow with the class
// of each atom at the last level. Classes are numbered in the order of their first
// atoms in the batch. The bonds of a class are sorted by their categories, then by the
// neighbours' classes.
func (e *Classes) Refine(in *molecule.Inputs, n int) {
	r := &e.refiner
	r.start(e, len(in.RowPtr)-1, n)
	r.categories(in, &e.Levels[0])
	for l := 1; l <= n; l++ {
		r.environments(in, &e.Levels[l])
	}
	e.AtomRow = append(e.AtomRow[:0], r.row...)
}

// RefineGroups is like Refine, for states that differ between groups after the
// first layer because of batch norm and dropout in training. Classes of level 1 are over
// all atoms, and classes of higher levels are over the atoms of one group.
func (e *Classes) RefineGroups(in *molecule.Inputs, groups []int32, n int) {
	r := &e.refiner
	r.start(e, len(in.RowPtr)-1, n)
	r.categories(in, &e.Levels[0])
	r.environments(in, &e.Levels[1])
	first := &e.Levels[1]
	first.Row = append(first.Row, r.row...)
	r.divide(groups)
	first.Like = r.alike(first.Like)
	for l := 2; l <= n; l++ {
		r.classify(in)
		r.represent(in, &e.Levels[l])
	}
	e.AtomRow = append(e.AtomRow[:0], e.Levels[n].Row...)
}

// RefineFeatures is like RefineGroups, for atoms with features in place of categories.
// Classes of all levels are over the atoms of one group, and only Self and Row are set.
func (e *Classes) RefineFeatures(in *molecule.Inputs, groups []int32, n int) {
	r := &e.refiner
	r.start(e, len(in.RowPtr)-1, n)
	r.features(in)
	r.divide(groups)
	for l := range e.Levels {
		if l > 0 {
			r.classify(in)
		}
		e.Levels[l] = Level{Self: r.first(e.Levels[l].Self[:0]), Row: append(e.Levels[l].Row, r.row...)}
	}
	e.AtomRow = append(e.AtomRow[:0], r.row...)
}

// Grouped reports whether Levels are from RefineGroups or RefineFeatures.
func (e *Classes) Grouped() bool { return len(e.Levels) > 1 && len(e.Levels[1].Row) > 0 }
