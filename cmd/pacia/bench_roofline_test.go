package main

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
)

// TestRoofline of a run of small.yaml: 2 tasks of 4 support molecules and 4 queries each.
func TestRoofline(t *testing.T) {
	workplace(t)
	var r roof
	if err := json.Unmarshal([]byte(ok(t, "bench", "--config", "small.yaml", "--roofline", "--gpu", "a100", "--json")), &r); err != nil {
		t.Fatal(err)
	}
	s := r.Sizes
	if s.Tasks != 2 || s.Support != 4 || s.Queries != 8 || s.Layers != 2 || s.Width != 12 || s.NodeWidth != 8 || s.Atoms == 0 || s.Parameters == 0 {
		t.Errorf("sizes are %+v", s)
	}
	launches, seconds := 0, 0.0
	for _, l := range r.Lines {
		launches, seconds = launches+l.Launches, seconds+l.Float
	}
	if launches != r.Launches || launches == 0 || math.Abs(seconds-r.Float) > 1e-12 || r.TF32 > r.Float || r.Products > r.GFLOP {
		t.Errorf("%d launches and %v s in lines, the sums are %+v", launches, seconds, r)
	}
	if text := ok(t, "bench", "--config", "small.yaml", "--roofline", "--gpu", "h100"); !strings.Contains(text, "on h100") ||
		!strings.Contains(text, "2 tasks") {
		t.Errorf("the table is\n%s", text)
	}
	for _, c := range []struct{ more, want string }{
		{"--gpu=mine", "rtx3090"},
		{"--set=model.encoder=gcn", "model.encoder=gin"},
		{"--scaling", "two runs"},
	} {
		refused(t, c.want, "bench", "--config", "small.yaml", "--roofline", c.more)
	}
}
