package assay

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"pacia/data/label"
	"pacia/internal/badinput"
	"pacia/internal/ui"
)

// A Marked is a row with a label, for Splits.
type Marked struct {
	Row      int32 // of the assay
	Molecule int32 // rows of one molecule have the same number
	Label    uint8
	Value    float64 // on a scale on which equal differences are equally large; NaN: the label counts
	Measured float64 // as it was measured; NaN without a measurement
}

// A Split is a column whose values divide the rows with labels.
type Split struct {
	Column string
	Kind   Kind
	Values []string // in the order in which they are listed
	Counts []int    // rows of each
	Best   string   // the value whose rows have the most even labels

	Divided   int // molecules with rows of several values
	Explained int // molecules whose rows disagree, but agree among those of one value
	Conflicts int // molecules whose rows disagree

	measured bool // there are measurements of divided molecules
	large    bool // in most of these molecules, measurements of different values differ by more than noise

	rowValue []int // value of each row
	pure     bool  // the rows of each value have the same label
}

// Decides reports whether the values of the column are different assays, on which the rows of molecules disagree.
// For columns of repeated runs, and of unknown kinds, most molecules have to differ: a single one may be noise.
func (s *Split) Decides() bool {
	switch {
	case s.Explained == 0 || 5*s.Explained < 4*s.Conflicts:
		return false
	case s.Kind.Apart():
		return true
	}
	differ := s.large || !s.measured && s.Explained > 1 && 2*s.Explained >= s.Divided
	return differ && (s.Kind.repeated() || !s.pure) && len(s.Values) <= fewValues
}

// fewValues is the maximum number of values of a column whose kind is not known.
const fewValues = 12

// Notable reports whether users should know of the column where no rows disagree because of it.
func (s *Split) Notable() bool {
	switch s.Kind {
	case OfOthers:
		return false
	case OfRuns, OfFiles:
		return s.Divided > 0
	case OfConcentrations, OfTimes:
		return s.Divided > 0 || len(s.Values) <= 8
	}
	return true
}

// String returns text such as "rows are of 2 targets by column Target Name: Kinase A (10), Kinase B (10)".
func (s *Split) String() string {
	const shown = 6
	var values []string
	for i, v := range s.Values[:min(shown, len(s.Values))] {
		if v == "" {
			v = "empty"
		}
		values = append(values, fmt.Sprintf("%s (%d)", ui.Cut(v, 40), s.Counts[i]))
	}
	by := " by column " + s.Column
	if s.Kind == OfFiles {
		by = ""
	}
	text := fmt.Sprintf("rows are of %d %s%s: %s", len(s.Values), s.Kind, by, strings.Join(values, ", "))
	if more := len(s.Values) - shown; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// Switch returns the flag that keeps the rows of one value; of is empty, or a file with a colon.
func (s *Split) Switch(of string) string {
	if s.Kind == OfFiles {
		return "--support"
	}
	return "--rows " + shellQuoted(of+label.ConditionOn(s.Column, s.Best))
}

// shellQuoted encloses a text in quotation marks, so that a shell reads it as one word.
func shellQuoted(text string) string {
	if strings.ContainsAny(text, `"$\!`+"`") && !strings.Contains(text, "'") {
		return "'" + text + "'"
	}
	return badinput.Quote(text)
}

// Splits returns the columns of a.Others that divide rows, the likeliest first. Of columns that divide them in the same
// way, and of those that divide a part less finely, only the first is returned.
func (a *Assay) Splits(rows []Marked) []Split {
	var all []Split
	for _, o := range a.Others {
		if s, ok := splitBy(o, rows); ok {
			all = append(all, s)
		}
	}
	slices.SortStableFunc(all, func(a, b Split) int {
		return cmp.Or(first(a.Decides(), b.Decides()), first(a.Kind.Apart(), b.Kind.Apart()),
			first(a.Kind == OfAssays, b.Kind == OfAssays), b.Explained-a.Explained,
			first(called(a.Column), called(b.Column)), len(b.Values)-len(a.Values))
	})
	var kept []Split
	for _, s := range all {
		if !slices.ContainsFunc(kept, func(k Split) bool { return k.divides(&s) || s.divides(&k) && s.Kind == k.Kind }) {
			kept = append(kept, s)
		}
	}
	return kept
}

func first(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// called reports whether a column has names, which people prefer to numbers.
func called(column string) bool {
	words := nameWords(column)
	number := func(w string) bool { return slices.Contains([]string{"id", "description", "comment"}, w) }
	return slices.Contains(words, "name") || !slices.ContainsFunc(words, number)
}

// divides reports whether rows of one value of s have one value of t.
func (s *Split) divides(t *Split) bool {
	of := map[int]int{}
	for i, v := range s.rowValue {
		if other, known := of[v]; known && other != t.rowValue[i] {
			return false
		}
		of[v] = t.rowValue[i]
	}
	return true
}

func splitBy(o Other, rows []Marked) (Split, bool) {
	s := Split{Column: o.Name, Kind: o.Kind, rowValue: make([]int, len(rows)), pure: true}
	at := map[string]int{}
	for i, row := range rows {
		text := o.Cells[row.Row]
		k, known := at[text]
		if !known {
			k = len(s.Values)
			at[text], s.Values, s.Counts = k, append(s.Values, text), append(s.Counts, 0)
		}
		s.rowValue[i] = k
		s.Counts[k]++
	}
	filled := len(s.Values)
	if empty, has := at[""]; has {
		if filled--; 2*s.Counts[empty] > len(rows) {
			return s, false
		}
	}
	if filled < 2 || 2*filled > max(len(rows), 4) {
		return s, false
	}
	s.count(rows)
	s.measured, s.large = s.differ(rows)
	s.order(rows)
	return s, true
}

// count counts the molecules of several values, and those whose rows disagree.
func (s *Split) count(rows []Marked) {
	tolerance := toleranceOf(rows)
	molecules := map[int32][]int{}
	for i, row := range rows {
		molecules[row.Molecule] = append(molecules[row.Molecule], i)
	}
	agree := func(of []int) bool {
		low, high, labels := math.Inf(1), math.Inf(-1), [2]bool{}
		for _, i := range of {
			if v := rows[i].Value; !math.IsNaN(v) {
				low, high = min(low, v), max(high, v)
			} else {
				labels[rows[i].Label] = true
			}
		}
		return !(high-low > tolerance) && labels != [2]bool{true, true}
	}
	for _, of := range molecules {
		by := map[int][]int{}
		for _, i := range of {
			by[s.rowValue[i]] = append(by[s.rowValue[i]], i)
		}
		if len(by) > 1 {
			s.Divided++
		}
		if agree(of) {
			continue
		}
		s.Conflicts++
		explained := len(by) > 1
		for _, same := range by {
			explained = explained && agree(same)
		}
		if explained {
			s.Explained++
		}
	}
	labels := map[int]uint8{}
	for i, row := range rows {
		if before, known := labels[s.rowValue[i]]; known && before != row.Label {
			s.pure = false
		}
		labels[s.rowValue[i]] = row.Label
	}
}
