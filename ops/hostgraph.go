package ops

// #include "core/op.h"
import "C"

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"pacia/data/category"
)

// This does not compile if C and Go have different numbers of bond types or directions.
var _ = [1]int{}[(C.PACIA_BOND_TYPES-category.BondTypes)|(C.PACIA_BOND_DIRECTIONS-category.BondDirections)]

// HostGraph is a batch of molecules in Go's memory: one graph, with offsets. Its atoms have
// categories or, as in FS-Mol, features.
//
// Legend: A atoms, k features of one, E bonds counted in both directions, n molecules, B tasks,
// R_l rows of level l with E_l bonds.
type HostGraph struct {
	Atoms    []uint8   // [A, 2] categories
	Features []float32 // [A, k] in place of categories
	RowPtr   []int32   // [A+1] bonds into atom v are RowPtr[v]..RowPtr[v+1]
	Col      []int32   // [E] their other ends
	Bond     []uint8   // [E, 2] type, direction
	MolPtr   []int32   // [n+1] atoms of each molecule
	Group    []int32   // [2B+1] atoms of each task's support and queries; nil for one task without support

	// Levels are 0 to L, if the first L layers run on distinct rows in place of atoms. Layer l, counted from 0,
	// goes from level l to level l+1. The output of the last one is copied to the atoms by Row. This needs
	// equal calculations for atoms of one row. With L > 1, either all atoms are of one task and normalised by
	// running averages, or every level above 0 has a Row.
	//
	// A graph of features has Self and Row of the levels alone: the representatives of its atoms after each
	// number of layers. Encoders that treat all atoms of a row equally compute each representative once.
	Levels []HostLevel
	Row    []int32 // [A]
	// Table is the number of rows of a table with the states of all levels; 0: no table. With one, Self, Col and
	// Row count its rows, not those of the level before. Layers read it, and nothing is copied to atoms.
	Table int
}

// HostLevel holds the distinct rows that represent the atoms after l layers.
type HostLevel struct {
	Atoms  []uint8 // [R_0, 2] categories; level 0 only
	Self   []int32 // [R_l] row at level l-1 of the atom itself
	RowPtr []int32 // [R_l+1] bonds into row r are RowPtr[r]..RowPtr[r+1]
	Col    []int32 // [E_l] rows at level l-1 of their other ends
	Bond   []uint8 // [E_l, 2]

	Row  []int32 // [A] row of each atom, if this level is also spread to the atoms, which the next one then reads
	Like []int32 // [A] atom of the same row and group with the same dropout mask; nil: each atom has its own mask
}

func (l *HostLevel) rows() int {
	if l.Self == nil {
		return len(l.Atoms) / 2
	}
	return len(l.Self)
}

// Check returns an error for input that would make a loop or a kernel access memory out of bounds.
func (h *HostGraph) Check() error {
	atoms := len(h.RowPtr) - 1
	if atoms <= 0 {
		return errors.New("a batch without atoms")
	}
	switch {
	case len(h.Features) > 0 && len(h.Features)%atoms != 0:
		return fmt.Errorf("%d features do not go with %d atoms", len(h.Features), atoms)
	case len(h.Features) == 0 && len(h.Atoms) != 2*atoms:
		return fmt.Errorf("%d atom categories do not go with %d atoms, which have two each", len(h.Atoms), atoms)
	case len(h.Group)%2 == 0:
		return fmt.Errorf("Group has %d offsets, an even number: a task has one for its support set and one for its queries, and after them comes the end",
			len(h.Group))
	}
	for _, o := range []struct {
		name    string
		offsets []int32
	}{{"MolPtr", h.MolPtr}, {"Group", h.Group}} {
		if err := checkOffsets(o.name, o.offsets, atoms); err != nil {
			return err
		}
	}
	if err := checkBonds(h.RowPtr, h.Col, h.Bond, atoms); err != nil {
		return err
	}
	if len(h.Features) > 0 {
		return cmp.Or(h.checkMolecules(), h.checkRepresentatives(atoms))
	}
	return h.checkLevels(atoms)
}

