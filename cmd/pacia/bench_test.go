package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

func TestBenchMeasuresEveryPart(t *testing.T) {
	workplace(t)
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
