// Package note represents the assumptions by which a file is read. The code that reads a file notes
// each of them, and each front end shows the notes: as lines of a command, as JSON, or on a page.
package note

import (
	"strconv"
	"strings"
)

// A Note is one assumption about a file, or another fact that the user should know.
type Note struct {
	Text    string `json:"text"`              // such as `header in row 3`
	Rows    []int  `json:"rows,omitempty"`    // rows of the file that it concerns; empty: all rows
	Switch  string `json:"switch,omitempty"`  // flags that change it, such as --header
	Warning bool   `json:"warning,omitempty"` // the assumption may be wrong
}

// shown is the largest number of rows or ranges in a line.
const shown = 12

// String returns text such as `"-" is interpreted as not tested (rows 22 to 31; --inactive-words)`.
func (n Note) String() string {
	var beside []string
	if len(n.Rows) > 0 {
		beside = append(beside, Rows(n.Rows))
	}
	if n.Switch != "" {
		beside = append(beside, n.Switch)
	}
	if len(beside) == 0 {
		return n.Text
	}
	return n.Text + " (" + strings.Join(beside, "; ") + ")"
}

// Rows returns text such as "row 7" or "rows 3, 9 to 12 and 40 more". rows are in ascending order.
func Rows(rows []int) string {
	if len(rows) == 1 {
		return "row " + strconv.Itoa(rows[0])
	}
	var parts []string
	first := 0
	for first < len(rows) && len(parts) < shown {
		last := first
		for last+1 < len(rows) && rows[last+1] == rows[last]+1 {
			last++
		}
		if last < first+2 {
			last = first
			parts = append(parts, strconv.Itoa(rows[first]))
		} else {
			parts = append(parts, strconv.Itoa(rows[first])+" to "+strconv.Itoa(rows[last]))
		}
		first = last + 1
	}
	text := "rows " + strings.Join(parts, ", ")
	if more := len(rows) - first; more > 0 {
		text += " and " + strconv.Itoa(more) + " more"
	}
	return text
}
