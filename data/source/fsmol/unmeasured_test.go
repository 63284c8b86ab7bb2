package fsmol

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pacia/internal/badinput"
)

// TestUnmeasured: with Unmeasured, test tasks have no molecule of a training assay, in any spelling, and tasks
// that are too small are left out.
func TestUnmeasured(t *testing.T) {
	from := t.TempDir()
	for name, text := range map[string]string{
		"train/CHEMBL1664615.csv": "smiles,a\nCCC,1\nOC,0\nC[C@H](F)Cl,0\n", // target 3
		"train/CHEMBL760830.csv":  "smiles,a\nCCCC,1\nCCN,0\n",              // target 3
		"train/CHEMBL1737966.csv": "smiles,a\nCS,1\nCCO,0\n",                // target 4
		"train/CHEMBL4234578.csv": "smiles,a\nCP,1\nCO,0\n",                 // target 4
		"train/CHEMBL1.csv":       "smiles,a\nCO,1\nC[C@@H](F)Cl,0\nOCC,1\n",
		"valid/CHEMBL2.csv":       "smiles,a\nCF,0\n",
		"test/CHEMBL3.csv":        "smiles,a\nCF,0\n",
	} {
		write(t, filepath.Join(from, name), text)
	}
	to := filepath.Join(t.TempDir(), "held-out")
	done, err := HoldOutTargets(t.Context(), from, to, HoldOutOptions{SMILES: "smiles", New: 2, Smallest: 1, Unmeasured: 1})
	if err != nil {
		t.Fatal(err)
	}
	if want := (HeldOut{Train: 1, New: 1, Molecules: 3}); done != want {
		t.Errorf("%+v, want %+v: target 4 has no inactive molecule left", done, want)
	}
	f, err := find(to, ".csv")
	if err != nil {
		t.Fatal(err)
	}
	if len(f.partFiles(2)) != 1 {
		t.Fatalf("test tasks %q, want one", f.partFiles(2))
	}
	text, err := os.ReadFile(f.partFiles(2)[0])
	if err != nil {
		t.Fatal(err)
	}
	got := slices.Sorted(strings.Lines(string(text)))
	if want := []string{"CCC,1\n", "CCCC,1\n", "CCN,0\n", "smiles,new-target-3\n"}; !slices.Equal(got, want) {
		t.Errorf("target 3 is %q, want %q", got, want)
	}
	large := HoldOutOptions{SMILES: "smiles", New: 2, Smallest: 1, Unmeasured: 50}
	_, err = HoldOutTargets(t.Context(), from, to+"-none", large)
	if !badinput.Is(err) || !strings.Contains(err.Error(), "no task for testing is made") {
		t.Errorf("without a test task: %v", err)
	}
	if _, err := os.Stat(to + "-none"); err == nil {
		t.Error("a folder without test tasks is made")
	}
}
