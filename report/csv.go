package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"
)

// selections are the ways to choose the model, as results.csv has them.
var selections = []struct {
	name string
	of   func(Group) *Spread
	task func(Task) *Spread
}{
	{"last", func(g Group) *Spread { return &g.Last }, func(t Task) *Spread { return &t.Last }},
	{"validation", func(g Group) *Spread { return g.Validation }, func(t Task) *Spread { return t.Validation }},
	{"best_on_test", func(g Group) *Spread { return &g.Test }, func(t Task) *Spread { return &t.Test }},
}

var spreadColumns = []string{"seeds", "mean", "standard_deviation", "ci95_low", "ci95_high"}

func (s *Spread) cells() []string {
	return []string{strconv.Itoa(s.N), cell(s.Mean), cell(s.Deviation), cell(s.Low), cell(s.High)}
}

// cell is a figure in per cent, empty where there is none.
func cell(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(100*v, 'f', 4, 64)
}

// writeResults writes a line for each group and selection, in per cent.
func (r *Report) writeResults(w io.Writer) error {
	rows := [][]string{append(append([]string{"dataset", "shots", "configuration", "selection"}, spreadColumns...),
		"published", "published_standard_deviation", "difference", "source")}
	for _, s := range r.Sections {
		for _, g := range s.Groups {
			for _, selection := range selections {
				figure := selection.of(g)
				if figure == nil {
					continue
				}
				row := append([]string{s.Dataset, strconv.Itoa(s.Shots), g.Label, selection.name}, figure.cells()...)
				if p := g.Published; p != nil && selection.name == "best_on_test" { // as the published figure is selected
					row = append(row, fmt.Sprint(p.Mean), fmt.Sprint(p.Deviation), strconv.FormatFloat(g.Difference(), 'f', 4, 64), p.Source)
				} else {
					row = append(row, "", "", "", "")
				}
				rows = append(rows, row)
			}
		}
	}
	return csv.NewWriter(w).WriteAll(rows)
}

// writeTasks writes a line for each group, test task and selection, in per cent.
func (r *Report) writeTasks(w io.Writer) error {
	rows := [][]string{append([]string{"dataset", "shots", "configuration", "task", "selection"}, spreadColumns...)}
	for _, s := range r.Sections {
		for _, g := range s.Groups {
			for _, t := range g.Tasks {
				for _, selection := range selections {
					if figure := selection.task(t); figure != nil {
						rows = append(rows, append([]string{s.Dataset, strconv.Itoa(s.Shots), g.Label, t.Name, selection.name}, figure.cells()...))
					}
				}
			}
		}
	}
	return csv.NewWriter(w).WriteAll(rows)
}

// writeRuns writes a line for each run, in per cent.
func (r *Report) writeRuns(w io.Writer) error {
	rows := [][]string{{"dataset", "shots", "configuration", "seed", "folder", "episodes", "last", "validation", "best_on_test", "seconds"}}
	for _, s := range r.Sections {
		for _, g := range s.Groups {
			for _, run := range g.Runs {
				validation := math.NaN()
				if v := run.Summary.AUCValidationSelected; v != nil {
					validation = *v
				}
				rows = append(rows, []string{s.Dataset, strconv.Itoa(s.Shots), g.Label, strconv.FormatUint(run.Summary.Seed, 10), run.Dir,
					strconv.Itoa(run.Summary.Episodes), cell(run.Summary.AUCLast), cell(validation), cell(run.Summary.AUCBestOnTest),
					strconv.FormatFloat(run.Summary.Seconds, 'f', 1, 64)})
			}
		}
	}
	return csv.NewWriter(w).WriteAll(rows)
}
