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
		{"hit|weak|no hit", Choices{Active: []string{"Weak"}}, []Verdict{a, a, i}, ""},
	} {
		r, err := reading(t, Column{Name: "hit", Choices: tt.choices}, tt.cells)
		if err != nil || !slices.Equal(r.Verdicts, tt.want) || notesOf(r) != tt.notes {
			t.Errorf("%s: %v (%v), want %v\n%s\nwant %s", tt.cells, r.Verdicts, err, tt.want, notesOf(r), tt.notes)
		}
	}
}
