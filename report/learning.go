package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"pacia/report/figure"
	"pacia/run/rundir"
)

// learning draws the learning curves of runs: the metric on the test and on the validation tasks
// at each evaluation, the metric with swapped labels of support sets, if it was measured,
// and the training loss.
func (d *drawer) learning() {
	pages := slices.Collect(slices.Chunk(d.section.Groups, figure.Most))
	for i, page := range pages {
		var names []figure.Name
		test := figure.Panel{Name: "test " + d.measure.Name, Measure: &d.measure}
		validation := figure.Panel{Name: "validation " + d.measure.Name, Measure: &d.measure}
		swapped := figure.Panel{Name: "labels swapped", Measure: &d.measure}
		loss := figure.Panel{Name: "training loss"}
		for _, g := range page {
			names = append(names, figure.Name{Name: g.Short, After: seedCount(len(g.Runs))})
			test.Curves = append(test.Curves, curve(g, (*rundir.Evaluation).TestFigure))
			validation.Curves = append(validation.Curves, curve(g, (*rundir.Evaluation).ValidationFigure))
			swapped.Curves = append(swapped.Curves, curve(g, d.swapped))
			loss.Curves = append(loss.Curves, losses(g))
			if p := g.Published; p != nil {
				level := figure.Published{Name: fmt.Sprintf("%s as published: %.2f %%, %s", p.Method, p.Mean, selectionNames[p.Source.Selection]), Value: p.Mean / 100}
				if !slices.Contains(test.Published, level) {
					test.Published = append(test.Published, level)
				}
			}
		}
		test.Published = append(d.staticLevels(page), test.Published...)
		panels := slices.DeleteFunc([]figure.Panel{test, validation, swapped, loss}, func(p figure.Panel) bool {
			return !slices.ContainsFunc(p.Curves, func(c figure.Curve) bool { return len(c.Episodes) > 0 })
		})
		if len(panels) == 0 {
			continue
		}
		suffix, words := part(i, len(pages))
		p, err := figure.Learning(names, panels)
		d.add("learning"+suffix, "Learning curves"+words, d.learningCaption(panels), p, err)
	}
}

func (d *drawer) learningCaption(panels []figure.Panel) string {
	how := map[string]bool{}
	for _, g := range d.section.Groups {
		for _, r := range g.Runs {
			how[r.Summary.Selection] = true
		}
	}
	chosen := "the model that was chosen"
	if len(how) == 1 {
		chosen += map[string]string{"validation": " by the validation tasks", "test": " by the test tasks", "last": ", the last"}[d.section.Groups[0].Runs[0].Summary.Selection]
	}
	text := fmt.Sprintf("Mean %s over tasks at each evaluation", d.measure.Name)
	if panels[len(panels)-1].Measure == nil {
		text += fmt.Sprintf(", and the training loss, means of a %d-th of the steps", lossPoints)
	}
	return text + ". Lines are means over seeds, bands reach from the lowest seed to the highest. " +
		"Triangles are " + chosen + ", one per seed." + d.section.legendNote()
}

// swapped returns the metric with swapped labels of support sets; nil if it was not measured.
func (d *drawer) swapped(e *rundir.Evaluation) *float64 {
	if e.Adaptivity == nil {
		return nil
	}
	v := e.Adaptivity.Swapped.Of(d.section.Metric)
	return &v
}

// staticLevels returns the levels of groups' static scores. If there are several, each names its groups.
func (d *drawer) staticLevels(groups []Group) (levels []figure.Published) {
	var names [][]string
	for _, g := range groups {
		v := d.static(g)
		if v == nil {
			continue
		}
		const rounding = 1e-9
		at := slices.IndexFunc(levels, func(l figure.Published) bool { return math.Abs(l.Value-*v) < rounding })
		if at < 0 {
			at, levels, names = len(levels), append(levels, figure.Published{Value: *v}), append(names, nil)
		}
		name := g.Short
		if d.section.Numbers {
			name, _, _ = strings.Cut(name, ":")
		}
		names[at] = append(names[at], name)
	}
	for i := range levels {
		levels[i].Name = "static score of the training tasks: no model, no support set"
		if len(levels) > 1 {
			levels[i].Name = "static score of the training tasks, without a model, of " + strings.Join(names[i], "; ")
		}
	}
	return levels
}

// static returns the mean static score of a group's test tasks over its runs; nil if it was not measured.
func (d *drawer) static(g Group) *float64 {
	a, _ := adaptivityOf(g, d.section.Metric)
	i := slices.IndexFunc(a.figures, func(f namedSpread) bool { return f.name == "static_score" && f.Spread != nil })
	if i < 0 {
		return nil
	}
	return &a.figures[i].Mean
}

// selectionNames are the names of ways to choose the model in figures.
var selectionNames = map[string]string{bestOnTest: "best on test", onValidation: "chosen on validation"}

// curve returns the curve of a group: the evaluations at which all seeds have the metric, and the chosen
// models.
func curve(g Group, of func(*rundir.Evaluation) *float64) (c figure.Curve) {
	at := func(r rundir.Run, episode int) *float64 {
		if i := slices.IndexFunc(r.Evaluations, func(e rundir.Evaluation) bool { return e.Episode == episode }); i >= 0 {
			return of(&r.Evaluations[i])
		}
		return nil
	}
	for _, e := range g.Runs[0].Evaluations {
		var values []float64
		for _, r := range g.Runs {
			if v := at(r, e.Episode); v != nil {
				values = append(values, *v)
			}
		}
		if len(values) == len(g.Runs) {
			add(&c, e.Episode, values)
		}
	}
	for _, r := range g.Runs {
		if v := at(r, r.Summary.BestEpisode); v != nil && len(c.Episodes) > 0 {
			c.Chosen = append(c.Chosen, figure.Step{Episode: r.Summary.BestEpisode, Value: *v})
		}
	}
	return c
}

// lossPoints is the maximum number of points of a loss curve.
const lossPoints = 100

// losses returns the loss curve of a group: each point is a mean over about the same number of steps.
func losses(g Group) (c figure.Curve) {
	steps := len(g.Runs[0].Losses)
	for _, r := range g.Runs {
		steps = min(steps, len(r.Losses))
	}
	points := min(lossPoints, steps)
	for k := range points {
		from, to := k*steps/points, (k+1)*steps/points
		values := make([]float64, len(g.Runs))
		for i, r := range g.Runs {
			for _, l := range r.Losses[from:to] {
				values[i] += l.Loss / float64(to-from)
			}
		}
		add(&c, g.Runs[0].Losses[(from+to-1)/2].Episode, values)
	}
	return c
}

func add(c *figure.Curve, episode int, values []float64) {
	c.Episodes = append(c.Episodes, episode)
	c.Mean = append(c.Mean, spread(values).Mean)
	c.Lowest, c.Highest = append(c.Lowest, slices.Min(values)), append(c.Highest, slices.Max(values))
}

func seedCount(n int) string {
	if n == 1 {
		return " (1 seed)"
	}
	return fmt.Sprintf(" (%d seeds)", n)
}
