package ranking

import (
	"fmt"
	"strings"

	"pacia/data/label"
	"pacia/internal/badinput"
)

// decimals are, for each column that is compared with a number, the first cell whose comma is
// certainly before decimals (12,50), and the first whose point is read so but would separate
// thousands beside such a comma (1.200). A library is read once, and either can come first.
type decimals map[string]separated

type separated struct{ comma, point place }

// A place is a cell; its text is empty where there is none.
type place struct {
	file, cell string
	line       int
}

// addDecimals looks at the cells of a row that conditions compare with numbers.
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
		at := place{r.File, strings.Clone(cell), r.Line}
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

// join adds those of later rows.
func (d *decimals) join(of decimals) {
	for column, s := range of {
		d.add(column, s)
	}
}

// check refuses a column that has both.
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
