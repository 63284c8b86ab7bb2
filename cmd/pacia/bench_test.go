package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"pacia/config"
)

func TestBenchMeasuresEveryPart(t *testing.T) {
	exampleFolder(t)
	var b benchmark
	if err := json.Unmarshal([]byte(ok(t, "bench", "--config", "small.yaml", "--steps", "4", "--json")), &b); err != nil {
		t.Fatal(err)
	}
	if b.Step <= 0 || b.Steps != 4 || b.Evaluation <= 0 || b.Queries != 2*(42-4) || b.Cold <= 0 || b.Warm <= 0 ||
		b.Tensors < 1 || b.PeakRSS < 1e7 || b.Threads != 1 || b.Device != "cpu" {
		t.Errorf("measured %+v", b)
	}
	if text := ok(t, "bench", "--config", "small.yaml", "--steps", "1"); !strings.Contains(text, "76 molecules") {
		t.Errorf("the table lacks the evaluation's 76 molecules:\n%s", text)
	}
	if _, err := os.Stat("cache"); err == nil {
		t.Error("bench filled the user's graph store")
	}
	wantFault(t, "pacia: --steps 0 is out of range; write 1 or more", "bench", "--steps", "0")
}

// TestTimedSettings: methods without training are refused, with the flag that times them, and nothing is trained
// before the first step.
func TestTimedSettings(t *testing.T) {
	exampleFolder(t)
	put(t, "untrained.yaml", "data: {path: library.csv, split: 0-4/5-6}\nmodel: {method: similarity}\ntrain: {episodes: 0}\n")
	wantFault(t, "pacia: model.method=similarity has no training steps to time; write --methods=similarity to time it",
		"bench", "--config", "untrained.yaml")
	var cfg config.Config
	cfg.Model.Method = "pacia"
	cfg.Train.SupervisedEpochs = 300
	if got, err := timedSettings(cfg); err != nil || got.Train.SupervisedEpochs != 0 {
		t.Errorf("%d supervised epochs (%v), want none", got.Train.SupervisedEpochs, err)
	}
}

// TestBenchLeavesWhenAsked checks that a signal ends bench with its exit code, and that its folder is removed.
func TestBenchLeavesWhenAsked(t *testing.T) {
	seconds(t)
	exampleFolder(t)
	for signal, code := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143} {
		temporary := t.TempDir()
		c := exec.Command(os.Args[0], "bench", "--config", "small.yaml", "--steps", "1000000")
		c.Env = append(os.Environ(), asPacia+"=1", "TMPDIR="+temporary)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		found := func(pattern string) int {
			all, _ := filepath.Glob(filepath.Join(temporary, pattern)) // the pattern is well formed
			return len(all)
		}
		for deadline := time.Now().Add(2 * time.Minute); found("*/bench-*") == 0; time.Sleep(10 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatal("bench makes no folder")
			}
		}
		if err := c.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		_ = c.Wait() // the exit code is checked below
		if got := c.ProcessState.ExitCode(); got != code || found("*/bench-*") > 0 {
			t.Errorf("%v: exit code %d, want %d; %d folders are left", signal, got, code, found("*/bench-*"))
		}
	}
}

func TestMedian(t *testing.T) {
	for _, tt := range []struct {
		v    []float64
		want float64
	}{{[]float64{3}, 3}, {[]float64{3, 1}, 2}, {[]float64{9, 1, 2}, 2}, {[]float64{4, 1, 3, 2}, 2.5}} {
		if got := median(tt.v); got != tt.want {
			t.Errorf("median of %v is %v, want %v", tt.v, got, tt.want)
		}
	}
}
