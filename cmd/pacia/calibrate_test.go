package main

import (
	"encoding/csv"
	"math"
	"os"
	"strings"
	"testing"

	"pacia/config"
	"pacia/harness/chains"
	"pacia/internal/safetensors"
	"pacia/metrics"
	"pacia/model"
)

// plain holds settings of a run that takes a second, with a method without a relation graph.
const plain = `
threads: 1
data: {path: library.csv, split: 0-4/5-6, cache: cache}
model: {encoder: fingerprint, layers: 1, width: 12, dropout: 0}
episode: {shots: 1, queries: 4}
train: {episode_unit: step, episodes: 6, tasks_per_step: 2, evaluate_every: 3, checkpoint_every: 2, validation_tasks: 3, evaluation_draws: 8}
`

// TestCalibrate checks that a model of the method kernel is calibrated on its validation tasks. Its
// file has the slope, the offset and the memory, and no path of this machine. A calibrated model
// stays as it is.
func TestCalibrate(t *testing.T) {
	seconds(t)
	exampleFolder(t)
	put(t, "plain.yaml", plain)
	run := func(method string) {
		ok(t, "train", "--config", "plain.yaml", "--out", method, "--set", "model.method="+method)
	}
	run("kernel")
	out := ok(t, "calibrate", "--checkpoint", "kernel/best.ckpt", "--half", "--out", "model.safetensors",
		"--sizes", "4,256", "--diagram", "reliability.svg", "--set", "threads=1")
	if svg, err := os.ReadFile("reliability.svg"); err != nil || !strings.Contains(string(svg), "predicted probability") {
		t.Errorf("the diagram is %.80q (%v)", svg, err)
	}
	for _, want := range []string{"slope ", "validation, 3 tasks: expected calibration error 0.",
		"test, 4 support molecules, 2 tasks: expected",
		"test, 256 support molecules: not measured, because no task is large enough\n", "model.safetensors: "} {
		if !strings.Contains(out, want) {
			t.Errorf("calibrate prints %q, without %q", out, want)
		}
	}
	if again := ok(t, "calibrate", "--checkpoint", "model.safetensors", "--out", "again.safetensors", "--set", "threads=1"); !strings.Contains(again, "slope 1.0") {
		t.Errorf("a calibrated model is calibrated once more: %q", again)
	}
	wantFault(t, "pacia: --sizes 1: a support set has two classes; write 2 or more", "calibrate",
		"--checkpoint", "kernel/best.ckpt", "--out", "x", "--sizes", "1")
	run("proto")
	wantFault(t, "pacia: model.method: proto has no slope and offset; pacia export writes its model", "calibrate", "--checkpoint", "proto/best.ckpt", "--out", "x")
	wantFault(t, "pacia: --diagram \"d.jpg\" has another ending than .svg, .pdf, .png; write one of these", "calibrate", "--checkpoint", "proto/best.ckpt", "--out", "x", "--diagram", "d.jpg")
	wantFault(t, "pacia: --diagram x.svg would overwrite x.svg; write another name", "calibrate", "--checkpoint", "proto/best.ckpt", "--out", "x.svg", "--diagram", "x.svg")
	wantFault(t, "pacia: pacia calibrate needs --checkpoint; write --checkpoint FILE: trained model, a FILE such as best.ckpt", "calibrate", "--out", "x")
}

// TestFit checks that a slope that no model file can hold is refused, with its reason.
func TestFit(t *testing.T) {
	cfg, err := config.Default(model.Paper, "kernel")
	if err != nil {
		t.Fatal(err)
	}
	own := cfg.Model.Own.(model.WithCalibration)
	graded := func(scale float64) (all []metrics.Graded) {
		for i := range 40 {
			label := uint8(i % 2)
			if i%10 == 0 {
				label = 1 - label
			}
			all = append(all, metrics.Graded{Score: scale * (float64(i%2) + 0.01*float64(i)), Label: label, Weight: 1.0 / 20})
		}
		return all
	}
	for _, c := range []struct {
		all  []metrics.Graded
		want string
	}{
		{graded(1), ""},
		{graded(-1), "calibration: the scores rank the validation tasks worse than chance: the best slope is -"},
		{graded(1e-9), "calibration: model.slope: "},
		{nil, "calibration: no validation task has molecules left beside its support set; set smaller"},
	} {
		fitted, err := fit(c.all, own, cfg.Model)
		if (err == nil) != (c.want == "") || (err != nil && !strings.HasPrefix(err.Error(), c.want)) {
			t.Errorf("%+v (%v), want %q", fitted, err, c.want)
		}
	}
	if n := tasksOf(graded(1)); n != 2 {
		t.Errorf("%d tasks, want 2", n)
	}
}

// TestCalibrateByValues checks that with a table of values the model remembers ranks, in the order of the labels.
func TestCalibrateByValues(t *testing.T) {
	exampleFolder(t)
	put(t, "plain.yaml", plain)
	ok(t, "train", "--config", "plain.yaml", "--out", "kernel", "--set", "model.method=kernel")
	rows, err := csv.NewReader(strings.NewReader(chains.Library())).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var table strings.Builder
	table.WriteString("fold\ttask\tsmiles\tactive\tlog_value\tvalue\trelation\n")
	for i, row := range rows[1:] {
		for c, cell := range row {
			if cell == "0" || cell == "1" {
				value := cell + "." + strings.Repeat("1", i%4)
				cells := []string{"train", rows[0][c], row[smilesAt(rows[0])], cell, value, "", "="}
				table.WriteString(strings.Join(cells, "\t") + "\n")
			}
		}
	}
	put(t, "values.tsv", table.String())
	ok(t, "calibrate", "--checkpoint", "kernel/best.ckpt", "--out", "labels.safetensors", "--set", "threads=1")
	ok(t, "calibrate", "--checkpoint", "kernel/best.ckpt", "--out", "ranks.safetensors", "--set", "threads=1",
		"--values", "values.tsv")
	labels, ranks := remembers(t, "labels.safetensors"), remembers(t, "ranks.safetensors")
	if len(labels) == 0 || len(labels) != len(ranks) {
		t.Fatalf("%d labels, and %d with values", len(labels), len(ranks))
	}
	for i, l := range labels {
		if whole, rank := math.Modf(float64(ranks[i])); whole != float64(l) || rank == 0 {
			t.Errorf("label %d is %v, with values %v", i, l, ranks[i])
		}
	}
	put(t, "none.tsv", strings.ReplaceAll(table.String(), "train\t", "test\t"))
	r := pacia("calibrate", "--checkpoint", "kernel/best.ckpt", "--out", "x", "--set", "threads=1", "--values", "none.tsv")
	if r.code != exitBadInput || !strings.Contains(r.err, "none.tsv: no row of the part train is of the assay ") {
		t.Errorf("a table without the training tasks: %q", r.err)
	}
}

func smilesAt(header []string) int {
	for i, name := range header {
		if strings.EqualFold(name, "smiles") {
			return i
		}
	}
	return 0
}

// remembers returns the labels that a model file keeps.
func remembers(t *testing.T, path string) []float32 {
	t.Helper()
	f, err := safetensors.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, tensor := range f.Tensors {
		if tensor.Name == "memory.labels" {
			values, err := tensor.Read()
			if err != nil {
				t.Fatal(err)
			}
			return values
		}
	}
	return nil
}
