package main

import (
	"os"
	"strings"
	"testing"
)

// plain are settings of a run that takes a second, of a method without a relation graph.
const plain = `
threads: 1
data: {path: library.csv, split: 0-4/5-6, cache: cache}
model: {encoder: fingerprint, layers: 1, width: 12, dropout: 0}
episode: {shots: 1, queries: 4}
train: {episode_unit: step, episodes: 6, tasks_per_step: 2, evaluate_every: 3, checkpoint_every: 2, validation_tasks: 3, evaluation_draws: 8}
`

// TestCalibrate: a model of the method kernel is calibrated on its validation tasks and
// written with the slope and the offset, its memory and no path of this machine; a model
// that is calibrated stays as it is.
func TestCalibrate(t *testing.T) {
	workplace(t)
	put(t, "plain.yaml", plain)
	run := func(method string) {
		ok(t, "train", "--config", "plain.yaml", "--out", method, "--set", "model.method="+method)
	}
	run("kernel")
	out := ok(t, "calibrate", "--checkpoint", "kernel/best.ckpt", "--half", "--out", "model.safetensors", "--sizes", "4", "--diagram", "reliability.svg", "--set", "threads=1")
	if svg, err := os.ReadFile("reliability.svg"); err != nil || !strings.Contains(string(svg), "predicted probability") {
		t.Errorf("the diagram is %.80q (%v)", svg, err)
	}
	for _, want := range []string{"slope ", "validation, 3 tasks: expected calibration error 0.", "test, 4 support molecules, 2 tasks: expected", "model.safetensors: "} {
		if !strings.Contains(out, want) {
			t.Errorf("calibrate says %q, without %q", out, want)
		}
	}
	if again := ok(t, "calibrate", "--checkpoint", "model.safetensors", "--out", "again.safetensors", "--set", "threads=1"); !strings.Contains(again, "slope 1.0") {
		t.Errorf("a calibrated model is calibrated once more: %q", again)
	}
	run("proto")
	wantFault(t, "pacia: model.method: proto has no slope and offset; pacia export writes its model", "calibrate", "--checkpoint", "proto/best.ckpt", "--out", "x")
	wantFault(t, "pacia: --diagram \"d.jpg\" ends in neither .svg nor .png; write one of these", "calibrate", "--checkpoint", "proto/best.ckpt", "--out", "x", "--diagram", "d.jpg")
	wantFault(t, "pacia: --diagram x.svg would overwrite x.svg; write another name", "calibrate", "--checkpoint", "proto/best.ckpt", "--out", "x.svg", "--diagram", "x.svg")
	wantFault(t, "pacia: pacia calibrate needs --checkpoint; write --checkpoint FILE: trained model, a FILE such as best.ckpt", "calibrate", "--out", "x")
}