func (h *HostGraph) checkLevels(atoms int) error {
	if len(h.Levels) == 0 {
		return nil
	}
	last := len(h.Levels) - 1
	switch {
	case last == 0:
		return errors.New("level 0 alone: rows of atoms need the level of a layer above it")
	case last > 1 && len(h.Group) != 3 && !h.spreads():
		return fmt.Errorf("the rows of %d levels do not distinguish %d tasks: levels above the first have to be spread to the atoms",
			len(h.Levels), len(h.Group)/2)
	case len(h.Row) != atoms:
		return fmt.Errorf("%d rows of atoms for %d atoms", len(h.Row), atoms)
	}
	for i := 1; i <= last; i++ {
		l := &h.Levels[i]
		if err := cmp.Or(l.check(h.before(i)), l.checkAtoms(atoms)); err != nil {
			return fmt.Errorf("level %d: %w", i, err)
		}
	}
	rows := cmp.Or(h.Table, h.Levels[last].rows())
	return checkBelow("atom", "has row", h.Row, rows)
}

// spreads reports whether every level above 0 is spread to the atoms.
func (h *HostGraph) spreads() bool {
	return !slices.ContainsFunc(h.Levels[1:], func(l HostLevel) bool { return len(l.Row) == 0 })
}

// before returns the number of rows of the input of level l.
func (h *HostGraph) before(l int) int {
	switch before := &h.Levels[l-1]; {
	case h.Table > 0:
		return h.Table
	case len(before.Row) > 0:
		return len(before.Row)
	default:
		return before.rows()
	}
}

// check checks a level above 0. before is the number of rows of the level below.
func (l *HostLevel) check(before int) error {
	if len(l.RowPtr) != len(l.Self)+1 {
		return fmt.Errorf("%d offsets do not go with %d rows, which have one each and one at the end", len(l.RowPtr), len(l.Self))
	}
	if err := checkBelow("row", "has row", l.Self, before); err != nil {
		return err
	}
	return checkBonds(l.RowPtr, l.Col, l.Bond, before)
}

// checkAtoms checks the fields of a level that concern the atoms, if it has
// them.
func (l *HostLevel) checkAtoms(atoms int) error {
	for _, values := range [][]int32{l.Row, l.Like} {
		if n := len(values); n != 0 && n != atoms {
			return fmt.Errorf("%d rows of atoms for %d atoms", n, atoms)
		}
	}
	return cmp.Or(checkBelow("atom", "has row", l.Row, l.rows()), checkBelow("atom", "has its mask in common with", l.Like, atoms))
}

func checkOffsets(name string, offsets []int32, end int) error {
	if n := len(offsets); n < 2 || offsets[0] != 0 || int(offsets[n-1]) != end || !slices.IsSorted(offsets) {
		return fmt.Errorf("%s does not ascend from 0 to %d", name, end)
	}
	return nil
}

func checkBelow(name, has string, values []int32, limit int) error {
	for i, v := range values {
		if v < 0 || int(v) >= limit {
			return fmt.Errorf("%s %d %s %d, out of range of 0 to %d", name, i, has, v, limit-1)
		}
	}
	return nil
}

// checkBonds checks bonds that come from the given number of atoms or rows.
func checkBonds(rowptr, col []int32, bond []uint8, atoms int) error {
	if err := cmp.Or(checkOffsets("RowPtr", rowptr, len(col)), checkBelow("bond", "comes from atom", col, atoms)); err != nil {
		return err
	}
	if len(bond) != 2*len(col) {
		return fmt.Errorf("%d bond categories do not go with %d bonds, which have two each", len(bond), len(col))
	}
	for i := range col {
		if kind, direction := bond[2*i], bond[2*i+1]; kind >= category.BondTypes || direction >= category.BondDirections {
			return fmt.Errorf("bond %d has type %d and direction %d, out of range of 0 to %d and %d",
				i, kind, direction, category.BondTypes-1, category.BondDirections-1)
		}
	}
	return nil
}
