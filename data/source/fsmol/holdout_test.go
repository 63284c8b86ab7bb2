package fsmol

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestHoldOutTargets: one of the targets 3 (three assays here) and 4 (two) is held out completely, and half
// of the assays of the other. A molecule with contradictory labels, or in a training assay of
// the target, is in no test task.
func TestHoldOutTargets(t *testing.T) {
	from, to := t.TempDir(), filepath.Join(t.TempDir(), "held-out")
	write := func(part, name string, cells ...string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Join(from, part), 0o755); err != nil {
			t.Fatal(err)
		}
		text := "smiles," + name + "\n" + strings.Join(cells, "\n") + "\n"
		if err := os.WriteFile(filepath.Join(from, part, name+".csv"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("train", "CHEMBL1664615", "C,1", "CC,0", "CCC,1", "CCCCCC,0")
	write("train", "CHEMBL760830", "C,1", "CC,1", "CCCC,0", "OO,1")
	write("train", "CHEMBL762819", "CCO,0", "CCN,1")
	write("train", "CHEMBL1737966", "CCCCC,1", "N,0", "O,1", "OCCO,0")
	write("train", "CHEMBL4234578", "CS,1", "N,0", "CO,0")
	write("train", "CHEMBL1", "CF,1")
	write("valid", "CHEMBL2", "CF,0")
	write("test", "CHEMBL3", "CF,0")

	for seed := range uint64(8) {
		folder := fmt.Sprint(to, seed)
		done, err := HoldOutTargets(t.Context(), from, folder, HoldOutOptions{SMILES: "smiles", New: 1, Known: 1, Smallest: 1, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		f, err := find(folder, ".csv")
		if err != nil {
			t.Fatal(err)
		}
		if done.New != 1 || done.Known != 1 || len(f.parts[0]) != done.Train || len(f.parts[1]) != 1 || len(f.parts[2]) != 2 {
			t.Fatalf("seed %d: %+v, files %v", seed, done, f.paths)
		}
		trained := map[string]bool{}
		for _, path := range f.partFiles(0) {
			trained[tableName(path)] = true
		}
		if !trained["CHEMBL1"] {
			t.Error("an assay of no shared target is not trained on")
		}
		target4 := trained["CHEMBL1737966"] || trained["CHEMBL4234578"]
		target3 := trained["CHEMBL1664615"] || trained["CHEMBL760830"] || trained["CHEMBL762819"]
		if target3 == target4 {
			t.Errorf("seed %d: want assays of exactly one of the two targets in training", seed)
		}
		for _, path := range f.partFiles(2) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(strings.TrimSpace(string(text)), "\n")
			if slices.ContainsFunc(lines, func(line string) bool { return strings.HasPrefix(line, "CC,") }) {
				t.Errorf("%s has the molecule that two assays disagree on", tableName(path))
			}
			if tableName(path) == "known-target-4" && slices.Contains(lines, "N,0") {
				t.Errorf("%s has a molecule of its target's training assay", tableName(path))
			}
			if want := "smiles,new-target-3"; tableName(path) == "new-target-3" &&
				!slices.Equal(slices.Sorted(slices.Values(lines)), slices.Sorted(slices.Values([]string{want, "C,1", "CCC,1", "CCCCCC,0", "CCCC,0", "OO,1", "CCO,0", "CCN,1"}))) {
				t.Errorf("target 3 is %q", lines)
			}
		}
	}

	_, err := HoldOutTargets(t.Context(), from, to, HoldOutOptions{SMILES: "smiles", New: 3, Smallest: 1})
	if err == nil || !strings.Contains(err.Error(), "2 new and 0 known targets") {
		t.Errorf("three targets of two: %v", err)
	}
}
