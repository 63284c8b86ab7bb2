package report

import (
	"fmt"
	"slices"
	"strings"

	"pacia/metrics"
	"pacia/model/methods"
	"pacia/report/figure"
	"pacia/report/scores"
	"pacia/runconfig"
	"pacia/rundir"
)

// tasksDrawn is how many tasks' curves are drawn, at most: of ToxCast's 167, more
// would hide what they show.
const tasksDrawn = 24

// measured draws what the best model of each group's first seed does to each
// query molecule.
func (d *drawer) measured(measure func(rundir.Run, []metrics.Figures) ([]scores.Task, error)) {
	for i, g := range d.section.Groups {
		run := g.Runs[0]
		if bestEvaluation(run) < 0 {
			d.note(run, "its metrics lack the evaluation that chose the best model")
			continue
		}
		known := recorded(run)
		tasks, err := measure(run, known)
		if err != nil {
			d.note(run, err.Error())
			continue
		}
		if d.scored == nil {
			d.scored = map[int][]scores.Task{}
		}
		d.scored[i] = tasks
		if len(tasks) > tasksDrawn {
			d.section.Notes = append(d.section.Notes, fmt.Sprintf("Of %d test tasks, the curves of the first %d are drawn.", len(tasks), tasksDrawn))
			tasks = tasks[:tasksDrawn]
		}
		where := fmt.Sprintf("%s: best.ckpt of seed %d, after episode %d (chosen by %s).", g.Label, run.Summary.Seed, run.Summary.BestEpisode, run.Summary.Selection) + unchecked(run, known)
		name, of := "", ""
		if len(d.section.Groups) > 1 {
			name, of = fmt.Sprintf("-group%d", i+1), ", "+g.Label
		}
		if m := run.Settings.Get(methodSetting); methods.Traits(m).Depth {
			d.depths(name, of, where, tasks)
		} else {
			d.section.Notes = append(d.section.Notes, fmt.Sprintf("Depths of %s are not drawn: with model.method %s no query has a depth of its own.", run.Dir, m))
		}
		d.curves(name, of, where, tasks)
	}
}

// bestEvaluation is the number of the evaluation that chose the best model, or -1.
func bestEvaluation(run rundir.Run) int {
	return slices.IndexFunc(run.Evaluations, func(e rundir.Evaluation) bool { return e.Episode == run.Summary.BestEpisode })
}

// recorded are the figures of the test tasks that a run has on record for its best
// model.
func recorded(run rundir.Run) (all []metrics.Figures) {
	if at := bestEvaluation(run); at >= 0 && len(run.Evaluations[at].Test) > 0 {
		return run.Evaluations[at].Test
	}
	// They were evaluated once, in the end: the summary alone has them.
	for _, t := range run.Summary.PerTask {
		auc := t.ValidationSelected
		if run.Summary.Selection == runconfig.SelectLast {
			auc = &t.Last
		}
		if auc != nil {
			all = append(all, metrics.Figures{Task: t.Task, AUC: *auc})
		}
	}
	return all
}

// unchecked says why scores were not compared with those on record, where they were
// not.
func unchecked(run rundir.Run, known []metrics.Figures) string {
	if draws := run.Settings.Get("train.evaluation_draws"); draws != "" && draws != "1" {
		return fmt.Sprintf(" The support set of each test task is the first of its %s draws; the figures on record are means over all of them, with which it was not compared.", draws)
	}
	if len(known) == 0 {
		return " The run has no figures of its test tasks on record, with which this could be compared."
	}
	return ""
}

// note says why figures of a run are missing.
func (d *drawer) note(run rundir.Run, why string) {
	why, _, _ = strings.Cut(why, "\n")
	d.section.Notes = append(d.section.Notes, fmt.Sprintf("Curves and depths of %s are left out: %s.", run.Dir, why))
}

func (d *drawer) depths(name, of, where string, tasks []scores.Task) {
	most := int32(1)
	for _, t := range tasks {
		most = max(most, slices.Max(t.Depths))
	}
	all := metrics.Adaptivity{Depths: make([]int, most)}
	names, queries, share := make([]string, len(tasks)), make([]int, len(tasks)), make([][]float64, len(tasks))
	for k, t := range tasks {
		names[k], queries[k], share[k] = t.Name, len(t.Depths), make([]float64, most)
		for _, depth := range t.Depths {
			share[k][depth-1] += 1 / float64(len(t.Depths))
			all.Depths[depth-1]++
		}
	}
	where += " Over all of these tasks, " + all.DepthText() + "."
	p, err := figure.Depths(names, queries, share)
	d.add("depths"+name, "Depth of the relation graph"+of, where+" Which share of a task's query molecules, whose number is in brackets, is classified after which layer.", p, err)
}

func (d *drawer) curves(name, of, where string, tasks []scores.Task) {
	pages := slices.Collect(slices.Chunk(tasks, figure.Most))
	for i, page := range pages {
		suffix, words := part(i, len(pages))
		var roc, pr []figure.Path
		for _, t := range page {
			c := metricCurves(t.Labels, t.Scores)
			roc = append(roc, figure.Path{Name: t.Name, After: fmt.Sprintf(", AUC %.4f", metrics.ROCAUC(t.Labels, t.Scores)), X: c.fpr, Y: c.tpr})
			after := fmt.Sprintf(", AP %.4f, %.1f %% active", metrics.AveragePrecision(t.Labels, t.Scores), 100*c.active)
			if d.section.delta() {
				after += fmt.Sprintf(", ΔAUPRC %.4f", metrics.DeltaAUPRC(t.Labels, t.Scores))
			}
			pr = append(pr, figure.Path{Name: t.Name, After: after,
				X: c.tpr[1:], Y: c.precision[1:]})
		}
		p, err := figure.ROC(roc)
		d.add("roc"+name+suffix, "ROC curves"+of+words, where, p, err)
		p, err = figure.PrecisionRecall(pr)
		d.add("precision-recall"+name+suffix, "Precision and recall"+of+words, where+" AP is the average precision; what ranks at random has the share of actives.", p, err)
	}
}
