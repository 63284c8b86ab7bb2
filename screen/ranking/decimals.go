package ranking

import (
	"fmt"
	"strings"

	"pacia/data/label"
	"pacia/internal/badinput"
)

// decimals holds two cells for each column that is compared with a number: the first with a decimal comma
// (12,50), and the first with a point that is read as a decimal point but could also separate thousands
// (1.200). A column with both is ambiguous. Either can come first, because a library is read once.
type decimals map[string]separated

type separated struct{ comma, point cellAt }

// cellAt is a cell and its place; cell is empty if there is none.
type cellAt struct {
	file, cell string
	line       int
}

// addDecimals adds the cells of a row that conditions compare with numbers.
func (t *Table) addDecimals(r *Row, to *decimals) {
	for _, c := range t.conditions {
		if c.isText {
			continue
		}
		cell := c.cell(r.Fields)
		comma, open := label.Decimals(cell)
		if !comma && !open {
			continue
		}
		at := cellAt{r.File, strings.Clone(cell), r.Line}
		if comma {
			to.add(c.column, separated{comma: at})
		} else {
			to.add(c.column, separated{point: at})
		}
	}
}

func (d *decimals) add(column string, s separated) {
	if *d == nil {
		*d = decimals{}
	}
	first := (*d)[column]
	if first.comma.cell == "" {
		first.comma = s.comma
	}
	if first.point.cell == "" {
		first.point = s.point
	}
	(*d)[column] = first
}

// join adds the cells of later rows.
func (d *decimals) join(of decimals) {
	for column, s := range of {
		d.add(column, s)
	}
}

// check returns an error for a column that has both.
func (d decimals) check() error {
	for column, s := range d {
		if s.comma.cell != "" && s.point.cell != "" {
			return &badinput.Error{File: s.point.file, Row: s.point.line, Column: column,
				What: fmt.Sprintf("%s may be a thousand or decimals: row %d has a comma before decimals, %s",
					badinput.Quote(s.point.cell), s.comma.line, badinput.Quote(s.comma.cell)),
				Fix: "write the numbers of this column without thousands separators"}
		}
	}
	return nil
}
