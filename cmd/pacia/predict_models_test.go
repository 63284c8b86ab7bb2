package main

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pacia/data"
	"pacia/run/checkpoint"
)

// TestPredictWithSeveralModels checks that a model together with itself gives the probabilities of the
// model alone, with a spread of 0. With another model, probabilities are means, and spreads |a − b|/√2.
func TestPredictWithSeveralModels(t *testing.T) {
	exampleFolder(t)
	trained(t, "run")
	ok(t, "train", "--config", "small.yaml", "--set", "seed=7", "--out", "other")
	put(t, "labelled.csv", "smiles,active\nCCO,1\nCCCO,1\nCCN,0\n")
	predicted := func(models ...string) map[string][2]float64 {
		args := []string{"predict", "--support", "labelled.csv", "--candidates", "library.csv", "--out", "ranked.csv"}
		for _, m := range models {
			args = append(args, "--checkpoint", m+"/best.ckpt")
		}
		out := ok(t, args...)
		several := strings.Contains(out, "mean of 2 models: ")
		if several != (len(models) == 2) || !strings.Contains(out, models[0]+"/best.ckpt: trained on ") {
			t.Errorf("%v: the report is\n%s", models, out)
		}
		rows := readCSV(t, "ranked.csv")
		p, s := slices.Index(rows[0], "probability"), slices.Index(rows[0], "spread")
		if (s >= 0) != (len(models) > 1) {
			t.Errorf("%v: columns %v", models, rows[0])
		}
		all := map[string][2]float64{}
		for _, row := range rows[1:] {
			v := [2]float64{}
			v[0], _ = strconv.ParseFloat(row[p], 64)
			if s >= 0 {
				v[1], _ = strconv.ParseFloat(row[s], 64)
			}
			all[row[0]] = v
		}
		return all
	}
	a, b, twice, both := predicted("run"), predicted("other"), predicted("run", "run"), predicted("run", "other")
	differ := 0.0
	for smiles := range a {
		if twice[smiles] != [2]float64{a[smiles][0], 0} {
			t.Errorf("%s: %v twice, %v alone", smiles, twice[smiles], a[smiles])
		}
		difference := math.Abs(a[smiles][0] - b[smiles][0])
		want := [2]float64{(a[smiles][0] + b[smiles][0]) / 2, difference / math.Sqrt2}
		// Tables have six digits of a probability and three of a spread.
		if got := both[smiles]; math.Abs(got[0]-want[0]) > 2e-6 || math.Abs(got[1]-want[1]) > 2e-6+0.005*want[1] {
			t.Errorf("%s: %v of both, want %v", smiles, got, want)
		}
		differ = max(differ, difference)
	}
	if len(a) < 40 || differ < 1e-3 {
		t.Errorf("%d molecules, the models differ by %v at most: nothing was compared", len(a), differ)
	}
}

// TestPredictWithModelsOfVectors: if one of two models compares vectors of MiniMol, both read molecules that have them. A first
// pass without vectors is possible unless the encoder of one reads them.
func TestPredictWithModelsOfVectors(t *testing.T) {
	seconds(t)
	shipped, err := filepath.Abs("../../weights/fsmol.safetensors")
	if err != nil {
		t.Fatal(err)
	}
	exampleFolder(t)
	trained(t, "counts", "--set", "model.encoder=fingerprint")
	trained(t, "joined", "--set", "model.encoder=minimol+fingerprint")
	put(t, "labelled.csv", "smiles,active\nCCO,1\nCCCO,1\nCCN,0\n")
	predicted := func(refine string, models ...string) (probabilities []float64) {
		args := []string{"predict", "--support", "labelled.csv", "--candidates", "library.csv", "--out", "ranked.csv"}
		if refine != "" {
			args = append(args, "--refine", refine)
		}
		ok(t, append(args, several(models...)...)...)
		rows := readCSV(t, "ranked.csv")
		p := slices.Index(rows[0], "probability")
		slices.SortFunc(rows[1:], func(a, b []string) int { return strings.Compare(a[0], b[0]) })
		for _, row := range rows[1:] {
			value, _ := strconv.ParseFloat(row[p], 64)
			probabilities = append(probabilities, value)
		}
		return probabilities
	}
	for _, file := range []string{"counts/best.ckpt", "joined/best.ckpt"} {
		one, other := predicted("", file), predicted("0", shipped)
		for _, both := range [][]float64{predicted("", file, shipped), predicted("", shipped, file)} {
			for i := range both {
				if want := (one[i] + other[i]) / 2; math.Abs(both[i]-want) > 2e-6 {
					t.Errorf("%s: row %d is %v, want %v", file, i, both[i], want)
				}
			}
		}
	}
	if all := predicted("5", "counts/best.ckpt", shipped); slices.Equal(all, predicted("0", "counts/best.ckpt", shipped)) {
		t.Error("a first pass has vectors of all molecules")
	}
	wantFault(t, "pacia: --refine has no effect: an encoder reads vectors of MiniMol of every molecule; leave it out",
		append([]string{"predict", "--support", "labelled.csv", "--candidates", "library.csv", "--out", "ranked.csv", "--refine", "5"},
			several(shipped, "joined/best.ckpt")...)...)
}

