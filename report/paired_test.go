package report

import (
	"fmt"
	"math"
	"testing"
)

// TestPairs: pairs are compared on their common tasks, by the figure that all groups have.
func TestPairs(t *testing.T) {
	one := func(v float64) *Spread { return &Spread{N: 1, Mean: v} }
	of := func(label string, values ...float64) Group {
		g := Group{Label: label, Selected: Selected{Last: one(0)}}
		for i, v := range values {
			g.Tasks = append(g.Tasks, Task{Name: fmt.Sprint(i), Selected: Selected{Last: one(v)}})
		}
		return g
	}
	s := Section{Groups: []Group{
		of("a", 0.5, 0.6, 0.7, 0.8, 0.9, 0.5, 0.6, 0.7), of("b", 0.4, 0.4, 0.4, 0.4, 0.4, 0.4, 0.4), of("c", 0.5, 0.6, 0.7, 0.8, 0.9), of("a again", 0.5, 0.6, 0.7, 0.8, 0.9, 0.5, 0.6, 0.7),
	}}
	all := s.pairs()
	if len(all) != 2 {
		t.Fatalf("%+v, want a and b, and b and the copy of a: c has too few tasks, and a equals its copy", all)
	}
	// The sum of ranks of seven positive differences is 28, about two standard deviations above 14.
	p := math.Erfc(14 / math.Sqrt(2*(7*8*15.0/24-2*6.0/48)))
	for i, want := range []paired{{0, 1, "a", "b", 7, 1.8 / 7, p, 2 * p}, {1, 3, "b", "a again", 7, -1.8 / 7, p, 2 * p}} {
		got := all[i]
		if got.i != want.i || got.j != want.j || got.a != want.a || got.b != want.b || got.tasks != want.tasks || math.Abs(got.difference-want.difference) > 1e-12 || math.Abs(got.p-want.p) > 1e-12 || math.Abs(got.holm-want.holm) > 1e-12 {
			t.Errorf("pair %d is %+v, want %+v", i, got, want)
		}
	}
	if table := s.compared(); len(table.Rows) != 2 || table.Rows[0][3] != "25.71" {
		t.Errorf("table %+v", table)
	}
}
