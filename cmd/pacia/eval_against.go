package main

import (
	"fmt"
	"slices"
	"strings"

	"pacia/data/source/fsmol"
	"pacia/internal/badinput"
	"pacia/internal/ui"
	"pacia/metrics"
	"pacia/run/rundir"
)

// A pairedScore compares a model with another one, with support sets of one size. The difference
// is the mean, over the tasks that both have, of this model's ΔAUPRC minus the other's.
type pairedScore struct {
	Method        string                   `json:"method"`
	Support       int                      `json:"support"`
	Tasks         int                      `json:"tasks"`
	DeltaAUPRC    float64                  `json:"delta_auprc_there"`
	Difference    float64                  `json:"difference"`
	StandardError float64                  `json:"difference_standard_error"` // over the tasks; 0 of one task
	Categories    []rundir.CategorySummary `json:"categories,omitempty"`      // delta_auprc is the difference
}

// compare pairs the model's tasks with other results, which were read from path.
func (b *protocolTest) compare(path string, records []fsmol.Record) error {
	for _, size := range b.Sizes {
		here := b.found(size.Support)
		for _, r := range records {
			if r.Support == size.Support {
				if p := paired(here, r); p.Tasks > 0 {
					b.Against = append(b.Against, p)
				}
			}
		}
	}
	if len(b.Against) == 0 {
		return &badinput.Error{
			File: path, What: "no task and size is in these results and among the test tasks", Fix: "compare results of the same tasks",
		}
	}
	return nil
}

// paired returns the differences of the tasks' figures to those of a record.
func paired(here []metrics.Figures, r fsmol.Record) pairedScore {
	p, delta := pairedScore{Method: r.Method, Support: r.Support}, metrics.Index(metrics.NameDeltaAUPRC)
	var less []metrics.Figures
	for _, f := range here {
		if there, ok := r.DeltaAUPRC(f.Task); ok {
			p.DeltaAUPRC += there
			f.Values = slices.Clone(f.Values)
			f.Values[delta] -= there
			less = append(less, f)
		}
	}
	if p.Tasks = len(less); p.Tasks == 0 {
		return p
	}
	p.DeltaAUPRC /= float64(p.Tasks)
	p.Difference, p.StandardError = metrics.Mean(less)[delta], metrics.StandardError(less)[delta]
	p.Categories = rundir.ByCategory(less)
	return p
}

// writeAgainst prints the differences, a column for each group of tasks.
func (b *protocolTest) writeAgainst(w *ui.Table) {
	if len(b.Against) == 0 {
		return
	}
	var groups []string
	for _, p := range b.Against {
		for _, c := range p.Categories {
			if !slices.Contains(groups, c.Category) {
				groups = append(groups, c.Category)
			}
		}
	}
	w.Line("\nΔAUPRC here less there, paired over the tasks ± standard error")
	w.Line("against\tsupport\ttasks\tthere\tall\t%s", strings.Join(groups, "\t"))
	for _, p := range b.Against {
		cells := []string{p.Method, fmt.Sprint(p.Support), fmt.Sprint(p.Tasks), fmt.Sprintf("%.4f", p.DeltaAUPRC)}
		cells = append(cells, difference(p.Difference, p.StandardError, p.Tasks))
		for _, group := range groups {
			cell := "-"
			if i := slices.IndexFunc(p.Categories, func(c rundir.CategorySummary) bool { return c.Category == group }); i >= 0 {
				c := &p.Categories[i]
				cell = difference(c.Mean.Value(metrics.NameDeltaAUPRC), c.StandardError.Value(metrics.NameDeltaAUPRC), c.Tasks)
			}
			cells = append(cells, cell)
		}
		w.Line("%s", strings.Join(cells, "\t"))
	}
}

func difference(mean, standardError float64, tasks int) string {
	return fmt.Sprintf("%+.4f", mean) + plusMinus(standardError, tasks)
}

// plusMinus returns the standard error of a mean over tasks, for the end of a cell; empty for one task, which has
// none.
func plusMinus(standardError float64, tasks int) string {
	if tasks < 2 {
		return ""
	}
	return fmt.Sprintf(" ± %.4f", standardError)
}