// TestPredictPicksDiverseMolecules checks that no more molecules of a small library are picked than
// --diverse sets. The first pick is the best molecule that is not in the support set, and --top keeps all
// picks in the table.
func TestPredictPicksDiverseMolecules(t *testing.T) {
	exampleFolder(t)
	put(t, "labelled.csv", "smiles,active\nCCCCO,1\nCCCCN,0\n")
	put(t, "candidates.csv", "smiles\nOCCCC\nCCCCCO\nCCCCCCO\nCCCCCCCO\nc1ccccc1O\nCCCCCN\nFC(F)(F)S\n")
	args := []string{"predict", "--method", "similarity", "--support", "labelled.csv", "--candidates", "candidates.csv", "--out", "ranked.csv", "--diverse", "3"}
	if out := ok(t, args...); !strings.Contains(out, "\npicks    3 dissimilar molecules of the first 4: column pick\n") {
		t.Errorf("the report does not describe the picks:\n%s", out)
	}
	picked := func() (picks []string, rows int) {
		all := readCSV(t, "ranked.csv")
		at := slices.Index(all[0], "pick")
		picks = make([]string, 3)
		for _, row := range all[1:] {
			if row[at] != "" {
				place, _ := strconv.Atoi(row[at])
				picks[place-1] = row[0]
			}
		}
		return picks, len(all) - 1
	}
	all, rows := picked()
	if rows != 7 || all[0] != "CCCCCO" || slices.Contains(all, "OCCCC") || slices.Contains(all, "") {
		t.Errorf("picks %v of %d rows", all, rows)
	}
	ok(t, append(args, "--top", "1")...)
	if first, rows := picked(); !slices.Equal(first, all) || rows != 4 {
		t.Errorf("with --top 1 picks %v of %d rows, want %v and the first one", first, rows, all)
	}
}

// TestPredictWithTheModelThatShips needs no file but the user's two.
func TestPredictWithTheModelThatShips(t *testing.T) {
	exampleFolder(t)
	put(t, "labelled.csv", "smiles,active\nCCO,1\nCCN,0\n")
	args := []string{"predict", "--support", "labelled.csv", "--candidates", "library.csv", "--out", "ranked.csv"}
	if out := ok(t, args...); !strings.HasPrefix(out, "model    the model that ships: trained on ") {
		t.Errorf("the report does not begin with the model:\n%s", out)
	}
	if n := len(readCSV(t, "ranked.csv")) - 1; n != 42 {
		t.Errorf("%d ranked molecules, want all 42 of the library", n)
	}
}

// TestADemonstrationSaysSo checks that the report describes a model of the embedded data set as a
// demonstration: its substructures are not assays.
func TestADemonstrationSaysSo(t *testing.T) {
	for _, c := range []struct {
		method, path, want string
	}{
		{"pacia", data.Embedded, "best.ckpt: trained on the embedded substructures: a demonstration, not for real assays"},
		{"pacia", "tox21.csv", "best.ckpt: trained on 2 tasks of tox21"},
		{"forest", data.Embedded, "best.ckpt: forest, which learns from the support set alone"},
	} {
		meta := checkpoint.Meta{Dataset: "tox21", Tasks: checkpoint.TaskNames{Train: []string{"a", "b"}}}
		meta.Config.Model.Method, meta.Config.Data.Path = c.method, c.path
		if got := origin("best.ckpt", meta); got != c.want {
			t.Errorf("%s on %s: %q, want %q", c.method, c.path, got, c.want)
		}
	}
}

