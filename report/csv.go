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

// selections are the ways to choose the model, with their names in results.csv.
var selections = []struct {
	name string
	of   func(Selected) *Spread
}{
	{ofLast, func(s Selected) *Spread { return s.Last }},
	{onValidation, func(s Selected) *Spread { return s.Validation }},
	{bestOnTest, func(s Selected) *Spread { return s.Test }},
}

// The ways to choose the model.
const (
	ofLast       = "last"
	onValidation = "validation"
	bestOnTest   = "best_on_test"
)

// size formats the cell of a number of support molecules. It is empty for 0: the other of shots and
// support applies.
func size(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// spreadColumns are the columns of a Spread; ci95 is the interval of the mean over tasks.
var spreadColumns = []string{"seeds", "mean", "standard_deviation", "ci95_low", "ci95_high", "lowest_seed", "highest_seed"}

func (s *Spread) cells() []string {
	return []string{strconv.Itoa(s.N), cell(s.Mean), cell(s.Deviation), cell(s.Low), cell(s.High), cell(slices.Min(s.Values)), cell(slices.Max(s.Values))}
}

// cell formats a figure in per cent; it is empty for NaN.
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

// writeTable writes rows as CSV. Names of tasks come from data sets and may look like formulas: an
// apostrophe before them keeps spreadsheets from evaluating them.
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

// A rower adds a row of a configuration to a table.
type rower func(configuration string, cells ...string)

// writeSections writes a table of all sections. Every row begins with the data set, the shots
// and the configuration, and ends with the size of support sets and the metric.
func (r *Report) writeSections(w io.Writer, columns []string, fill func(Section, rower)) error {
	rows := [][]string{slices.Concat([]string{"dataset", "shots", "configuration"}, columns, []string{"support", "metric"})}
	for _, s := range r.Sections {
		fill(s, func(configuration string, cells ...string) {
			rows = append(rows, slices.Concat([]string{s.Dataset, size(s.Shots), configuration}, cells, []string{size(s.Support), s.Metric}))
		})
	}
	return writeTable(w, rows)
}

// writeResults writes a line for each group and selection, in per cent.
func (r *Report) writeResults(w io.Writer) error {
	columns := slices.Concat([]string{"selection"}, spreadColumns, []string{"published", "published_standard_deviation", "difference", "source"})
	return r.writeSections(w, columns, func(s Section, row rower) {
		for _, g := range s.Groups {
			for _, selection := range selections {
				figure := selection.of(g.Selected)
				if figure == nil {
					continue
				}
				published := make([]string, 4)
				if p := g.Published; p != nil && selection.name == p.Source.Selection {
					published = []string{fmt.Sprint(p.Mean), fmt.Sprint(p.Deviation), strconv.FormatFloat(g.Difference(), 'f', 4, 64), p.Source.Name}
				}
				row(g.Label, slices.Concat([]string{selection.name}, figure.cells(), published)...)
			}
		}
	})
}

// writeTasks writes a line for each group, test task and selection, in per cent.
func (r *Report) writeTasks(w io.Writer) error {
	return r.writeSections(w, append([]string{"task", "selection"}, spreadColumns...), func(s Section, row rower) {
		for _, g := range s.Groups {
			for _, t := range g.Tasks {
				for _, selection := range selections {
					if figure := selection.of(t.Selected); figure != nil {
						row(g.Label, append([]string{t.Name, selection.name}, figure.cells()...)...)
					}
				}
			}
		}
	})
}

func (r *Report) writeRuns(w io.Writer) error {
	columns := []string{"seed", "folder", "episodes", "last", "validation", "best_on_test", "seconds"}
	return r.writeSections(w, columns, func(s Section, row rower) {
		for _, g := range s.Groups {
			for _, run := range g.Runs {
				f := foundIn(run.Summary)
				row(g.Label, strconv.FormatUint(run.Summary.Seed, 10), run.Dir,
					strconv.Itoa(run.Summary.Episodes), cellOf(f.last), cellOf(f.validation), cellOf(f.best),
					strconv.FormatFloat(run.Summary.Seconds, 'f', 1, 64))
			}
		}
	})
}
