package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"pacia/config"
	"pacia/run/runconfig"
)

func TestTrainPrintsTheRunAndLeavesItsFiles(t *testing.T) {
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	exampleFolder(t)
	out := trained(t, "run")
	for _, name := range []string{"config.yaml", "metrics.jsonl", "last.ckpt", "best.ckpt", "summary.json"} {
		if _, err := os.Stat(filepath.Join("run", name)); err != nil {
			t.Error(err)
		}
	}
	t.Chdir(here)
	// Losses and times depend on the machine, so that the golden file has placeholders.
	golden(t, "train", mask(out, `depth.* at \d`, `\d+\.\d{4}`, `\d+\.\d (s|min)\b`))
}

func TestTrainDoesNotOverwriteARun(t *testing.T) {
	exampleFolder(t)
	trained(t, "run")
	before, err := os.ReadFile("run/last.ckpt")
	if err != nil {
		t.Fatal(err)
	}
	r := pacia("train", "--config", "small.yaml", "--out", "run")
	if r.code != exitBadInput || !strings.Contains(r.err, "--resume") || strings.Count(r.err, "\n") != 1 {
		t.Errorf("a second run in the folder: exit code %d, %q", r.code, r.err)
	}
	after, err := os.ReadFile("run/last.ckpt")
	if err != nil || string(before) != string(after) {
		t.Errorf("last.ckpt changed (%v)", err)
	}
}

func TestResumeTakesTheSettingsOfTheRun(t *testing.T) {
	seconds(t)
	exampleFolder(t)
	trained(t, "whole")
	trained(t, "parts", "--set", "train.episodes=4")
	out := ok(t, "train", "--resume", "--out", "parts", "--set", "train.episodes=6")
	if !strings.Contains(out, "resumed   after episode 4") {
		t.Errorf("the header lacks the line of the resumed run:\n%s", out)
	}
	if a, b := reached(t, "whole"), reached(t, "parts"); a != b {
		t.Errorf("evaluated with the same seed, the resumed run's model reaches %v, the whole run's %v", b, a)
	}
	r := pacia("train", "--resume", "--out", "parts", "--set", "model.width=13")
	if r.code != exitBadInput || !strings.HasPrefix(r.err, "pacia: parts/last.ckpt: ") || !strings.Contains(r.err, "model.width=12") {
		t.Errorf("resumed with another width: exit code %d, %q", r.code, r.err)
	}
}

// TestResumeWithoutARun checks that a mistyped --out begins no run, and that a command that names its settings does.
func TestResumeWithoutARun(t *testing.T) {
	exampleFolder(t)
	const nothing = ": no run to resume; check --out, or leave out --resume"
	wantFault(t, "pacia: nope"+nothing, "train", "--resume", "--out", "nope")
	wantFault(t, "pacia: nope"+nothing, "train", "--resume", "--out", "nope", "--set", "train.episodes=9", "--set", "threads=1")
	wantFault(t, "pacia: runs/embedded-0"+nothing, "train", "--resume")
	for _, dir := range []string{"nope", "runs"} {
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("a refused command made the folder %s", dir)
		}
	}
	for _, named := range [][]string{{"--config", "small.yaml"}, {"--set", "data.path=none.csv"}} {
		const line = "no run in new yet: begins a new one\n"
		r := pacia(append([]string{"train", "--resume", "--out", "new"}, named...)...)
		if !strings.Contains(r.err, line) || (r.code == 0) != (named[0] == "--config") {
			t.Errorf("%v: exit code %d, %q", named, r.code, r.err)
		}
		_ = os.RemoveAll("new")
	}
}

// TestTrainStartsFromAnotherRun trains with steps that are too small to change a weight, and checks
// that the model has the weights of the other run. Resuming does not need the other run's file.
func TestTrainStartsFromAnotherRun(t *testing.T) {
	seconds(t)
	exampleFolder(t)
	trained(t, "run")
	further := []string{"--set", "train.learning_rate=1e-30", "--set", "seed=5"}
	trained(t, "further", append(further, "--init", "run/last.ckpt", "--set", "train.episodes=2")...)
	want, got := tensors(t, "run/last.ckpt"), tensors(t, "further/last.ckpt")
	for name, values := range want {
		averages := strings.HasSuffix(name, "norm.mean") || strings.HasSuffix(name, "norm.var") // training moves them
		if !averages && !strings.HasPrefix(name, "adam.") && !slices.Equal(got[name], values) {
			t.Errorf("%s is not that of the run it starts from", name)
		}
	}
	r := pacia("train", "--config", "small.yaml", "--out", "wide", "--init", "run/last.ckpt", "--set", "model.width=13")
	if r.code != exitBadInput || !strings.HasPrefix(r.err, `pacia: run/last.ckpt: the weights do not fit train.init: its "encoder.atom" has shape [120 12], the model's [120 13] (and `) ||
		!strings.HasSuffix(r.err, "write model.width=12, as that run had it\n") {
		t.Errorf("another width: exit code %d, %q", r.code, r.err)
	}
	wantFault(t, "pacia: train.init: all weights come from it, and the encoder's from model.pretrained; write one of them",
		"train", "--config", "small.yaml", "--out", "both", "--init", "run/last.ckpt", "--set", "model.pretrained=run/last.ckpt")
	if text, err := os.ReadFile("further/config.yaml"); err != nil || !strings.Contains(string(text), "init: run/last.ckpt") {
		t.Errorf("config.yaml lacks the model that the run starts from (%v):\n%s", err, text)
	}
	if err := os.RemoveAll("run"); err != nil {
		t.Fatal(err)
	}
	ok(t, "train", "--resume", "--out", "further", "--set", "train.episodes=4")
}

// After SIGTERM, which timeout(1) sends twice, the run is saved.
func TestTerminatedRunIsSavedAndSaysHowToGoOn(t *testing.T) {
	exampleFolder(t)
	done := make(chan result)
	go func() {
		done <- pacia("train", "--config", "small.yaml", "--out", "run", "--set", "train.episodes=1000000", "--set", "train.evaluate_every=0")
	}()
	for i := 0; ; i++ { // until steps are made, and signals are caught for certain
		if text, _ := os.ReadFile("run/metrics.jsonl"); strings.Contains(string(text), "\n") {
			break
		}
		if i == 3000 {
			t.Fatal("no step was made within 30 s")
		}
		time.Sleep(10 * time.Millisecond)
	}
	for range 2 {
		if err := syscall.Kill(os.Getpid(), syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
	}
	r := <-done
	if r.code != exitInterrupted || !strings.Contains(r.err, "pacia train --resume --out run continues\n") || strings.Contains(r.err, "Error") {
		t.Errorf("exit code %d, want %d; standard error %q", r.code, exitInterrupted, r.err)
	}
	if _, err := os.Stat("run/last.ckpt"); err != nil {
		t.Error(err)
	}
}

func TestRunsAreNamedAfterWhatTheyWereChosenBy(t *testing.T) {
	cfg := config.Config{Data: runconfig.Data{Path: "a/tox21.csv.gz"}}
	for _, tt := range []struct {
		o    config.Options
		want string
	}{
		{config.Options{}, "tox21"},
		{config.Options{File: "x/config.yaml"}, "tox21"},
		{config.Options{Preset: "tox21-1shot"}, "tox21-1shot"},
		{config.Options{Preset: "tox21-1shot", File: "x/wide.yaml"}, "wide"},
	} {
		if got := runName(tt.o, cfg); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.o, got, tt.want)
		}
	}
}
