package main

import (
	"slices"
	"strings"

	"pacia/data"
	"pacia/evaluate"
	"pacia/internal/each"
	"pacia/internal/ui"
	"pacia/metrics"
	"pacia/run/checkpoint"
	"pacia/run/runconfig"
	"pacia/run/rundir"
)

// noteWidth is the width of whole sentences on the screen, in characters.
const noteWidth = 100

// controls returns the controls of adaptivity, with the training tasks of all members, or nil if train.adaptivity is never.
// Members may choose different depths for a query, so that several have none.
func (t *tested) controls() *evaluate.Controls {
	if t.cfg.Train.Adaptivity == runconfig.AdaptivityNever {
		return nil
	}
	c := evaluate.ControlsOf(t.cfg, nil)
	c.Depths = c.Depths && len(t.members) == 1
	for i, record := range t.records {
		train := trainingTasks(t.data, t.metas[i])
		if c.Train = append(c.Train, train...); len(train) == 0 {
			c.Known, c.Elsewhere = union(c.Known, record), c.Elsewhere || record == nil
		}
	}
	slices.Sort(c.Train)
	c.Train = slices.Compact(c.Train)
	return c
}

// trainingTasks returns the numbers of the training tasks of a model in the data set that it was trained
// on, or in a folder of task files, whose names are those of assays. Columns of another table may have the
// names of training tasks by chance.
func trainingTasks(d *data.Dataset, meta checkpoint.Meta) []int {
	if d.Hash != meta.DataHash && d.Folds == nil {
		return nil
	}
	return numbersOf(d, meta.Tasks.Train)
}

// adaptivityHead has the column heads of the adaptivity tables, after those of the first columns.
const adaptivityHead = "own support\tlabels swapped\tadaptivity\tanother task's support\tstatic score"

func adaptivityCells(a *metrics.Adaptivity, metric string) string {
	if a == nil {
		return "-\t-\t-\t-\t-"
	}
	return strings.Join(each.Of([]metrics.Values{a.Own, a.Swapped, a.Adaptivity, a.Foreign, a.Static}, func(v metrics.Values) string {
		return ui.Figure(v.Find(metric))
	}), "\t")
}

// writeAdaptivityNotes explains the tables, and lists the depths at which queries were read.
func writeAdaptivityNotes(w *ui.Table, a *metrics.Adaptivity) {
	note := metrics.AdaptivityNote
	if a.Static != nil {
		note += " " + metrics.StaticNote
	}
	w.Line("%s", wrapped(note))
	w.Line("%s", a.KnownText())
	if text := a.DepthText(); text != "" {
		w.Line("%s", text)
	}
}

// wrapped breaks whole sentences into lines.
func wrapped(text string) string { return strings.TrimSuffix(ui.Wrap(text, "", noteWidth), "\n") }

// metricsHead has the column heads of all metrics.
func metricsHead() string {
	return strings.Join(each.Of(metrics.All, func(m metrics.Metric) string { return m.Title }), "\t")
}

// metricsCells formats means over tasks, all but the first one with the standard error unless that is nil.
func metricsCells(mean, standardError metrics.Values, tasks int) string {
	cells := each.Of(metrics.Names(), func(name string) string { return ui.Figure(mean.Find(name)) })
	for i := 1; i < len(standardError); i++ {
		cells[i] += plusMinus(standardError[i], tasks)
	}
	return strings.Join(cells, "\t")
}

// A categoryTable is means over groups of tasks; each line begins with a prefix.
type categoryTable struct {
	prefix string
	rows   []rundir.CategorySummary
}

// writeCategories prints means over groups of tasks, if there are any. The line of column
// heads begins with head, and the controls are measured by metric.
func writeCategories(w *ui.Table, head, metric string, tables ...categoryTable) {
	begun := false
	for _, t := range tables {
		for _, c := range t.rows {
			if !begun {
				w.Line("\n%scategory\ttasks\t%s\t%s swapped\tstatic score", head, metricsHead(), metrics.Title(metric))
				begun = true
			}
			swapped, static := "-", "-"
			if a := c.Adaptivity; a != nil {
				swapped, static = ui.Figure(a.Swapped.Find(metric)), ui.Figure(a.Static.Find(metric))
			}
			w.Line("%s%s\t%d\t%s\t%s\t%s", t.prefix, c.Category, c.Tasks, metricsCells(c.Mean, c.StandardError, c.Tasks), swapped, static)
		}
	}
	if begun {
		w.Line("%s", wrapped(rundir.CategoryNote))
	}
}
