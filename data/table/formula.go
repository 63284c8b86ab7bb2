package table

import (
	"encoding/csv"
	"errors"
	"io"
	"regexp"
	"strings"
)

// A spreadsheet interprets a cell of a CSV as a formula if it begins with = + - or @, or with
// one of their fullwidth forms. A formula that calls a function, another program or
// another file can do harm. Cells such as -CH3 or -0.5 cannot.
var formula = regexp.MustCompile(`^'*\s*[=+\-@＝＋－＠](?s:.*)([\pL\pN_.]\s*\(|[|!])`)

// apostrophe before a formula makes it text (OWASP, "CSV Injection").
const apostrophe = "'"

// Plain returns a cell as the program writes it to a CSV: with an apostrophe before a formula that can do
// harm. [Reader] and [ParseLine] remove the apostrophe.
func Plain(cell string) string {
	if cell == "" || !strings.ContainsAny(cell, "(|!") || !formula.MatchString(cell) {
		return cell
	}
	return apostrophe + cell
}

// PlainAll applies Plain to all cells. It does not change the slice that is given.
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

// ParseLine returns the cells of a line of CSV that the program wrote; nil if it is empty.
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
