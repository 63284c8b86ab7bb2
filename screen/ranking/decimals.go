package ranking

import (
	"cmp"
	"fmt"
	"strings"

	"pacia/data/label"
	"pacia/internal/badinput"
)

// decimals holds, for each condition, the first cells of its column that contradict each other: one with a
// certain decimal comma (12,50), and one whose point is read as a decimal point but would separate thousands
// beside such a comma (1.200). A library is read once, and either can come first.
type decimals []separated

type separated struct {
	comma string // empty if no such cell was found
	point cellAt
}

// A cellAt is a cell and its place. Its text is empty if no such cell was found.
type cellAt struct {
	file, cell string
	line       int
}

// add looks at the cells of a row that conditions compare with numbers.
func (d decimals) add(conditions []condition, r *Row) {
	for i, c := range conditions {
		if c.isText {
			continue
		}
		cell := c.cell(r.Fields)
		comma, open := label.Decimals(cell)
		switch {
		case comma && d[i].comma == "":
			d[i].comma = strings.Clone(cell)
		case open && d[i].point.cell == "":
			d[i].point = cellAt{r.File, strings.Clone(cell), r.Line}
		}
	}
}

// join adds the cells of later rows.
func (d decimals) join(of decimals) {
	for i, s := range of {
		d[i].comma, d[i].point = cmp.Or(d[i].comma, s.comma), cmp.Or(d[i].point, s.point)
	}
}

// check returns an error for the first column that has both.
func (d decimals) check(conditions []condition) error {
	for i, s := range d {
		if s.comma != "" && s.point.cell != "" {
			return &badinput.Error{File: s.point.file, Row: s.point.line, Column: conditions[i].column,
				What: fmt.Sprintf("%s may be a thousand or decimals: another cell, %s, has a comma before decimals",
					badinput.Quote(s.point.cell), badinput.Quote(s.comma)),
				Fix: "write the numbers of this column without thousands separators"}
		}
	}
	return nil
}
