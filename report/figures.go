package report

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"pacia/fault"
	"pacia/metrics"
	"pacia/report/figure"
	"pacia/report/rundir"
	"pacia/report/scores"
	"pacia/report/study"
	"pacia/train"
)

// Measures are what figures need beside what runs have on record.
type Measures struct {
	// Scores scores the test tasks with the best model of a run.
	Scores func(rundir.Run, []train.TaskAUC) ([]scores.Task, error)
	// Study looks into the best model of a run, whose tasks are scored.
	Study func(rundir.Run, []scores.Task) (*study.Study, *study.Groups, error)
	// Run is the folder of the run to study; nothing: that of the first.
	Run string
}

// Draw draws the figures of all sections; either measure may be nil. What cannot be
// measured is a note of the section.
func (r *Report) Draw(m Measures) error {
	for i := range r.Sections {
		s := &r.Sections[i]
		d := drawer{section: s, prefix: fmt.Sprintf("%s-%dshot", fileName(s.Dataset), s.Shots)}
		d.learning()
		d.tasks()
		d.responses(s.Groups, d.ablations())
		if m.Scores != nil {
			d.measured(m.Scores)
		}
		if m.Study != nil {
			if run, group := r.studied(s, m.Run); run != nil {
				d.study(*run, group, m)
				r.Study = d.studied
			}
		}
		if d.err != nil {
			return fmt.Errorf("%s: %w", s.Name(), d.err)
		}
	}
	return r.drawShots()
}

// studied returns the run to study and the number of its group, where the section
// has it.
func (r *Report) studied(s *Section, dir string) (*rundir.Run, int) {
	if dir == "" {
		if s != &r.Sections[0] {
			return nil, 0
		}
		return &s.Groups[0].Runs[0], 0
	}
	for g, group := range s.Groups {
		for i := range group.Runs {
			if filepath.Clean(group.Runs[i].Dir) == filepath.Clean(dir) {
				return &s.Groups[g].Runs[i], g
			}
		}
	}
	return nil, 0
}

// Studied returns the run that would be studied: that in dir, or the first. Another
// folder is a fault.
func (r *Report) Studied(dir string) (rundir.Run, error) {
	for i := range r.Sections {
		if run, _ := r.studied(&r.Sections[i], dir); run != nil {
			return *run, nil
		}
	}
	return rundir.Run{}, &fault.Error{What: fmt.Sprintf("--study %s is none of the finished runs of the report", dir), Fix: "write the folder of one of them"}
}

// A drawer draws the figures of one section.
type drawer struct {
	section *Section
	prefix  string                // of the files
	scored  map[int][]scores.Task // by groups: all test tasks, with the best model of the first seed
	studied *study.Study
	err     error // the first one
}

func (d *drawer) add(name, title, caption string, p figure.Picture, err error) {
	if err != nil && d.err == nil {
		d.err = fmt.Errorf("drawing %s: %w", name, err)
	}
	d.section.Figures = append(d.section.Figures, Figure{Name: d.prefix + "-" + name, Title: title, Caption: caption, SVG: p.SVG, PNG: p.PNG})
}

// part says which of several figures one is.
func part(i, n int) (suffix, words string) {
	if n == 1 {
		return "", ""
	}
	return fmt.Sprintf("-%d", i+1), fmt.Sprintf(" (%d of %d)", i+1, n)
}

// learning draws ROC-AUC over episodes.
func (d *drawer) learning() {
	var curves []figure.Curve
	var levels []figure.Published
	seen := map[*Published]bool{}
	for _, g := range d.section.Groups {
		if c := curve(g); len(c.Episodes) > 0 {
			curves = append(curves, c)
		}
		if p := g.Published; p != nil && !seen[p] {
			seen[p] = true
			levels = append(levels, figure.Published{Name: fmt.Sprintf("%s as published: %.2f %%, best on test", p.Method, p.Mean), Value: p.Mean / 100})
		}
	}
	pages := slices.Collect(slices.Chunk(curves, figure.Most))
	for i, page := range pages {
		suffix, words := part(i, len(pages))
		p, err := figure.Learning(page, levels)
		d.add("learning"+suffix, "Learning curves"+words,
			"Mean test ROC-AUC over the test tasks at each evaluation: the line is the mean over seeds, the band reaches from the lowest seed to the highest.", p, err)
	}
}

// curve takes the evaluations that all seeds of a group have.
func curve(g Group) figure.Curve {
	c := figure.Curve{Name: g.Label, After: seedCount(len(g.Runs))}
	for _, e := range g.Runs[0].Evaluations {
		var values []float64
		for _, r := range g.Runs {
			if i := slices.IndexFunc(r.Evaluations, func(o train.EvalInfo) bool { return o.Episode == e.Episode }); i >= 0 {
				values = append(values, r.Evaluations[i].AUCTest)
			}
		}
		if len(values) < len(g.Runs) {
			continue
		}
		c.Episodes = append(c.Episodes, e.Episode)
		c.Mean = append(c.Mean, spread(values).Mean)
		c.Lowest, c.Highest = append(c.Lowest, slices.Min(values)), append(c.Highest, slices.Max(values))
	}
	return c
}

