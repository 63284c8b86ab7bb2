package assay

import (
	"fmt"

	"pacia/data/table"
	"pacia/internal/badinput"
)

// ignored returns the columns that are not tasks, by their indices.
func (r *reading) ignored() (map[int]bool, error) {
	columns := map[int]bool{}
	for _, name := range r.options.Labels.Ignore {
		at := table.Column(r.rows.Header, name)
		if at < 0 && r.options.Called == "" { // of several files, each may lack some
			what := fmt.Sprintf("no column %s for --ignore among %s", badinput.Quote(name), badinput.List(r.rows.Header))
			f := &badinput.Error{File: r.File, Row: max(1, r.rows.HeaderLine), What: what}
			if near := badinput.Nearest(name, r.rows.Header); near != "" {
				f.Fix = "the nearest is " + badinput.Quote(near)
			}
			return nil, f
		}
		columns[at] = true
	}
	return columns, nil
}
