package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// assays is a small table with one molecule that cannot be read, in line 4.
const assays = "smiles,assay_a,assay_b\nCCO,1,0\nCCN,0,\nC(C,1,1\nc1ccccc1,0.0,1.0\n"

// inFolder makes a folder with a file, and changes to it.
func inFolder(t *testing.T, name, text string) {
	t.Helper()
	t.Chdir(t.TempDir())
	put(t, name, text)
}

func put(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func ok(t *testing.T, args ...string) string {
	t.Helper()
	r := pacia(args...)
	if r.code != 0 {
		t.Fatalf("pacia %s: exit code %d, %s", strings.Join(args, " "), r.code, r.err)
	}
	return r.out
}

func TestInspectShowsTasksAndUnreadableMolecules(t *testing.T) {
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	inFolder(t, "assays.csv", assays)
	out := ok(t, "data", "inspect", "--cache", "cache", "--split", "assay_a/assay_b", "assays.csv")
	var i inspection
	if err := json.Unmarshal([]byte(ok(t, "data", "inspect", "--json", "--cache", "cache", "assays.csv")), &i); err != nil {
		t.Fatal(err)
	}
	if i.Molecules != 3 || len(i.Tasks) != 2 || i.Tasks[0].Inactive != 2 || len(i.Skipped) != 1 || i.Skipped[0].Row != 4 {
		t.Errorf("JSON: %+v", i)
	}
	t.Chdir(here)
	golden(t, "inspect", out)
}

func TestPrepareParsesOnce(t *testing.T) {
	inFolder(t, "assays.csv", assays)
	first := ok(t, "data", "prepare", "--cache", "cache", "assays.csv")
	if !strings.HasPrefix(first, "assays.csv: 3 molecules (1 more cannot be read), 2 tasks, parsed in ") {
		t.Errorf("first time: %q", first)
	}
	second := ok(t, "data", "prepare", "--cache", "cache", "assays.csv")
	if !strings.Contains(second, "2 tasks, found in "+filepath.Join("cache", "assays-")) {
		t.Errorf("second time: %q", second)
	}
}

func TestDataFaults(t *testing.T) {
	inFolder(t, "bad.csv", "smiles,a\nCC,1\nCN,maybe\n")
	wantFault(t, `pacia: bad.csv: row 3, column a: label "maybe" is neither active nor inactive; write 1 or 0, yes or no, true or false, active or inactive, + or -, `+
		"leave the cell empty, or name it in --active-words or --inactive-words; --label chooses the columns that are tasks, --ignore leaves one out",
		"data", "inspect", "--cache", "cache", "bad.csv")
	wantFault(t, "pacia: pacia data prepare needs a file; write pacia data prepare FILE.csv.gz", "data", "prepare")
	wantFault(t, `pacia: unknown command "pacia data prepar"; did you mean prepare?`, "data", "prepar")
	r := pacia("data", "inspect", "--cache", "cache", "none.csv")
	if r.code != exitBadInput || !strings.HasPrefix(r.err, "pacia: none.csv: ") || strings.Count(r.err, "\n") != 1 {
		t.Errorf("missing file: exit code %d, %q; want %d and one line about none.csv", r.code, r.err, exitBadInput)
	}
}

// TestInspectMeasurements checks that a table of measurements becomes tasks with the flags of predict
// and train, and that the interpretation of the file is reported each time.
func TestInspectMeasurements(t *testing.T) {
	inFolder(t, "own.csv", "Compound;smiles;IC50 (nM);Inhibition\nA;CCO;12;97,5\nB;CCN;>10000;3,5\nC;CCC;>100;\n")
	for range 2 { // from the file, and from the graph store
		r := pacia("data", "inspect", "own.csv", "--label", "ic50 (nm); Inhibition", "--active-below", "1;", "--active-above", ";50", "--unit", "uM;", "--cache", "cache")
		if r.code != 0 || !strings.Contains(r.err, "own.csv: task IC50 (nM): 1 active (below 1 uM), 1 inactive, 1 not decided; values in nM, by the column's name (--value-unit)\n") || strings.Count(r.err, "semicolons") != 1 {
			t.Errorf("exit code %d, standard error\n%s", r.code, r.err)
		}
		if !strings.Contains(strings.Join(strings.Fields(r.out), " "), "1 Inhibition 1 1 ") {
			t.Errorf("no task Inhibition in\n%s", r.out)
		}
	}
	wantFault(t, `pacia: data.active_below "many" is not a threshold; write a number, such as 1`, "train", "--set", "data.path=own.csv", "--set", "data.active_below=many")
	wantFault(t, `pacia: --active-below "many" is not a threshold; write a number, such as 1`, "data", "inspect", "own.csv", "--active-below", "many")
	r := pacia("data", "inspect", "own.csv", "--label", "IC50", "--active-below", "1")
	if r.code != exitBadInput || !strings.Contains(r.err, `the nearest is "IC50 (nM)"`) {
		t.Errorf("exit code %d, %s", r.code, r.err)
	}
}

// TestInspectCurates checks that every assumption has its rows and the flag that changes it, and that
// --out has the table as it will be used.
func TestInspectCurates(t *testing.T) {
	inFolder(t, "own.csv", "Compound,Structure,IC50 (nM),Qualifier\n,,nM,\nA,CCOc1ccccc1.Cl,12,=\nB,CCNc1ccccc1,\"1,250\",=\nC,c1ccccc1OCC,20,<\nD,CCCc1ccccc1C,500,>\nE,C(C,5,\n"+
		"F,CCCCc1ccccc1C,#DIV/0!,\nG,CCCCCc1ccccc1C,n.d.,\n* footnote,,,\n")
	out := ok(t, "data", "inspect", "own.csv", "--active-below", "1", "--unit", "uM", "--cache", "cache", "--out", "curated.csv")
	for _, want := range []string{`signs from column "Qualifier" all --sign-column`, "commas are between thousands, as three digits follow each: 1,250 is 1250 all --decimal",
		"values in nM, by the row below the header all --value-unit", "a salt is read as its parent all predict --as-drawn",
		"a row repeats a molecule: predict merges them row 5 predict --repeats"} {
		if !strings.Contains(strings.Join(strings.Fields(out), " "), want) {
			t.Errorf("the report lacks %s:\n%s", want, out)
		}
	}
	got, err := os.ReadFile("curated.csv")
	const want = `row,name,smiles,model_sees,repeats_row,IC50 (nM),left_out
3,A,CCOc1ccccc1.Cl,CCOc1ccccc1,,1,
4,B,CCNc1ccccc1,CCNc1ccccc1,,0,
5,C,c1ccccc1OCC,c1ccccc1OCC,3,1,
6,D,CCCc1ccccc1C,CCCc1ccccc1C,,,"IC50 (nM): "">500"""
7,E,C(C,,,,SMILES Parse Error: extra open parentheses for input: 'C(C'
8,F,CCCCc1ccccc1C,CCCCc1ccccc1C,,,"IC50 (nM): ""#DIV/0!"" cannot be read as a measurement"
9,G,CCCCCc1ccccc1C,CCCCCc1ccccc1C,,,
`
	if err != nil || string(got) != want {
		t.Errorf("curated (%v):\n%s\nwant\n%s", err, got, want)
	}
	put(t, "tied.csv", "smiles,active\nCCO,1\nOCC,0\nCCN,0\nCCC,1\nCCN,1\nCCN,0\n")
	ok(t, "data", "inspect", "tied.csv", "--cache", "cache", "--out", "tied-read.csv")
	for i, row := range readCSV(t, "tied-read.csv")[1:] {
		if why := row[len(row)-1]; (why == "active: the molecule has as many active as inactive rows") != (i < 2) {
			t.Errorf("row %d is left out because: %q", i+2, why)
		}
	}
	put(t, "library.csv", "smiles,name\nCCO,a\nCCN,b\n")
	refused(t, `library.csv: row 1: no column of labels beside "smiles"`, "data", "inspect", "library.csv", "--cache", "cache", "--active-below", "1")
	if out := ok(t, "data", "inspect", "library.csv", "--cache", "cache"); !strings.HasPrefix(out, "library.csv: a library of 2 molecules") {
		t.Errorf("a library: %s", out)
	}
}
