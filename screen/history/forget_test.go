package history

import (
	"slices"
	"testing"
)

// TestAdd: an assay of a file and name that is known is replaced, also where the new one does not count any more; a file whose assays
// are all known, perhaps by another name of the file, counts once.
func TestAdd(t *testing.T) {
	open := func(name, text string) *Past {
		t.Helper()
		p, _, err := read(t, write(t, name, text))
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	const rows = `smiles,A,B|@0,1,0|@1,0,1|@2,1,1|@3,0,0|@4,0,1`
	before := open("past.csv", rows)
	for _, tt := range []struct {
		name, file, text string
		replaced         int
		want             []string
	}{
		{"the same", "past.csv", rows, 0, []string{"A", "B"}},
		{"a copy", "copy.csv", rows, 0, []string{"A", "B"}},
		{"another file", "new.csv", `smiles,A,C|@0,1,0|@1,1,1|@2,1,1|@3,0,0|@4,0,1`, 0, []string{"past.csv: A", "B", "new.csv: A", "C"}},
		{"a longer file", "past.csv", rows + `|@5,1,1`, 2, []string{"A", "B"}},
		{"one value only", "past.csv", `smiles,A,C|@0,0,0|@1,0,1|@2,0,1|@3,0,0|@4,0,1`, 1, []string{"B", "C"}},
	} {
		all, replaced := before.Add(open(tt.file, tt.text))
		if got := all.Assays(); replaced != tt.replaced || !slices.Equal(got, tt.want) {
			t.Errorf("%s: %d replaced, assays %v; want %d, %v", tt.name, replaced, got, tt.replaced, tt.want)
		}
	}
	if n := len(before.Assays()); n != 2 {
		t.Errorf("%d assays after Add", n)
	}
}
