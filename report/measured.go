package report

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"pacia/internal/each"
	"pacia/metrics"
	"pacia/model/methods"
	"pacia/report/figure"
	"pacia/report/scores"
	"pacia/run/runconfig"
	"pacia/run/rundir"
)

// tasksDrawn is the maximum number of tasks whose curves are drawn. ToxCast has 167, which would hide each
// other.
const tasksDrawn = 24

// measured scores the test tasks with the best model of each group's first seed, and draws depths, curves and
// calibration.
func (d *drawer) measured(measure func(rundir.Run, []metrics.Figures) ([]scores.Task, error)) {
	var flat []rundir.Run
	for i, g := range d.section.Groups {
		run := g.Runs[0]
		if bestEvaluation(run) < 0 {
			d.note(run, "its metrics lack the evaluation that chose the best model")
			continue
		}
		known := recorded(run)
		tasks, err := measure(run, known)
		if unfit := (scores.Unfit{}); errors.As(err, &unfit) {
			d.note(run, err.Error())
			continue
		}
		if err != nil {
			d.fail("curves and depths", run, err)
			return
		}
		if d.scored == nil {
			d.scored = map[int][]scores.Task{}
		}
		d.scored[i] = tasks
		d.section.Measured = append(d.section.Measured, Measured{g.Label, g.Short, run.Summary.Seed, tasks})
		if len(tasks) > tasksDrawn {
			note := fmt.Sprintf("The curves of the first %d of %d test tasks are drawn.", tasksDrawn, len(tasks))
			d.section.Notes = append(d.section.Notes, note)
			tasks = tasks[:tasksDrawn]
		}
		where := fmt.Sprintf("%s: best.ckpt of seed %d, after episode %d (chosen by %s).", g.Label, run.Summary.Seed, run.Summary.BestEpisode, run.Summary.Selection) + unchecked(run, known)
		name, of := "", ""
		if len(d.section.Groups) > 1 {
			name, of = fmt.Sprintf("-group%d", i+1), ", "+g.Label
		}
		if methods.Traits(run.Settings.Get(methodSetting)).Depth {
			d.depths(name, of, where, tasks)
		} else {
			flat = append(flat, run)
		}
		d.curves(name, of, where, tasks)
	}
	d.noteFlat(flat)
	d.reliability()
}

// noteFlat adds a note on runs whose method has no depth.
func (d *drawer) noteFlat(runs []rundir.Run) {
	if len(runs) == 0 {
		return
	}
	var dirs, named []string
	for _, run := range runs {
		dirs = append(dirs, run.Dir)
		if m := run.Settings.Get(methodSetting); !slices.Contains(named, m) {
			named = append(named, m)
		}
	}
	d.section.Notes = append(d.section.Notes, fmt.Sprintf("Depths of %s are not drawn: with model.method %s no query has a depth of its own.",
		strings.Join(dirs, "; "), strings.Join(named, ", ")))
}

// bestEvaluation returns the index of the evaluation that chose the best model, or -1.
func bestEvaluation(run rundir.Run) int {
	return slices.IndexFunc(run.Evaluations, func(e rundir.Evaluation) bool { return e.Episode == run.Summary.BestEpisode })
}

// recorded returns the figures of the test tasks that a run recorded for its best
// model.
func recorded(run rundir.Run) (all []metrics.Figures) {
	if at := bestEvaluation(run); at >= 0 && len(run.Evaluations[at].Test) > 0 {
		return run.Evaluations[at].Test
	}
	// They were evaluated once, at the end: only the summary has them.
	for _, t := range run.Summary.PerTask {
		values := t.ValidationSelected
		if run.Summary.Selection == runconfig.SelectLast {
			values = t.Last
		}
		if values != nil {
			all = append(all, metrics.Figures{Task: t.Task, Values: values})
		}
	}
	return all
}

// unchecked explains why scores were not compared with recorded figures; it is empty if they were.
func unchecked(run rundir.Run, known []metrics.Figures) string {
	if draws := run.Settings.Get("train.evaluation_draws"); draws != "" && draws != "1" {
		return fmt.Sprintf(" The support set of each test task is the first of its %s draws. It was not compared with the figures on record, which are means over all draws.", draws)
	}
	if len(known) == 0 {
		return " The run has no figures of its test tasks on record to compare with."
	}
	return ""
}

func (d *drawer) note(run rundir.Run, why string) {
	why, _, _ = strings.Cut(why, "\n")
	d.section.Notes = append(d.section.Notes, fmt.Sprintf("Curves and depths of %s are left out: %s.", run.Dir, why))
}

