package report

import (
	"math"
	"strings"
	"testing"

	"pacia/report/scores"
)

// ranked returns a task with n molecules; those at the given ranks are active.
func ranked(name string, n int, actives ...int) scores.Task {
	t := scores.Task{Name: name, Labels: make([]uint8, n), Scores: make([]float32, n)}
	for i := range n {
		t.Scores[i] = 1 - float32(i+1)/float32(n+1)
	}
	for _, at := range actives {
		t.Labels[at] = 1
	}
	return t
}

// TestEarlyEnrichment: the table has means over tasks with their intervals, and the file a line for each task.
// The first 1 % of 250 molecules are 3 molecules.
func TestEarlyEnrichment(t *testing.T) {
	s := Section{Trial: Trial{Dataset: "d", Shots: 10},
		Measured: []Measured{{"PACIA", "PACIA", 3, []scores.Task{ranked("a", 250, 0, 3, 4, 60, 100), ranked("b", 250, 0, 1, 2, 3, 249)}}}}
	table := s.earlyEnrichment()
	got := strings.Join(table.Rows()[0], " | ")
	// EF (1/3)/(5/250) and 1/(5/250), BEDROC 0.588 and 0.831 by RDKit; hits 4 and 4.
	if want := "PACIA | 3 | 2 | 2.00 | 33.3 [16.7, 50.0] | 50.0 | 0.709 [0.588, 0.831] | 4.00 [4.00, 4.00] | 2.00"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	rows := csvRows(t, &Report{Sections: []Section{s}}, "enrichment")
	if len(rows) != 3 || rows[1][4] != "a" || rows[1][6] != "5" || rows[1][8] != "16.6667" || rows[2][8] != "50.0000" {
		t.Errorf("enrichment.csv: %q", rows)
	}
}

// TestReliableBins: molecules are counted in the bins of their probabilities, including 0 and 1.
func TestReliableBins(t *testing.T) {
	m := Measured{"PACIA", "PACIA", 0, []scores.Task{{Labels: []uint8{0, 0, 1, 1}, Scores: []float32{0, 0.31, 0.35, 1}}}}
	r := reliable(m)
	if b := r.Bins; len(b) != 3 || b[1].Molecules != 2 || b[1].Active != 0.5 || math.Abs(b[1].Probability-0.33) > 1e-6 || b[0].Probability != 0 || b[2].Active != 1 {
		t.Errorf("bins %+v", r)
	}
	// Half of the molecules are 0.17 from the diagonal.
	if want := ": ECE 0.085, 4 molecules, 50.0 % active"; r.After != want {
		t.Errorf("the legend is %q, want %q", r.After, want)
	}
}

// TestSoleDepth: sole finds the depth that all queries have.
func TestSoleDepth(t *testing.T) {
	for _, tt := range []struct {
		depths []int
		want   int
	}{{[]int{0, 7, 0}, 2}, {[]int{1, 7}, 0}, {[]int{3}, 1}, {nil, 0}} {
		if got := sole(tt.depths); got != tt.want {
			t.Errorf("%v: %d, want %d", tt.depths, got, tt.want)
		}
	}
}
