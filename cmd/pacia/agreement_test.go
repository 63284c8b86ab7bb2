package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
)

// asInPython are the flags with which the program reads molecules and computes as python/pacia does.
var asInPython = []string{"--as-drawn", "--set", "precision=float32"}

// withoutVectors are the flags for minimol=False in Python.
var withoutVectors = append([]string{"--set", "model.minimol=false"}, asInPython...)

// agreementFlags are the flags for the columns of probabilities in agreement.csv.
var agreementFlags = map[string][]string{"probability": withoutVectors, "with_vectors": asInPython}

// agreeing is the difference of probabilities up to which two implementations agree.
const agreeing = 1e-5

// TestAgreement checks that the program gives the probabilities of python/tests/agreement.csv, with which
// python/tests compares python/pacia. With -update it writes them anew. Half of the molecules are known from training.
func TestAgreement(t *testing.T) {
	file := filepath.Join(pythonFolder, "tests/agreement.csv")
	exampleFolder(t)
	rows := readCSV(t, file)
	support, queries := [][]string{rows[0][:2]}, [][]string{{"smiles"}}
	for _, row := range rows[1:] {
		if row[1] != "" {
			support = append(support, row[:2])
		} else {
			queries = append(queries, row[:1])
		}
	}
	put(t, "support.csv", asCSV(t, support))
	put(t, "queries.csv", asCSV(t, queries))
	for column, name := range rows[0] {
		flags, computed := agreementFlags[name]
		if !computed {
			continue
		}
		ok(t, append([]string{"predict", "--support", "support.csv", "--candidates", "queries.csv", "--out", "ranked.csv"}, flags...)...)
		got, want := probabilities(t, readCSV(t, "ranked.csv")), map[string]float64{}
		for _, row := range rows[1:] {
			if row[1] == "" && *update {
				row[column] = fmt.Sprint(got[row[0]])
			} else if row[1] == "" {
				want[row[0]] = float(t, row[column])
			}
		}
		if !*update {
			agree(t, name, got, want)
		}
	}
	if *update {
		if err := os.WriteFile(file, []byte(asCSV(t, rows)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// float parses a cell.
func float(t *testing.T, cell string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(cell, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// pythonFolder is absolute, because tests change the working directory.
var pythonFolder, _ = filepath.Abs("../../python")

// TestPythonAgreement runs the tests of python/pacia.
func TestPythonAgreement(t *testing.T) {
	command := inPython(python(t), "-m", "unittest", "discover", "-s", filepath.Join(pythonFolder, "tests"))
	if out, err := command.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// inPython returns a command of an interpreter that finds python/pacia.
func inPython(interpreter string, args ...string) *exec.Cmd {
	command := exec.Command(interpreter, args...)
	command.Env = append(os.Environ(), "PYTHONPATH="+pythonFolder+string(os.PathListSeparator)+os.Getenv("PYTHONPATH"),
		"PYTHONDONTWRITEBYTECODE=1", "OMP_NUM_THREADS=1") // more threads would wait for those of other tests
	return command
}

// agree reports probabilities that are not those wanted.
func agree(t *testing.T, of string, got, want map[string]float64) {
	t.Helper()
	if len(got) != len(want) || len(got) < 40 {
		t.Errorf("%s: %d molecules, want %d", of, len(got), len(want))
	}
	worst := 0.
	for smiles, p := range want {
		worst = max(worst, math.Abs(p-got[smiles]))
	}
	if !(worst <= agreeing) { // also refuses NaN
		t.Errorf("%s: probabilities are up to %v from those wanted", of, worst)
	}
}

// asCSV returns rows as CSV.
func asCSV(t *testing.T, rows [][]string) string {
	t.Helper()
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	if err := w.WriteAll(rows); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
