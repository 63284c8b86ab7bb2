package rundir_test

import (
	"math"
	"testing"

	"pacia/metrics"
	"pacia/run/rundir"
)

// TestByCategory compares means and standard errors with values computed by hand. A task
// belongs to the category of its target, and to a group by the share of its queries that
// the training tasks contain.
func TestByCategory(t *testing.T) {
	known := func(n int, swapped float64) *metrics.Adaptivity {
		return &metrics.Adaptivity{Draws: 1, Queries: 100, Known: n, Swapped: metrics.Values{swapped}}
	}
	tasks := []metrics.Figures{
		{Task: "CHEMBL1119333", Values: metrics.Values{0.5, 0.1}, Adaptivity: known(9, 0.25)},   // a hydrolase
		{Task: "CHEMBL1243967", Values: metrics.Values{0.625, 0.2}, Adaptivity: known(10, 0.5)}, // transferases
		{Task: "CHEMBL1243970", Values: metrics.Values{0.875, 0.4}, Adaptivity: known(90, 0.25)},
		{Task: "my own", Values: metrics.Values{1, 0.5}, Adaptivity: known(100, 0)},
	}
	want := []rundir.CategorySummary{
		{Category: "kinases", Tasks: 2, Mean: metrics.Values{0.75, 0.3}, StandardError: metrics.Values{0, 0.1}},
		{Category: "hydrolases", Tasks: 1, Mean: metrics.Values{0.5, 0.1}, StandardError: metrics.Values{0, 0}},
		{Category: rundir.NewMolecules, Tasks: 1, Mean: metrics.Values{0.5, 0.1}, StandardError: metrics.Values{0, 0}},
		{Category: rundir.SomeKnown, Tasks: 1, Mean: metrics.Values{0.625, 0.2}, StandardError: metrics.Values{0, 0}},
		{Category: rundir.KnownMolecules, Tasks: 2, Mean: metrics.Values{0.9375, 0.45}, StandardError: metrics.Values{0, 0.05}},
	}
	got := rundir.ByCategory(tasks)
	if len(got) != len(want) {
		t.Fatalf("%d groups, want %d: %+v", len(got), len(want), got)
	}
	for i, w := range want {
		g := got[i]
		a := g.Adaptivity
		g.Adaptivity = nil
		// Sums of two numbers below 1.
		if g.Category != w.Category || g.Tasks != w.Tasks ||
			math.Abs(g.Mean[0]-w.Mean[0])+math.Abs(g.Mean[1]-w.Mean[1])+math.Abs(g.StandardError[1]-w.StandardError[1]) > 1e-12 {
			t.Errorf("got %+v, want %+v", g, w)
		}
		if a == nil || a.Draws != w.Tasks {
			t.Errorf("%s: adaptivity %+v", w.Category, a)
		}
	}
	if swapped := got[0].Adaptivity.Swapped[0]; swapped != 0.375 {
		t.Errorf("kinases with swapped labels: %v, want 0.375", swapped)
	}
	// Without the measurement there are only groups of targets. A group of all tasks is
	// left out.
	tasks[3].Adaptivity = nil
	if got := rundir.ByCategory(tasks); len(got) != 2 {
		t.Errorf("without the measurement: %+v", got)
	}
	if got := rundir.ByCategory([]metrics.Figures{{Task: "a", Adaptivity: known(95, 0)}, {Task: "b", Adaptivity: known(99, 0)}}); got != nil {
		t.Errorf("all molecules are known: %+v", got)
	}
}
