package ranking

import (
	"cmp"
	"fmt"
	"strings"

	"pacia/data/label"
	"pacia/internal/badinput"
)

// Decimals holds, for each condition, the first cells of its column that can be read in two ways or that contradict
// each other: one with a certain decimal comma (12,50), and one whose point is read as a decimal point but would
// separate thousands beside such a comma (1.200). A library is read once, and either can come first.
type Decimals []separated

type separated struct {
	Comma  string `json:"comma,omitempty"` // empty if no such cell was found
	Point  cellAt `json:"point,omitzero"`
	Either cellAt `json:"either,omitzero"` // as Point, between semicolons, which stand where a comma is before decimals
	Proof  bool   `json:"proof,omitempty"` // a cell certainly has a decimal point
}

// A cellAt is a cell and its place. Its text is empty if no such cell was found.
type cellAt struct {
	File string `json:"file"`
	Cell string `json:"cell"`
	Line int    `json:"line"`
}

// add looks at the cells of a row that conditions compare with numbers.
func (d Decimals) add(conditions []label.Condition, r *Row) {
	for i, c := range conditions {
		if c.IsText || c.Decimal != "" {
			continue
		}
		cell := c.Cell(r.Fields)
		comma, point, open := label.Decimals(cell)
		d[i].Proof = d[i].Proof || point
		switch {
		case comma && d[i].Comma == "":
			d[i].Comma = strings.Clone(cell)
		case open && d[i].Point.Cell == "":
			d[i].Point = cellAt{r.File, strings.Clone(cell), r.Line}
		}
		if open && r.semicolons && d[i].Either.Cell == "" {
			d[i].Either = cellAt{r.File, strings.Clone(cell), r.Line}
		}
	}
}

// Join adds the cells of later rows.
func (d *Decimals) Join(of Decimals) {
	for i, s := range of {
		if i == len(*d) {
			*d = append(*d, separated{})
		}
		one := &(*d)[i]
		one.Comma, one.Point = cmp.Or(one.Comma, s.Comma), cmp.Or(one.Point, s.Point)
		one.Either, one.Proof = cmp.Or(one.Either, s.Either), one.Proof || s.Proof
	}
}

// CheckDecimals returns an error if a column of a condition has both kinds of cells.
func (t *Table) CheckDecimals(d Decimals) error { return d.check(t.conditions) }

// CheckSettled returns an error if a cell of a condition's column may be a thousand or decimals. It is for the cells
// of a whole library: any later cell may show which.
func (t *Table) CheckSettled(d Decimals) error {
	return d.settled(t.conditions, "write --decimal . or --decimal ,")
}

func (d Decimals) settled(conditions []label.Condition, fix string) error {
	for i, s := range d[:min(len(d), len(conditions))] {
		if s.Either.Cell == "" || s.Proof || s.Comma != "" {
			continue
		}
		small, _ := label.Decimal(s.Either.Cell, false)
		large, _ := label.Decimal(s.Either.Cell, true)
		return &badinput.Error{File: s.Either.File, Row: s.Either.Line, Column: conditions[i].Column,
			What: fmt.Sprintf("%s may be %v or %v in a file with semicolons", badinput.Quote(s.Either.Cell), small, large),
			Fix:  fix}
	}
	return nil
}

// check returns an error for the first column that has both.
func (d Decimals) check(conditions []label.Condition) error {
	for i, s := range d[:min(len(d), len(conditions))] {
		if s.Comma != "" && s.Point.Cell != "" {
			return &badinput.Error{File: s.Point.File, Row: s.Point.Line, Column: conditions[i].Column,
				What: fmt.Sprintf("%s may be a thousand or decimals: another cell, %s, has a comma before decimals",
					badinput.Quote(s.Point.Cell), badinput.Quote(s.Comma)),
				Fix: "write --decimal, or the numbers of this column without thousands separators"}
		}
	}
	return nil
}
