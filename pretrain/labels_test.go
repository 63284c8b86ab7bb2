package pretrain

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pacia/data/table"
	"pacia/internal/badinput"
)

// labelled returns a library of some molecules with labels of three assays.
func labelled(t *testing.T) *Library {
	t.Helper()
	l := &Library{}
	l.Store, l.rows = storeOf(t, some)
	r := reader{smiles: some, assays: []string{"a", "b", "c"}}
	for i := range some {
		r.marks = append(r.marks, mark{int32(i), int32(i % 3), uint8(i % 2)})
		if i%2 == 0 {
			r.marks = append(r.marks, mark{int32(i), 2 - int32(i%3), 1})
		}
	}
	l.labels = r.sparse(l.rows, l.Store.Len())
	l.motifs = takeApart(t.Context(), some, l.Store, 1)
	return l
}

// known lists the labels of a library by the names of their assays.
func known(l *Library) (all []string) {
	for _, row := range l.rows {
		for _, m := range l.labels.of(row) {
			all = append(all, fmt.Sprintf("%d %s %d", row, l.labels.assays[m.assay], m.active))
		}
	}
	return all
}

// TestLabels: columns of 0 and 1 are assays, empty cells are unknown, and names are left out.
// The labels of repeated molecules are joined.
func TestLabels(t *testing.T) {
	t.Chdir(t.TempDir())
	text := "mol_id,a,smiles,b\n"
	for i, s := range chains(20) {
		text += fmt.Sprintf("TOX%d,,%s,\n", i, s)
	}
	put(t, "a.csv", []byte(text+"x,1,CO,0\ny,0,CO,\nz,,CCCO,1.0\n"))
	l, err := Open(t.Context(), Source{Path: "a.csv", Labels: true, Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"0 a 1", "0 b 0", "4 b 1"}; !slices.Equal(known(l), want) || l.Len() != 20 || l.Repeated != 3 {
		t.Errorf("labels %v of %d molecules, want %v", known(l), l.Len(), want)
	}
	plain, err := Open(t.Context(), Source{Path: "a.csv", Threads: 1})
	if err != nil || plain.labels != nil || plain.Hash == l.Hash {
		t.Errorf("without labels: %v, %v", plain, err)
	}
	_, err = Open(t.Context(), Source{Path: "a.csv", Options: table.Options{SMILES: "mol_id"}, Labels: true, Threads: 1})
	if !badinput.Is(err) || !strings.Contains(err.Error(), `a.csv: row 2, column smiles: label "CO" is neither active nor inactive`) {
		t.Errorf("other labels: %v", err)
	}
}

// TestFolders: the CSV files of a folder, or of its train/, are one library.
func TestFolders(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "fs", "train"), 0o777); err != nil {
		t.Fatal(err)
	}
	for k, name := range []string{"fs/train/A1.csv", "fs/train/B2.csv.gz"} {
		text := "smiles,label\n"
		for i, s := range chains(25)[10*k : 15+10*k] {
			text += fmt.Sprintf("%s,%d\n", s, i%2)
		}
		if k == 1 {
			text += "C1CC,1\n"
			put(t, filepath.Join(dir, name), zipped(t, text))
		} else {
			put(t, filepath.Join(dir, name), []byte(text))
		}
	}
	for _, path := range []string{"fs", "fs/train"} {
		l, err := Open(t.Context(), Source{Path: filepath.Join(dir, path), Labels: true, Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		if l.Len() != 25 || len(known(l)) != 30 || !slices.Equal(l.labels.assays, []string{"A1", "B2"}) || l.Repeated != 5 {
			t.Errorf("%s: %d molecules, %d labels in %v, %d again", path, l.Len(), len(known(l)), l.labels.assays, l.Repeated)
		}
		if len(l.Skipped) != 1 || l.Skipped[0].Row != 17 || !strings.HasPrefix(l.Skipped[0].Reason, "B2.csv.gz: ") {
			t.Errorf("%s: skipped %+v", path, l.Skipped)
		}
	}
	empty := t.TempDir()
	if _, err := Open(t.Context(), Source{Path: empty, Threads: 1}); !badinput.Is(err) || !strings.Contains(err.Error(), "the folder holds no tables") {
		t.Errorf("an empty folder: %v", err)
	}
}

// TestExclude: molecules of another file are left out with their labels, also with another
// SMILES or as salts.
func TestExclude(t *testing.T) {
	t.Chdir(t.TempDir())
	text := "smiles,a\n"
	for i, s := range chains(30) {
		text += fmt.Sprintf("%s,%d\n", s, i%2)
	}
	put(t, "a.csv", []byte(text))
	put(t, "b.smi", []byte("OCC\nNCC.Cl\nc1ccccc1\nnot a molecule\n"))
	l, err := Open(t.Context(), Source{Path: "a.csv", Labels: true, Exclude: "b.smi", Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	if l.Excluded != 2 || l.Len() != 28 || len(known(l)) != 28 {
		t.Errorf("%d excluded, %d left with %d labels, want 2, 28 and 28", l.Excluded, l.Len(), len(known(l)))
	}
	for i, label := range known(l) {
		if want := fmt.Sprintf("%d a %d", i, i%2); label != want {
			t.Errorf("label %s, want %s", label, want)
		}
	}
}
