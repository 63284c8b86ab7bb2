package report

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pacia/report/scores"
)

// TestCosts: both metrics are those of the model chosen on validation tasks. Seconds are medians of the
// measured times, and are missing if none were measured.
func TestCosts(t *testing.T) {
	dir := t.TempDir()
	for seed := range uint64(2) {
		fake(t, filepath.Join(dir, "with"+string(rune('0'+seed))), seed, "train.metric=delta_auprc")
		fake(t, filepath.Join(dir, "without"+string(rune('0'+seed))), seed, "train.metric=delta_auprc", "model.adapt.encoder=none")
	}
	r, err := Read([]string{filepath.Join(dir, "with0"), filepath.Join(dir, "with1"), filepath.Join(dir, "without0"), filepath.Join(dir, "without1")}, false)
	if err != nil {
		t.Fatal(err)
	}
	s := &r.Sections[0]
	g := &s.Groups[0]
	g.Runs[0].Summary.Total, g.Runs[0].Summary.Adaptive, g.Runs[1].Summary.Seconds = 3280000, 3000, 140
	timed := func(queries int, adapting, ranking time.Duration) scores.Task {
		return scores.Task{Scores: make([]float32, queries), Adapting: adapting, Ranking: ranking}
	}
	s.Measured = []Measured{{Label: g.Label, Tasks: []scores.Task{
		timed(500, 40*time.Millisecond, time.Second), timed(250, 20*time.Millisecond, time.Second), timed(1000, 30*time.Millisecond, time.Second), timed(10, 0, 0),
	}}}
	table := s.costs().Rows()
	for i, want := range []string{
		"2 | 80.50 ± 0.71 [80.50, 80.50] | 30.50 ± 0.71 [30.50, 30.50] | 3,280,000 | 3,000 | 120 | 0.03 | 2",
		"2 | 80.50 ± 0.71 [80.50, 80.50] | 30.50 ± 0.71 [30.50, 30.50] | 0 | 0 | 100 | – | –",
	} {
		if got := strings.Join(table[i][1:], " | "); got != want {
			t.Errorf("row %d\ngot  %s\nwant %s", i, got, want)
		}
	}
	rows := csvRows(t, r, "costs")
	if len(rows) != 3 {
		t.Fatalf("costs.csv: %q", rows)
	}
	of := func(row int, column string) string { return rows[row][slices.Index(rows[0], column)] }
	if of(1, "adapting_seconds") != "0.03" || of(1, "ranking_1000_seconds") != "2" || of(2, "ranking_1000_seconds") != "" || of(1, "delta_auprc") != "30.5000" {
		t.Errorf("costs.csv: %q", rows)
	}
}

// TestCostsOfLittle: a run of a version before ΔAUPRC has no second metric, and a run without training has no
// training time.
func TestCostsOfLittle(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	fake(t, dir, 0)
	r, err := Read([]string{dir}, false)
	if err != nil {
		t.Fatal(err)
	}
	s := &r.Sections[0]
	s.Groups[0].Runs[0].Summary.Episodes = 0
	got := strings.Join(s.costs().Rows()[0][2:], " | ")
	if want := "80.00 [80.00, 80.00] | – | 0 | 0 | – | – | –"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if rows := csvRows(t, r, "costs"); slices.ContainsFunc(rows, func(row []string) bool { return slices.Contains(row, "NaN") }) {
		t.Errorf("costs.csv: %q", rows)
	}
}
