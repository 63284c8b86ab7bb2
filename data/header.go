package data

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"

	"pacia/fault"
)

// header is the first row of a table.
type header struct {
	names  []string
	smiles int   // number of the SMILES column
	tasks  []int // numbers of all others
}

// readHeader finds the SMILES column by its name; every other column is a task.
func readHeader(file string, record []string, column string) (header, error) {
	h := header{smiles: -1}
	at := make(map[string]int)
	for i, cell := range record {
		name := strings.TrimSpace(cell)
		if name == "" {
			return h, &fault.Error{File: file, Row: 1, What: fmt.Sprintf("column %d has no name", i+1),
				Fix: "name it, or remove the column"}
		}
		if first, ok := at[name]; ok {
			return h, &fault.Error{File: file, Row: 1, Column: name,
				What: fmt.Sprintf("named twice, columns %d and %d", first+1, i+1), Fix: "rename one of the two"}
		}
		at[name] = i
		h.names = append(h.names, strings.Clone(name))
		if name == column {
			h.smiles = i
		} else {
			h.tasks = append(h.tasks, i)
		}
	}
	if h.smiles < 0 {
		return h, noSMILES(file, h.names, column)
	}
	if len(h.tasks) == 0 {
		return h, &fault.Error{File: file, Row: 1, What: fmt.Sprintf("no column beside %q", column),
			Fix: "add a column of labels for each task"}
	}
	return h, nil
}

func noSMILES(file string, names []string, column string) error {
	f := &fault.Error{File: file, Row: 1, What: fmt.Sprintf("no column %q", column)}
	if separator := otherSeparator(names); separator != "" {
		f.Fix = fmt.Sprintf("the columns are separated by %s: write commas", separator)
		return f
	}
	near := nearest(column, names)
	f.Fix = fmt.Sprintf("the nearest is %q: set data.smiles to it, or rename the column", near)
	return f
}

// otherSeparator names the character that parts the columns of a header which
// has no comma.
func otherSeparator(names []string) string {
	if len(names) != 1 {
		return ""
	}
	for character, name := range map[string]string{";": "semicolons", "\t": "tabs"} {
		if strings.Contains(names[0], character) {
			return name
		}
	}
	return ""
}

// nearest returns the name that takes the fewest edits to become want; upper
// and lower case are the same.
func nearest(want string, names []string) string {
	distance := func(name string) int {
		return levenshtein.ComputeDistance(strings.ToLower(name), strings.ToLower(want))
	}
	return slices.MinFunc(names, func(a, b string) int { return distance(a) - distance(b) })
}
