package table

import (
	"encoding/csv"
	"errors"
	"io"
	"regexp"
	"strings"
)

// A spreadsheet takes a cell of a CSV for a formula where it begins with = + - or @, in
// their fullwidth forms as well. A formula that calls a function, another program or
// another file can do harm. What only looks like one, such as -CH3 or -0.5, stays.
var formula = regexp.MustCompile(`^'*\s*[=+\-@＝＋－＠](?s:.*)([\pL\pN_.]\s*\(|[|!])`)

// apostrophe before a formula makes it a text (OWASP, "CSV Injection").
const apostrophe = "'"

// Plain returns a cell as a CSV that the program writes has it: a formula that can do harm
// begins with an apostrophe. [Reader] and [ParseLine] take it away again.
func Plain(cell string) string {
	if cell == "" || !strings.ContainsAny(cell, "(|!") || !formula.MatchString(cell) {
		return cell
	}
	return apostrophe + cell
}

// PlainAll is Plain of all cells, which stay as they are.
func PlainAll(cells []string) []string {
	for i, c := range cells {
		if p := Plain(c); p != c {
			changed := append([]string(nil), cells...)
			for k := i; k < len(changed); k++ {
				changed[k] = Plain(changed[k])
			}
			return changed
		}
	}
	return cells
}

// original undoes Plain.
func original(cell string) string {
	if rest, found := strings.CutPrefix(cell, apostrophe); found && formula.MatchString(cell) {
		return rest
	}
	return cell
}

// ParseLine returns the cells of a line of CSV that the program wrote: none, if it is empty.
func ParseLine(line []byte) ([]string, error) {
	cells, err := csv.NewReader(strings.NewReader(string(line) + "\n")).Read()
	if errors.Is(err, io.EOF) {
		return nil, nil
	}
	for i, c := range cells {
		cells[i] = original(c)
	}
	return cells, err
}
