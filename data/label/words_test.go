package label

import (
	"slices"
	"testing"
)

// TestWordsAmongMeasurements: a built-in word in a column of measurements is a label with a note. A word that the
// user chose is a label without one, and overrides the built-in meaning.
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
		{"0.5|TRUE|inactive|2|no", Choices{}, []Verdict{Active, Active, Inactive, Inactive, Inactive},
			`"TRUE" is interpreted as active (row 1; --inactive-words); "inactive", "no" are interpreted as inactive (rows 2, 4; --active-words)`},
		{"0.5|TRUE|2|n.d.", Choices{Inactive: []string{"true"}}, []Verdict{Active, Inactive, Inactive, Missing},
			`"n.d." is interpreted as not tested (row 3; --inactive-words)`},
		{"0.5|1|0|2", Choices{}, []Verdict{Active, Inactive, Active, Inactive}, ""}, // 1 and 0 are measurements
	} {
		r, err := reading(t, Column{Name: "value", Rule: rule, Choices: tt.choices}, tt.cells)
		if err != nil {
			t.Errorf("%s: %v", tt.cells, err)
			continue
		}
		if got := notesOf(r); !slices.Equal(r.Verdicts, tt.want) || got != tt.notes {
			t.Errorf("%s: %v, want %v\n got %s\nwant %s", tt.cells, r.Verdicts, tt.want, got, tt.notes)
		}
	}
}