// fail keeps the first error in what was asked for.
func (d *drawer) fail(what string, run rundir.Run, err error) {
	if d.err == nil {
		d.err = fmt.Errorf("%s of %s: %w; --no-scores leaves them out", what, run.Dir, err)
	}
}

func (d *drawer) depths(name, of, where string, tasks []scores.Task) {
	most := int32(1)
	for _, t := range tasks {
		most = max(most, slices.Max(t.Depths))
	}
	all := metrics.Adaptivity{Depths: make([]int, most)}
	names, queries, share := make([]string, len(tasks)), make([]int, len(tasks)), make([][]float64, len(tasks))
	for k, t := range tasks {
		names[k], queries[k], share[k] = d.names.of(t.Name), len(t.Depths), make([]float64, most)
		for _, depth := range t.Depths {
			share[k][depth-1] += 1 / float64(len(t.Depths))
			all.Depths[depth-1]++
		}
	}
	title := "Depth of the relation graph" + of
	if at := sole(all.Depths); at > 0 {
		title += fmt.Sprintf(": %d for every query", at)
	}
	where += " Over all of these tasks, " + all.DepthText() + "."
	p, err := figure.Depths(names, queries, share)
	d.add("depths"+name, title, where+" The share of a task's query molecules, whose number is in brackets, that is classified after each layer.", p, err)
}

// sole returns the depth, from 1, if all queries have the same one, and 0 otherwise.
func sole(depths []int) int {
	at := 0
	for l, n := range depths {
		switch {
		case n > 0 && at > 0:
			return 0
		case n > 0:
			at = l + 1
		}
	}
	return at
}

func (d *drawer) curves(name, of, where string, tasks []scores.Task) {
	pages := slices.Collect(slices.Chunk(tasks, figure.MaxCurves))
	for i, page := range pages {
		suffix, words := part(i, len(pages))
		var all []figure.Ranked
		for _, t := range page {
			c := metricCurves(t.Labels, t.Scores)
			after := fmt.Sprintf(": AUC %.3f, AP %.3f, %.1f %% active", metrics.ROCAUC(t.Labels, t.Scores), metrics.AveragePrecision(t.Labels, t.Scores), 100*c.active)
			if m := d.section.metric(); m.Suffix != "" {
				after += fmt.Sprintf(", %s %.3f", m.Title, m.Measure(t.Labels, each.As[float64](t.Scores)))
			}
			all = append(all, figure.Ranked{Name: d.names.of(t.Name), After: after, FPR: c.fpr, TPR: c.tpr, Precision: c.precision, Active: c.active})
		}
		p, err := figure.Rankings(all)
		d.add("rankings"+name+suffix, "ROC curves, precision and recall"+of+words, where+" AP is the average precision. Dashed lines are a random ranking, whose precision is the share of actives.", p, err)
	}
}

// bins is the number of bins of a reliability diagram.
const bins = 10

// reliability draws the share of actives over the predicted probability.
func (d *drawer) reliability() {
	pages := slices.Collect(slices.Chunk(d.section.Measured, figure.MaxCurves))
	for i, page := range pages {
		all := each.Of(page, reliable)
		suffix, words := part(i, len(pages))
		p, err := figure.Reliability(all)
		d.add("reliability"+suffix, "Reliability of P(active)"+words, fmt.Sprintf("All queries of all test tasks, of the best model of each configuration's first seed, in %d bins of P(active) of equal width; below, the number of molecules in each bin. "+
			"ECE is the expected calibration error (Naeini et al. 2015), the mean distance from the diagonal. P(active) is the model's, without calibration. Support sets may have another share of actives than the queries; pacia calibrate fits P(active) to tasks.", bins)+d.section.legendNote(), p, err)
	}
}

func reliable(m Measured) figure.Reliable {
	var all []metrics.Graded
	active := 0
	for _, t := range m.Tasks {
		for i, p := range t.Scores {
			active += int(t.Labels[i])
			all = append(all, metrics.Graded{Score: math.Log(float64(p)) - math.Log1p(-float64(p)), Label: t.Labels[i], Weight: 1})
		}
	}
	list, ece := metrics.Reliability(all, metrics.Calibration{Slope: 1}, bins)
	return figure.Reliable{Name: m.Short, After: fmt.Sprintf(": ECE %.3f, %d molecules, %.1f %% active",
		ece, len(all), 100*float64(active)/float64(len(all))), Bins: list}
}
