package main

import (
	"fmt"
	"strings"

	"pacia/data"
	"pacia/evaluate"
	"pacia/internal/ui"
	"pacia/metrics"
	"pacia/run/checkpoint"
	"pacia/run/runconfig"
	"pacia/run/rundir"
)

// noteWidth is the width of whole sentences on the screen, in characters.
const noteWidth = 100

// controls returns the controls of adaptivity, with the training tasks of the model, or nil if train.adaptivity is never.
func (t *tested) controls() *evaluate.Controls {
	if t.cfg.Train.Adaptivity == runconfig.AdaptivityNever {
		return nil
	}
	train := trainingTasks(t.data, t.meta)
	c := evaluate.ControlsOf(t.cfg, train)
	if len(train) == 0 {
		c.Known, c.Elsewhere = t.known, t.known == nil
	}
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
	pair := func(p *metrics.Pair) string {
		if p == nil {
			return "-"
		}
		return fmt.Sprintf("%.4f", p.Of(metric))
	}
	if a == nil {
		return "-\t-\t-\t-\t-"
	}
	return pair(&a.Own) + "\t" + pair(&a.Swapped) + "\t" + pair(&a.Adaptivity) + "\t" + pair(a.Foreign) + "\t" + pair(a.Static)
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
				w.Line("\n%scategory\ttasks\tROC-AUC\tΔAUPRC\t%s swapped\tstatic score", head, metrics.Title(metric))
				begun = true
			}
			swapped, static := "-", "-"
			if a := c.Adaptivity; a != nil {
				if swapped = fmt.Sprintf("%.4f", a.Swapped.Of(metric)); a.Static != nil {
					static = fmt.Sprintf("%.4f", a.Static.Of(metric))
				}
			}
			delta := fmt.Sprintf("%.4f", c.DeltaAUPRC) + plusMinus(c.StandardError, c.Tasks)
			w.Line("%s%s\t%d\t%.4f\t%s\t%s\t%s", t.prefix, c.Category, c.Tasks, c.AUC, delta, swapped, static)
		}
	}
	if begun {
		w.Line("%s", wrapped(rundir.CategoryNote))
	}
}
