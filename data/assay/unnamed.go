package assay

import (
	"fmt"
	"strconv"
	"strings"

	"pacia/data/label"
	"pacia/data/table"
	"pacia/internal/badinput"
)

// blankOrNumbers reports whether a column without a name is empty, or has the numbers of rows, as pandas writes them in the
// first column.
func (r *reading) blankOrNumbers(at int) bool {
	if !table.Nameless(r.rows.Header[at]) {
		return false
	}
	cells := r.column(at)
	return len(cells) == 0 || at == 0 && numbering(cells)
}

// numbering reports whether cells are whole numbers that differ from each other, such as those of rows.
func numbering(cells []label.Cell) bool {
	seen := map[string]bool{}
	for _, cell := range cells {
		text := strings.TrimSuffix(strings.TrimSpace(cell.Text), ".0")
		if _, err := strconv.ParseUint(text, 10, 64); err != nil || seen[text] {
			return false
		}
		seen[text] = true
	}
	return true
}

// unnamed returns the error of a column without a name that may be a task.
func (r *reading) unnamed(at int) error {
	return &badinput.Error{
		File: r.File, Row: max(1, r.rows.HeaderLine),
		What: fmt.Sprintf("column %d has no name", at+1), Fix: "name it, or remove the column",
	}
}
