package main

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// python returns the interpreter of PACIA_PYTHON, or python3. The test is skipped if python3 lacks
// a module that python/pacia imports.
func python(t *testing.T) string {
	t.Helper()
	named := os.Getenv("PACIA_PYTHON")
	name := cmp.Or(named, "python3")
	out, err := exec.Command(name, "-c", "import rdkit, numpy, torch").CombinedOutput()
	switch {
	case err != nil && named != "":
		t.Fatalf("PACIA_PYTHON=%s: %v\n%s", named, err, out)
	case err != nil:
		t.Skip("python3 has no RDKit, NumPy and PyTorch; PACIA_PYTHON names a Python that has")
	}
	return name
}

// TestPythonScores checks that python -m pacia gives the probabilities of pacia predict, for the model that ships and
// for own ones, exported or not. Some of the molecules are known from training.
func TestPythonScores(t *testing.T) {
	interpreter := python(t)
	here, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(here, "../..")
	exampleFolder(t)
	trained(t, "pacia")
	ok(t, "export", "pacia/last.ckpt", "--out", "pacia.safetensors")
	trained(t, "reference", "--set", "model.preset=reference", "--set", "model.adapt.predictor=ND")
	own := func(method string) {
		put(t, "small.yaml", strings.Replace(small, "model: {layers: 2, width: 12, dropout: 0, relation: {layers: 2, width: 8}}",
			"model: {layers: 2, width: 12, "+method+"}", 1))
	}
	own("method: proto, jump: concat")
	trained(t, "proto")
	trained(t, "both", "--set", "model.encoder=gin+fingerprint", "--set", "model.metric=cosine")
	own("method: kernel, members: 2, minimol: false")
	trained(t, "kernel")
	trained(t, "forgetful", "--set", "model.memory=false")
	labelled := readCSV(t, filepath.Join(root, "examples/assay/support.csv"))
	labelled[0][1] = "label"
	put(t, "support.csv", asCSV(t, labelled))
	candidates := readCSV(t, filepath.Join(root, "examples/assay/library.csv"))
	for _, row := range readCSV(t, "library.csv")[1:] {
		candidates = append(candidates, row[:1])
	}
	put(t, "candidates.csv", asCSV(t, candidates))
	models := []string{filepath.Join(root, "weights/fsmol.safetensors"), "pacia.safetensors", "reference/last.ckpt", "proto/last.ckpt",
		"both/best.ckpt", "kernel/last.ckpt", "forgetful/last.ckpt"}
	out, err := inPython(interpreter, append([]string{"-c", scoresOfEach}, models...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for i, model := range models {
		args := append([]string{"predict", "--support", "support.csv", "--candidates", "candidates.csv", "--out", "ranked.csv"}, asInPython...)
		if i > 0 {
			args = append(args, "--checkpoint", model)
		}
		ok(t, args...)
		agree(t, model, probabilities(t, readCSV(t, fmt.Sprintf("%d.csv", i))), probabilities(t, readCSV(t, "ranked.csv")))
	}
}

// scoresOfEach writes what python -m pacia prints for each of the models to 0.csv, 1.csv, …, in one process.
const scoresOfEach = `import contextlib, sys
from pacia.__main__ import main
for i, model in enumerate(sys.argv[1:]):
    with open(f"{i}.csv", "w") as out, contextlib.redirect_stdout(out):
        main(model, "support.csv", "candidates.csv")
`

// probabilities returns the probabilities in a table, by molecule.
func probabilities(t *testing.T, rows [][]string) map[string]float64 {
	t.Helper()
	column := map[string]int{}
	for i, name := range rows[0] {
		column[name] = i
	}
	of := map[string]float64{}
	for _, row := range rows[1:] {
		of[row[column["smiles"]]] = float(t, row[column["probability"]])
	}
	return of
}

// TestPythonRank checks that rank of python/package reads its list of SMILES below the header that it writes,
// whatever the first of them is.
func TestPythonRank(t *testing.T) {
	seconds(t)
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("there is no python3")
	}
	here, err := filepath.Abs("../../python/package")
	if err != nil {
		t.Fatal(err)
	}
	exampleFolder(t)
	if err := os.CopyFS("pacia", os.DirFS(here)); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll("pacia/program/bin", 0o777); err != nil {
		t.Fatal(err)
	}
	put(t, "past.csv", "smiles,first,second\nCCCO,1,0\nCCO,1,0\nCCN,0,1\nCCCN,0,1\nCCCCO,1,0\n")
	put(t, "pacia/program/bin/pacia", "#!/bin/sh\nexec env "+asPacia+"=1 '"+os.Args[0]+"' \"$@\"\n")
	if err := os.Chmod("pacia/program/bin/pacia", 0o755); err != nil {
		t.Fatal(err)
	}
	const script = `import math, pacia
p = pacia.rank({"CCO": 1, "CCN": 0}, ["smiles", "CCCO"], "--method", "similarity")
print(p[0], p[1] > 0.5, p.domain, p.potency, len(p))
p = pacia.rank([("CCO", 1), ("CCN", 0), ("CCO", 1)], iter(["CCCO"]), "--method", "similarity")
print(p[0] > 0.5, "similarity search" in p.verdict or "chance" in p.verdict, p.columns["nearest_active"])
measured = [("CCO", 10), ("CCCO", 30), ("CCN", 9000), ("CCCN", 20000)]
p = pacia.rank(measured, ["CCCCO", "?"], "--potency", "IC50 (nM)", "--method", "similarity")
print(p.potency[0] > 5, math.isnan(p.potency[1]), p.report["ranked"], p.columns["predicted_unit"][0])
p = pacia.rank(both := [("CCO", 1), ("CCN", 0)], ["CCCO"], history="past.csv")
print(p.columns["past"], p.columns["past_active"], p.report["trust"]["past"]["assays"])
print(pacia.rank([("CCO", 1)], []))
p = pacia.rank([("CCO", 1), ("CCN", 0)], ["\ud800", "C\0C", "CCCO"], "--method", "similarity")
print([math.isnan(q) for q in p])
for wrong in ([("CCO", 1)], ["C"]), ([("CCO", 1, 2)], ["C"]), (["CCO"], ["C"]), (both, "CCO"), *((both, ["C"], option) for option in
        ("--top=3", "--out", "--help", "--candidates")):
    try:
        print(pacia.rank(*wrong, "--method", "similarity"))
    except ValueError as e:
        print("refused")
`
	want := "nan True [None, 'inside'] None 2\nTrue True ['CCO']\nTrue True 1 nM\n['2'] ['1'] 2\n[]\n[True, True, False]\n" + strings.Repeat("refused\n", 8)
	out, err := exec.Command("python3", "-c", script).CombinedOutput()
	if err != nil || string(out) != want {
		t.Errorf("%s (%v), want\n%s", out, err, want)
	}
}