// TestPredictByAMethodWithoutTraining checks that similarity finds molecules like the actives, and
// that known outcomes are counted.
func TestPredictByAMethodWithoutTraining(t *testing.T) {
	exampleFolder(t)
	put(t, "labelled.csv", "smiles,active\nCCCCO,1\nCCCCN,0\n")
	var candidates, known strings.Builder
	candidates.WriteString("smiles\nCCCCCS\n") // of unknown activity
	known.WriteString("smiles,active\n")
	for n := range 15 {
		chain := strings.Repeat("C", 5+n)
		fmt.Fprintf(&candidates, "%sN\n%sO\n", chain, chain)
		fmt.Fprintf(&known, "N%s,0\n%sO,1\n", chain, chain) // amines are written the other way
	}
	put(t, "candidates.csv", candidates.String())
	put(t, "known.csv", known.String())
	out := ok(t, "predict", "--method", "similarity", "--support", "labelled.csv", "--candidates", "candidates.csv", "--outcome", "known.csv", "--out", "ranked.csv")
	for _, want := range []string{
		"model    similarity, which learns from the support set alone\n",
		"hits     15 of the first 20 are active; by chance 10.0, as 15 of 30 are\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("the report lacks %q:\n%s", want, out)
		}
	}
	if first := readCSV(t, "ranked.csv")[1][0]; !strings.HasSuffix(first, "O") {
		t.Errorf("%s is ranked first", first)
	}
	put(t, "measured.csv", "smiles,IC50\nCCCCO,0.5\nCCCCN,5\n") // whose threshold is not one of the labels
	r := pacia("predict", "--method", "similarity", "--support", "measured.csv", "--active-below", "1",
		"--candidates", "candidates.csv", "--outcome", "known.csv", "--out", "ranked.csv")
	if !strings.Contains(r.out, "15 of the first 20 are active;") || !strings.Contains(r.err, `known.csv: warning: column "active" holds labels`) {
		t.Errorf("labels beside measurements:\n%s%s", r.err, r.out)
	}
	wantFault(t, `pacia: --method "pacia" is not a method without training; write `+strings.Join(untrained(), ", "),
		"predict", "--method", "pacia", "--support", "labelled.csv", "--candidates", "candidates.csv", "--out", "ranked.csv")
}

// TestSettingsOfMethodsWithoutTraining checks that --set changes their settings, unless the method
// then needs training.
func TestSettingsOfMethodsWithoutTraining(t *testing.T) {
	exampleFolder(t)
	put(t, "s.csv", "smiles,active\nCCCCO,1\nCCCCN,0\n")
	put(t, "l.csv", "smiles\nCCCCCO\nCCCCCN\n")
	args := func(method string, set ...string) []string {
		all := []string{"predict", "--method", method, "--support", "s.csv", "--candidates", "l.csv", "--out", "ranked.csv"}
		for _, s := range set {
			all = append(all, "--set", s)
		}
		return all
	}
	ranked := func(args []string) string {
		ok(t, args...)
		return fmt.Sprint(readCSV(t, "ranked.csv"))
	}
	counts, vectors := ranked(args("probe")), ranked(args("probe", "model.encoder=minimol"))
	if counts == vectors || !strings.Contains(vectors, "CCCCCO 1 ") {
		t.Errorf("the probe on vectors of MiniMol ranks\n%s\nand on counts\n%s", vectors, counts)
	}
	if five, hundred := ranked(args("forest", "model.trees=5")), ranked(args("forest")); five == hundred {
		t.Error("five trees rank as a hundred")
	}
	const want = "pacia: --method probe: settings below model. make it another method, or one that needs training; " +
		"leave out model.method and model.vectors"
	wantFault(t, want, args("probe", "model.method=gp")...)
	wantFault(t, want, args("probe", "model.vectors=taught", "train.episodes=1")...)
}
