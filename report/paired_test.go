package report

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pacia/internal/each"
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
	for i, want := range []paired{{0, 1, "a", "b", 7, 1.8 / 7, p, 2 * p, choice{selection: ofLast}},
		{1, 3, "b", "a again", 7, -1.8 / 7, p, 2 * p, choice{selection: ofLast}}} {
		got := all[i]
		if got.i != want.i || got.j != want.j || got.a != want.a || got.b != want.b || got.tasks != want.tasks || math.Abs(got.difference-want.difference) > 1e-12 || math.Abs(got.p-want.p) > 1e-12 || math.Abs(got.holm-want.holm) > 1e-12 || got.model.selection != want.model.selection {
			t.Errorf("pair %d is %+v, want %+v", i, got, want)
		}
	}
	if table := s.compared(); len(table.Rows()) != 2 || table.Rows()[0][3] != "25.71" || table.Notes[0] != "Of the last model." {
		t.Errorf("table %+v", table)
	}
}

// TestPairsShareTheirModel: models that were chosen in different ways are not compared with each other.
func TestPairsShareTheirModel(t *testing.T) {
	of := func(label string, last, validation bool) Group {
		all := func(v float64) (s Selected) {
			if last {
				s.Last = &Spread{N: 1, Mean: v}
			}
			if validation {
				s.Validation = &Spread{N: 1, Mean: v + 0.1}
			}
			return s
		}
		g := Group{Label: label, Selected: all(0)}
		for i := range 8 {
			g.Tasks = append(g.Tasks, Task{Name: fmt.Sprint(i), Selected: all(0.01 * float64(i*len(label)))})
		}
		return g
	}
	s := Section{Groups: []Group{of("l", true, false), of("vv", false, true), of("llll", true, false), of("both, a", true, true)}}
	var got []string
	for _, row := range s.compared().Rows() {
		got = append(got, row[0]+" "+row[1]+": "+row[6])
	}
	slices.Sort(got)
	want := []string{"l both, a: the last model", "l llll: the last model",
		"llll both, a: the last model", "vv both, a: the model chosen on validation tasks"}
	if !slices.Equal(got, want) {
		t.Errorf("compared are %q,\nwant %q", got, want)
	}
	lines := csvRows(t, &Report{Sections: []Section{s}}, "pairs")
	validation := each.Count(lines, func(line []string) bool { return slices.Contains(line, "validation") })
	if len(lines) != 5 || !strings.HasSuffix(strings.Join(lines[0], ","), "p_holm,selection,support,metric") || validation != 1 {
		t.Errorf("pairs.csv is %q", lines)
	}
}
