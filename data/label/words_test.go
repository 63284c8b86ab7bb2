package label

import (
	"slices"
	"testing"
)

// TestColumnsOfWords: a dash is a label only beside a plus, and a letter only beside its opposite.
func TestColumnsOfWords(t *testing.T) {
	for _, tt := range []struct {
		cells   string
		choices Choices
		want    []Verdict
		notes   string
	}{
		{"1|0|-|-", Choices{}, []Verdict{a, i, m, m}, `"-" is interpreted as not tested (rows 2, 3; --inactive-words)`},
		{"1|0|–|n.d.|nt", Choices{}, []Verdict{a, i, m, m, m}, `"n.d.", "nt", "–" are interpreted as not tested (rows 2 to 4; --inactive-words)`},
		{"1|0|-", Choices{Inactive: []string{"-"}}, []Verdict{a, i, i}, ""},
		{"+|-|−|(-)", Choices{}, []Verdict{a, i, i, m}, `"(-)" is interpreted as not tested (row 3; --inactive-words)`},
		{"yes|no|Y|N|T", Choices{}, []Verdict{a, i, a, i, x}, ""},
		{"Active|Inactive|Inconclusive|Unspecified|Active", Choices{}, []Verdict{a, i, u, u, a}, ""},
		{"1|0|+/-|0|2", Choices{}, []Verdict{a, i, u, i, x}, ""},
		{"-|+|++|+++|+/-|n.d.", Choices{Active: []string{"++"}}, []Verdict{i, i, a, a, i, m}, ""},
		{"-|+|++|+++", Choices{Inactive: []string{"+"}}, []Verdict{i, i, a, a}, ""},
		{"-|+|++|+++", Choices{Active: []string{"+++"}, Inactive: []string{"+"}}, []Verdict{i, i, u, a}, ""},
		{"0|1+|2+|3+", Choices{Active: []string{"2+"}}, []Verdict{i, i, a, a}, ""},
		{"hit|weak|no hit", Choices{Active: []string{"Weak"}}, []Verdict{a, a, i}, ""},
	} {
		r, err := reading(t, Column{Name: "hit", Choices: tt.choices}, tt.cells)
		if err != nil || !slices.Equal(r.Verdicts, tt.want) || notesOf(r) != tt.notes {
			t.Errorf("%s: %v (%v), want %v\n%s\nwant %s", tt.cells, r.Verdicts, err, tt.want, notesOf(r), tt.notes)
		}
	}
}

// TestWordsAmongMeasurements: a built-in word in a column of measurements is a label with a note. A word that the
// user chose is a label without one, and overrides the built-in meaning. 1 and 0 are measurements.
func TestWordsAmongMeasurements(t *testing.T) {
	rule, err := NewRule("1", "", "", 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		cells   string
		choices Choices
		want    []Verdict
		notes   string
	}{
		{"0.5|TRUE|inactive|2|no", Choices{}, []Verdict{a, a, i, i, i},
			`"TRUE" is interpreted as active (row 1; --inactive-words); "inactive", "no" are interpreted as inactive (rows 2, 4; --active-words)`},
		{"0.5|TRUE|2|n.d.", Choices{Inactive: []string{"true"}}, []Verdict{a, i, i, m}, `"n.d." is interpreted as not tested (row 3; --inactive-words)`},
		{"0.5|1|0|2", Choices{}, []Verdict{a, i, a, i}, ""},
	} {
		r, err := reading(t, Column{Name: "value", Rule: rule, Choices: tt.choices}, tt.cells)
		if err != nil || !slices.Equal(r.Verdicts, tt.want) || notesOf(r) != tt.notes {
			t.Errorf("%s: %v (%v), want %v\n%s\nwant %s", tt.cells, r.Verdicts, err, tt.want, notesOf(r), tt.notes)
		}
	}
}

// TestScalesOfSigns: which plus signs are active is asked.
func TestScalesOfSigns(t *testing.T) {
	for cells, want := range map[string]string{
		"-|+|++|+++|n.d.": `the cells are a scale, - + ++ +++; write which are active, such as --active-words "++;+++", or --active-above 1 for more than so many plus signs`,
		"+|++|++":         `the cells are a scale, + ++; write which are active, such as --active-words "++", or --active-above 1 for more than so many plus signs`,
	} {
		if _, err := reading(t, Column{Name: "hit"}, cells); err == nil || err.Error() != want {
			t.Errorf("%s:\n got %v\nwant %s", cells, err, want)
		}
	}
	if r, err := reading(t, Column{Name: "hit"}, "+|-|maybe|++|+|-"); err != nil || !slices.Equal(r.Verdicts, []Verdict{a, i, x, x, a, i}) {
		t.Errorf("no scale: %v, %v", r, err)
	}
}