func seedCount(n int) string {
	if n == 1 {
		return " (1 seed)"
	}
	return fmt.Sprintf(" (%d seeds)", n)
}

// A choice is the model whose figures are drawn.
type choice struct {
	name  string
	task  func(Task) Spread
	group func(Group) Spread
}

// chosen is the model that validation tasks chose or, where a group has none, the
// last.
func chosen(groups []Group) choice {
	if slices.ContainsFunc(groups, func(g Group) bool { return g.Validation == nil }) {
		return choice{"the last model", func(t Task) Spread { return t.Last }, func(g Group) Spread { return g.Last }}
	}
	return choice{"the model chosen on validation tasks", func(t Task) Spread { return *t.Validation }, func(g Group) Spread { return *g.Validation }}
}

// tasks draws the ROC-AUC of each test task.
func (d *drawer) tasks() {
	model := chosen(d.section.Groups)
	var names []string // of all groups: their splits may differ
	for _, g := range d.section.Groups {
		for _, t := range g.Tasks {
			if !slices.Contains(names, t.Name) {
				names = append(names, t.Name)
			}
		}
	}
	groups := slices.Collect(slices.Chunk(d.section.Groups, figure.Most))
	tasks := slices.Collect(slices.Chunk(names, figure.TasksMost))
	for i, page := range groups {
		for k, on := range tasks {
			var all []figure.Series
			for _, g := range page {
				s := figure.Series{Name: g.Label, After: seedCount(len(g.Runs))}
				for _, name := range on {
					v := Spread{Mean: math.NaN(), Deviation: math.NaN()}
					if at := slices.IndexFunc(g.Tasks, func(t Task) bool { return t.Name == name }); at >= 0 {
						v = model.task(g.Tasks[at])
					}
					s.Mean, s.Deviation = append(s.Mean, v.Mean), append(s.Deviation, v.Deviation)
				}
				all = append(all, s)
			}
			suffix, words := part(i*len(tasks)+k, len(groups)*len(tasks))
			p, err := figure.Tasks(on, all)
			d.add("tasks"+suffix, "ROC-AUC of each test task"+words, "Of "+model.name+": mean over seeds, and one standard deviation to both sides.", p, err)
		}
	}
}

// tasksDrawn is how many tasks' curves are drawn, at most: of ToxCast's 167, more
// would hide what they show.
const tasksDrawn = 24

// measured draws what the best model of each group's first seed does to each
// query molecule.
func (d *drawer) measured(measure func(rundir.Run, []train.TaskAUC) ([]scores.Task, error)) {
	for i, g := range d.section.Groups {
		run := g.Runs[0]
		at := bestEvaluation(run)
		if at < 0 {
			d.note(run, "its metrics lack the evaluation that chose the best model")
			continue
		}
		tasks, err := measure(run, run.Evaluations[at].Test)
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
		where := fmt.Sprintf("%s: best.ckpt of seed %d, after episode %d (chosen by %s).", g.Label, run.Summary.Seed, run.Summary.BestEpisode, run.Summary.Selection)
		name, of := "", ""
		if len(d.section.Groups) > 1 {
			name, of = fmt.Sprintf("-group%d", i+1), ", "+g.Label
		}
		d.depths(name, of, where, tasks)
		d.curves(name, of, where, tasks)
	}
}

// bestEvaluation is the number of the evaluation that chose the best model, or -1.
func bestEvaluation(run rundir.Run) int {
	return slices.IndexFunc(run.Evaluations, func(e train.EvalInfo) bool { return e.Episode == run.Summary.BestEpisode })
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
	names, queries, share := make([]string, len(tasks)), make([]int, len(tasks)), make([][]float64, len(tasks))
	for k, t := range tasks {
		names[k], queries[k], share[k] = t.Name, len(t.Depths), make([]float64, most)
		for _, depth := range t.Depths {
			share[k][depth-1] += 1 / float64(len(t.Depths))
		}
	}
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
			pr = append(pr, figure.Path{Name: t.Name, After: fmt.Sprintf(", AP %.4f, %.1f %% active", metrics.AveragePrecision(t.Labels, t.Scores), 100*c.active),
				X: c.tpr[1:], Y: c.precision[1:]})
		}
		p, err := figure.ROC(roc)
		d.add("roc"+name+suffix, "ROC curves"+of+words, where, p, err)
		p, err = figure.PrecisionRecall(pr)
		d.add("precision-recall"+name+suffix, "Precision and recall"+of+words, where+" AP is the average precision; what ranks at random has the share of actives.", p, err)
	}
}

// fileName keeps a name to what any file system takes.
func fileName(s string) string {
	return strings.Map(func(r rune) rune {
		if (r >= 'a' && r <= 'z') || (r >= 'A' && r <= 'Z') || (r >= '0' && r <= '9') || r == '-' || r == '_' {
			return r
		}
		return '_'
	}, s)
}
