package main

import (
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pacia/harness/chains"
	"pacia/run/rundir"
)

// TestAdaptivityAndCategories checks that training, pacia eval and FS-Mol's protocol report
// adaptivity and categories, with equal figures for equal measurements. The test tasks have
// the names of a hydrolase and of a kinase of FS-Mol.
func TestAdaptivityAndCategories(t *testing.T) {
	exampleFolder(t)
	put(t, "library.csv", strings.NewReplacer("has_5", "CHEMBL1119333", "has_6", "CHEMBL1243970").Replace(chains.Library()))
	out := trained(t, "run")
	for _, want := range []string{"\nadaptivity of the selected model, that of episode ", "  with swapped labels 0.", "own support  labels swapped  adaptivity", "\nkinases     1      0."} {
		if !strings.Contains(out, want) {
			t.Errorf("the output lacks %q:\n%s", want, out)
		}
	}
	var s rundir.Summary
	text, err := os.ReadFile("run/summary.json")
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	if err != nil || s.Adaptivity == nil || len(s.Categories) != 2 || s.Categories[0].Category != "kinases" || s.PerTask[0].Adaptivity == nil {
		t.Fatalf("summary %+v (%v)", s, err)
	}
	var e evaluation
	if err := json.Unmarshal([]byte(ok(t, "eval", "--checkpoint", "run/best.ckpt", "--json")), &e); err != nil {
		t.Fatal(err)
	}
	if e.Adaptivity == nil || !slices.Equal(e.Adaptivity.Adaptivity, s.Adaptivity.Adaptivity) ||
		!slices.Equal(e.Adaptivity.Foreign, s.Adaptivity.Foreign) || !slices.Equal(e.Adaptivity.Static, s.Adaptivity.Static) ||
		!reflect.DeepEqual(e.Categories[1], s.Categories[1]) || e.Categories[1].Mean[0] != e.Test[0].Values[0] {
		t.Errorf("pacia eval has %+v and %+v, the training %+v and %+v", e.Adaptivity, e.Categories, s.Adaptivity, s.Categories)
	}
	table := ok(t, "eval", "--checkpoint", "run/best.ckpt", "--set", "train.adaptivity_queries=10")
	for _, want := range []string{"\nadaptivity, ROC-AUC, 2 draws of 20 molecules\n", "\nhydrolases  1      0.", "depth", "Adaptivity is the figure"} {
		if !strings.Contains(table, want) {
			t.Errorf("the table lacks %q:\n%s", want, table)
		}
	}
	table = ok(t, "eval", "--checkpoint", "run/best.ckpt", "--results", "tables", "--sizes", "4,8", "--draws", "2")
	for _, want := range []string{"\n8        hydrolases  1      0.", "\nadaptivity, ΔAUPRC\n", "\nadaptivity, ROC-AUC\n", "with 8 support molecules, depth"} {
		if !strings.Contains(table, want) {
			t.Errorf("the table of FS-Mol's protocol lacks %q:\n%s", want, table)
		}
	}
	for _, more := range [][]string{nil, {"--results", "tables", "--sizes", "4", "--draws", "1"}} {
		table = ok(t, append([]string{"eval", "--checkpoint", "run/best.ckpt", "--set", "train.adaptivity=never"}, more...)...)
		if strings.Contains(table, "adaptivity") {
			t.Errorf("adaptivity is off, and printed in\n%s", table)
		}
	}
}
