package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// selections are the ways to choose the model, as results.csv has them.
var selections = []struct {
	name string
	of   func(Group) *Spread
	task func(Task) *Spread
}{
	{"last", func(g Group) *Spread { return g.Last }, func(t Task) *Spread { return t.Last }},
	{onValidation, func(g Group) *Spread { return g.Validation }, func(t Task) *Spread { return t.Validation }},
	{bestOnTest, func(g Group) *Spread { return g.Test }, func(t Task) *Spread { return t.Test }},
}

// Ways to choose the model that published figures go with.
const (
	onValidation = "validation"
	bestOnTest   = "best_on_test"
)

// trialColumns are the last ones of every table.
var trialColumns = []string{"support", "metric"}

// size is the cell of a number of support molecules, empty where they are drawn
// otherwise.
func size(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func (t Trial) cells() []string { return []string{size(t.Support), t.Metric} }

// spreadColumns are those of a figure: ci95 is the interval of the mean over tasks.
var spreadColumns = []string{"seeds", "mean", "standard_deviation", "ci95_low", "ci95_high", "lowest_seed", "highest_seed"}

func (s *Spread) cells() []string {
	return []string{strconv.Itoa(s.N), cell(s.Mean), cell(s.Deviation), cell(s.Low), cell(s.High), cell(slices.Min(s.Values)), cell(slices.Max(s.Values))}
}

// cell is a figure in per cent, empty where there is none.
func cell(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(100*v, 'f', 4, 64)
}

func cellOf(v *float64) string {
	if v == nil {
		return ""
	}
	return cell(*v)
}

// writeTable writes a CSV. Names of tasks come from a data set, not from the
// program: a spreadsheet must not take a name for a formula and run it.
func writeTable(w io.Writer, rows [][]string) error {
	for _, row := range rows {
		for i, text := range row {
			if text == "" || !strings.ContainsRune("=+-@\t\r", rune(text[0])) {
				continue
			}
			if _, err := strconv.ParseFloat(text, 64); err != nil {
				row[i] = "'" + text
			}
		}
	}
	return csv.NewWriter(w).WriteAll(rows)
}

// writeResults writes a line for each group and selection, in per cent.
func (r *Report) writeResults(w io.Writer) error {
	rows := [][]string{append(append([]string{"dataset", "shots", "configuration", "selection"}, spreadColumns...),
		"published", "published_standard_deviation", "difference", "source")}
	rows[0] = append(rows[0], trialColumns...)
	for _, s := range r.Sections {
		for _, g := range s.Groups {
			for _, selection := range selections {
				figure := selection.of(g)
				if figure == nil {
					continue
				}
				row := append([]string{s.Dataset, size(s.Shots), g.Label, selection.name}, figure.cells()...)
				if p := g.Published; p != nil && selection.name == p.Source.Selection {
					row = append(row, fmt.Sprint(p.Mean), fmt.Sprint(p.Deviation), strconv.FormatFloat(g.Difference(), 'f', 4, 64), p.Source.Name)
				} else {
					row = append(row, "", "", "", "")
				}
				rows = append(rows, append(row, s.cells()...))
			}
		}
	}
	return writeTable(w, rows)
}

// writeTasks writes a line for each group, test task and selection, in per cent.
func (r *Report) writeTasks(w io.Writer) error {
	rows := [][]string{append(append([]string{"dataset", "shots", "configuration", "task", "selection"}, spreadColumns...), trialColumns...)}
	for _, s := range r.Sections {
		for _, g := range s.Groups {
			for _, t := range g.Tasks {
				for _, selection := range selections {
					if figure := selection.task(t); figure != nil {
						row := append([]string{s.Dataset, size(s.Shots), g.Label, t.Name, selection.name}, figure.cells()...)
						rows = append(rows, append(row, s.cells()...))
					}
				}
			}
		}
	}
	return writeTable(w, rows)
}

func (r *Report) writeRuns(w io.Writer) error {
	rows := [][]string{append([]string{"dataset", "shots", "configuration", "seed", "folder", "episodes", "last", "validation", "best_on_test", "seconds"}, trialColumns...)}
	for _, s := range r.Sections {
		for _, g := range s.Groups {
			for _, run := range g.Runs {
				f := foundIn(run.Summary)
				row := []string{s.Dataset, size(s.Shots), g.Label, strconv.FormatUint(run.Summary.Seed, 10), run.Dir,
					strconv.Itoa(run.Summary.Episodes), cellOf(f.last), cellOf(f.validation), cellOf(f.best),
					strconv.FormatFloat(run.Summary.Seconds, 'f', 1, 64)}
				rows = append(rows, append(row, s.cells()...))
			}
		}
	}
	return writeTable(w, rows)
}
