package ranking

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"

	"pacia/data/label"
	"pacia/data/table"
	"pacia/internal/badinput"
)

// OwnForm is how an assay of its own is written, for messages: column, threshold, and conditions on rows.
const OwnForm = "COLUMN < VALUE UNIT; CONDITION"

// ownOptions are the settings that a reading may have, with their names as flags.
var ownOptions = map[string]func(*label.Settings) *string{
	"unit":           func(s *label.Settings) *string { return &s.Units },
	"value-unit":     func(s *label.Settings) *string { return &s.ValueUnit },
	"decimal":        func(s *label.Settings) *string { return &s.Decimal },
	"sign-column":    func(s *label.Settings) *string { return &s.Signs },
	"unit-column":    func(s *label.Settings) *string { return &s.UnitColumn },
	"type-column":    func(s *label.Settings) *string { return &s.Types },
	"type":           func(s *label.Settings) *string { return &s.Type },
	"active-words":   func(s *label.Settings) *string { return &s.Active },
	"inactive-words": func(s *label.Settings) *string { return &s.Inactive },
}

// FileAndReading splits FILE:READING, as for [Reading]. A file's name may contain colons: the longest one that exists is taken.
func FileAndReading(text string) (file, reading string) {
	exists := func(path string) bool {
		_, err := os.Stat(path)
		return path == table.Stdin || err == nil
	}
	if exists(text) {
		return text, ""
	}
	for at := len(text) - 1; at > 0; at-- {
		if text[at] == ':' && exists(text[:at]) {
			return text[:at], text[at+1:]
		}
	}
	if at := strings.IndexByte(text[min(2, len(text)):], ':'); at >= 0 { // after the letter of a drive
		return text[:at+2], text[at+3:]
	}
	return text, ""
}

// Reading returns the settings for another assay than that of base. A text such as "hERG IC50 (uM) < 10 uM; Target = hERG;
// --value-unit nM" has its column, its threshold, conditions on its rows and further options. Each may be left out.
// Without a column and a threshold, those of base remain. With a threshold alone, the column is found by the header unless
// the assay is in the same file. Conditions of base do not apply.
func Reading(text string, base label.Settings, same bool) (label.Settings, error) {
	parts := partsOf(text)
	s := base
	s.Rows = ""
	column, below, above := thresholdOf(parts[0])
	if column != "" || !same && below+above != "" {
		s = label.Settings{Columns: column, Decimal: base.Decimal, SingleColumn: true}
	}
	if below+above != "" {
		s.Below, s.Above, s.Units, s.Numbers = below, above, "", false
	}
	for _, part := range parts[1:] {
		name, value, _ := strings.Cut(strings.TrimPrefix(part, "--"), " ")
		switch option := ownOptions[name]; {
		case !strings.HasPrefix(part, "--"):
			s.Rows += part + "\n"
		case option == nil:
			var known []string
			for name := range ownOptions {
				known = append(known, "--"+name)
			}
			slices.Sort(known)
			return s, &badinput.Error{What: fmt.Sprintf("%q has no option --%s", text, name), Fix: "write " + strings.Join(known, ", ")}
		default:
			*option(&s) = strings.TrimSpace(value)
		}
	}
	_, err := s.Parse()
	return s, err
}

// partsOf splits a reading at semicolons. What is neither a condition nor an option belongs to the part before, such as a
// word of --active-words.
func partsOf(text string) []string {
	var parts []string
	for i, part := range strings.Split(text, ";") {
		_, err := label.ParseCondition(part)
		if i > 0 && strings.TrimSpace(part) == "" {
			continue
		}
		if part := strings.TrimSpace(part); i == 0 || err == nil || strings.HasPrefix(part, "--") {
			parts = append(parts, part)
			continue
		}
		parts[len(parts)-1] += ";" + part
	}
	return parts
}

// thresholdOf splits "hERG IC50 (uM) < 10 uM" at the last sign that a threshold follows.
func thresholdOf(text string) (column, below, above string) {
	for at := len(text) - 1; at >= 0; at-- {
		value := strings.TrimSpace(text[at+1:])
		if text[at] != '<' && text[at] != '>' || value == "" {
			continue
		}
		if _, err := label.NewRule(value, "", "", 0); err != nil {
			continue
		}
		if text[at] == '<' {
			return strings.TrimSpace(text[:at]), value, ""
		}
		return strings.TrimSpace(text[:at]), "", value
	}
	return strings.TrimSpace(text), "", ""
}

// SameAssay reports whether two tables hold the same measurements of the same molecules, also where the thresholds, the
// units or the names of columns differ. Labels are the same only in columns of one name.
func (s *Support) SameAssay(as *Support) bool {
	if len(s.Rows) != len(as.Rows) {
		return false
	}
	values := 0
	own, others := s.sorted(), as.sorted()
	for i, row := range own {
		other := others[i]
		measured := !math.IsNaN(row.Value) && !math.IsNaN(other.Value)
		if row.Drawn != other.Drawn || measured && !powerOfTenApart(row.Value, other.Value) || !measured && row.Label != other.Label {
			return false
		}
		if measured {
			values++
		}
	}
	return s.Column == as.Column || values > 4
}

// sorted returns the rows in an order that does not depend on that of the file.
func (s *Support) sorted() []Labelled {
	return slices.SortedFunc(slices.Values(s.Rows), func(a, b Labelled) int {
		return cmp.Or(strings.Compare(a.Drawn, b.Drawn), cmp.Compare(a.Value, b.Value), cmp.Compare(a.Label, b.Label))
	})
}

// powerOfTenApart reports whether two values may be one in units of different sizes: their ratio is a power of ten.
func powerOfTenApart(a, b float64) bool {
	if a == b {
		return true
	}
	for range 15 {
		if d := a - b; d < 1e-9*a && -d < 1e-9*a {
			return true
		}
		if a < b {
			a *= 10
		} else {
			b *= 10
		}
	}
	return false
}
