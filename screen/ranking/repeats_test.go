package ranking

import (
	"strings"
	"testing"

	"pacia/data/label"
	"pacia/data/note"
	"pacia/internal/each"
)

// TestNoteTwins: the warning has the rows of each class, and names stereochemistry only where molecules differ.
func TestNoteTwins(t *testing.T) {
	const stereo = ": it does not read stereochemistry, and stereoisomers share a score"
	for _, tt := range []struct {
		name, text, repeats, want string
		groups                    [][]int
	}{
		{"repeats", "smiles,active\nCCO,0\nOCC,1\nCCO,0\nCCO,1\nCCO,0\nCCO,1\n", Keep,
			"rows 3, 5 and 7 are active, rows 2, 4 and 6 inactive, and this model sees one molecule", [][]int{{0, 1, 2, 3, 4, 5}}},
		{"stereoisomers", "smiles,name,active\nC[C@H](N)C(=O)O,a,1\nC[C@@H](N)C(=O)O,b,0\n", Merge,
			"row 2 (a) is active, row 3 (b) inactive, and this model sees one molecule" + stereo, [][]int{{0, 1}}},
		{"both", "smiles,active\nC[C@H](N)C(=O)O,1\nC[C@@H](N)C(=O)O,0\nC[C@H](N)C(=O)O,1\n", Keep,
			"rows 2 and 4 are active, row 3 inactive, and this model sees one molecule" + stereo, [][]int{{0, 1, 2}}},
		{"one label", "smiles,active\nC[C@H](N)C(=O)O,1\nC[C@@H](N)C(=O)O,1\nCCO,0\n", Merge, "", [][]int{{0, 1}}},
	} {
		o := plain
		o.Repeats = tt.repeats
		s, err := SupportOf(t.Context(), "s.csv", strings.NewReader(tt.text), o, label.Tasks{})
		if err != nil {
			t.Fatal(err)
		}
		before := len(s.Notes)
		s.NoteTwins(tt.groups)
		if got := strings.Join(each.Of(s.Notes[before:], note.Note.String), "|"); got != tt.want {
			t.Errorf("%s:\n got %q\nwant %q", tt.name, got, tt.want)
		}
	}
}
