package ranking

import (
	"fmt"
	"slices"
	"strings"

	"pacia/data/label"
	"pacia/internal/badinput"
)

// Decimals holds, for each condition, what the cells of its column have: those that can be read in two ways or that
// contradict each other, units and texts. A library is read once, and any cell can come first.
type Decimals []separated

type separated struct {
	// Forms of numbers, with 1,200 counted as 1.200: both have another meaning beside 12,50.
	Forms   label.Forms[cellAt] `json:"forms,omitzero"`
	Between label.Forms[cellAt] `json:"between,omitzero"` // semicolons, which stand where a comma is before decimals

	Units []string `json:"units,omitempty"` // of cells that are compared with a number without a unit
	Texts []string `json:"texts,omitempty"` // cells that are compared with a text
}

// mostUnits and mostTexts are the largest numbers of different units and texts that are kept, of longestText bytes each.
const mostUnits, mostTexts, longestText = 8, 24, 60

// A cellAt is a cell and its place.
type cellAt struct {
	File string `json:"file"`
	Cell string `json:"cell"`
	Line int    `json:"line"`
}

// add looks at the cells of a row that conditions compare.
func (d Decimals) add(conditions []label.Condition, r *Row) {
	for i, c := range conditions {
		cell := c.Cell(r.Fields)
		if c.IsText {
			if cell != "" && len(cell) <= longestText {
				d[i].Texts = with(d[i].Texts, mostTexts, cell)
			}
			continue
		}
		q, ok := label.QuantityOf(cell)
		if !ok {
			continue
		}
		if !c.HasUnit() {
			d[i].Units = with(d[i].Units, mostUnits, q.Unit)
		}
		if c.Decimal == "" {
			d[i].count(q.Form, cell, r)
		}
	}
}

func (s *separated) count(form label.Form, cell string, r *Row) {
	if form == label.EitherComma {
		form = label.EitherPoint
	}
	at := func() cellAt { return cellAt{r.File, strings.Clone(cell), r.Line} }
	s.Forms.Add(form, at)
	if r.semicolons {
		s.Between.Add(form, at)
	}
}

// with adds texts that a list does not have, up to this many.
func with(list []string, most int, texts ...string) []string {
	for _, text := range texts {
		if len(list) < most && !slices.Contains(list, text) {
			list = append(list, strings.Clone(text))
		}
	}
	return list
}

// Join adds the cells of later rows.
func (d *Decimals) Join(of Decimals) {
	for i, s := range of {
		if i == len(*d) {
			*d = append(*d, separated{})
		}
		one := &(*d)[i]
		one.Forms.Join(&s.Forms)
		one.Between.Join(&s.Between)
		one.Units, one.Texts = with(one.Units, mostUnits, s.Units...), with(one.Texts, mostTexts, s.Texts...)
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
		if s.Between.N[label.EitherPoint] == 0 || s.Forms.N[label.PointDecimal] > 0 || s.Forms.N[label.CommaDecimal] > 0 {
			continue
		}
		at := s.Between.First[label.EitherPoint]
		q, _ := label.QuantityOf(at.Cell)
		small, _ := label.Decimal(q.Number, false)
		large, _ := label.Decimal(q.Number, true)
		return &badinput.Error{File: at.File, Row: at.Line, Column: conditions[i].Column,
			What: fmt.Sprintf("%s may be %v or %v in a file with semicolons", badinput.Quote(at.Cell), small, large),
			Fix:  fix}
	}
	return nil
}

// check returns an error for the first column that has both kinds of numbers, or units of one kind.
func (d Decimals) check(conditions []label.Condition) error {
	for i, s := range d[:min(len(d), len(conditions))] {
		if s.Forms.N[label.CommaDecimal] > 0 && s.Forms.N[label.EitherPoint] > 0 {
			at := s.Forms.First[label.EitherPoint]
			return &badinput.Error{File: at.File, Row: at.Line, Column: conditions[i].Column,
				What: fmt.Sprintf("%s may be a thousand or decimals: another cell, %s, has a comma before decimals",
					badinput.Quote(at.Cell), badinput.Quote(s.Forms.First[label.CommaDecimal].Cell)),
				Fix: "write --decimal, or the numbers of this column without thousands separators"}
		}
		if a, b := convertible(s.Units); b != "" {
			c := conditions[i]
			return &badinput.Error{What: fmt.Sprintf("the column %s has cells in %s and in %s", badinput.Quote(c.Column), a, b),
				Fix: fmt.Sprintf("write the unit of the number, such as %q", fmt.Sprintf("%s %s %s %s", c.Column, c.Sign, c.Text, a))}
		}
	}
	return nil
}

// convertible returns two units of one kind in a list, such as mg and g, or empty texts.
func convertible(units []string) (a, b string) {
	for i, a := range units {
		one, _ := label.QuantityOf("1 " + a)
		for _, b := range units[i+1:] {
			other, _ := label.QuantityOf("1 " + b)
			if factor, ok := one.In(other); ok && factor != 1 {
				return a, b
			}
		}
	}
	return "", ""
}
