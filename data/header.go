package data

import (
	"fmt"
	"slices"
	"strings"

	tables "pacia/data/table"
	"pacia/internal/badinput"
)

// header is the first row of a table.
type header struct {
	names  []string
	smiles int   // number of the SMILES column
	tasks  []int // numbers of all others
}

// readHeader takes the SMILES column that was found by its name; every other column
// is a task.
func readHeader(r *tables.Reader, column string) (header, error) {
	h := header{smiles: r.SMILES}
	if err := h.extend(r); err != nil {
		return h, err
	}
	if h.smiles < 0 {
		return h, noSMILES(r.Name, h.names, column)
	}
	if len(h.tasks) == 0 && r.Form != "SD file" {
		return h, noTasks(r.Name, column)
	}
	return h, nil
}

// extend takes in columns that are new; an SD file gets them while it is read.
func (h *header) extend(r *tables.Reader) error {
	for i := len(h.names); i < len(r.Header); i++ {
		name := r.Header[i]
		if name == "" {
			return &badinput.Error{File: r.Name, Row: 1, What: fmt.Sprintf("column %d has no name", i+1),
				Fix: "name it, or remove the column"}
		}
		if first := slices.Index(h.names, name); first >= 0 {
			return &badinput.Error{File: r.Name, Row: 1, Column: name,
				What: fmt.Sprintf("named twice, columns %d and %d", first+1, i+1), Fix: "rename one of the two"}
		}
		h.names = append(h.names, strings.Clone(name))
		if i != h.smiles {
			h.tasks = append(h.tasks, i)
		}
	}
	return nil
}

func noTasks(file, column string) error {
	return &badinput.Error{File: file, Row: 1, What: fmt.Sprintf("no column beside %q", column),
		Fix: "add a column of labels for each task"}
}

func noSMILES(file string, names []string, column string) error {
	f := &badinput.Error{File: file, Row: 1, What: fmt.Sprintf("no column %q", column)}
	near := tables.Nearest(column, names)
	f.Fix = fmt.Sprintf("the nearest is %q: set data.smiles to it, or rename the column", near)
	return f
}
