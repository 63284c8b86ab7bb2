package ranking

import (
	"cmp"
	"fmt"
	"strings"

	"pacia/data/label"
	"pacia/internal/badinput"
)

// decimals holds, for each condition of a table, the first cells of its column that contradict each
// other: one with a certain decimal comma (12,50), and one whose point is read as a decimal point but
// would separate thousands beside such a comma (1.200). A library is read once, and either can come first.
type decimals []separated

type separated struct{ comma, point cellAt }

// A cellAt is a cell and its place. Its text is empty if no such cell was found.
type cellAt struct {
	file, cell string
	line       int
}

// addDecimals looks at the cells of a row that conditions compare with numbers.
func (t *Table) addDecimals(r *Row, to decimals) {
	for i, c := range t.conditions {
		if c.isText {
			continue
		}
		cell := c.cell(r.Fields)
		comma, open := label.Decimals(cell)
		first := &to[i].point
		if comma {
			first = &to[i].comma
		}
		if (comma || open) && first.cell == "" {
			*first = cellAt{r.File, strings.Clone(cell), r.Line}
		}
	}
}

// join adds the cells of later rows.
func (d decimals) join(of decimals) {
	for i, s := range of {
		d[i].comma, d[i].point = cmp.Or(d[i].comma, s.comma), cmp.Or(d[i].point, s.point)
	}
}

// checkDecimals returns an error for the first column that has both.
func (t *Table) checkDecimals(d decimals) error {
	for i, s := range d {
		if s.comma.cell != "" && s.point.cell != "" {
			return &badinput.Error{File: s.point.file, Row: s.point.line, Column: t.conditions[i].column,
				What: fmt.Sprintf("%s may be a thousand or decimals: row %d has a comma before decimals, %s",
					badinput.Quote(s.point.cell), s.comma.line, badinput.Quote(s.comma.cell)),
				Fix: "write the numbers of this column without thousands separators"}
		}
	}
	return nil
}
