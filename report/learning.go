package report

import (
	"fmt"
	"math"
	"slices"

	"pacia/internal/each"
	"pacia/report/figure"
	"pacia/run/rundir"
)

// learning draws the learning curves of runs: the metric on the test and on the validation tasks
// at each evaluation, the metric with swapped labels of support sets, if it was measured,
// and the training loss.
func (d *drawer) learning() {
	pages := slices.Collect(slices.Chunk(d.section.Groups, figure.MaxCurves))
	for i, page := range pages {
		var names []figure.Name
		test := figure.Panel{Name: "test " + d.measure.Name, Measure: &d.measure}
		validation := figure.Panel{Name: "validation " + d.measure.Name, Measure: &d.measure}
		swapped := figure.Panel{Name: "labels swapped", Measure: &d.measure}
		for _, g := range page {
			names = append(names, figure.Name{Name: g.Short, After: seedCount(len(g.Runs))})
			test.Curves = append(test.Curves, curve(g, (*rundir.Evaluation).TestFigure))
			validation.Curves = append(validation.Curves, curve(g, (*rundir.Evaluation).ValidationFigure))
			swapped.Curves = append(swapped.Curves, curve(g, d.swapped))
			if p := g.Published; p != nil {
				level := figure.Published{Name: fmt.Sprintf("%s as published: %.2f %%, %s", p.Method, p.Mean, selectionNames[p.Source.Selection]), Value: p.Mean / 100}
				if !slices.Contains(test.Published, level) {
					test.Published = append(test.Published, level)
				}
			}
		}
		test.Published = append(d.staticLevels(page), test.Published...)
		panels := slices.DeleteFunc(append([]figure.Panel{test, validation, swapped}, d.lossPanels(page)...), func(p figure.Panel) bool {
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
	switch n := each.Count(panels, func(p figure.Panel) bool { return p.Measure == nil }); {
	case n == 1:
		text += fmt.Sprintf(", and the training loss, means of a %d-th of the steps", lossPoints)
	case n > 1:
		text += fmt.Sprintf(", and the training loss, means of a %d-th of the steps, for each method: losses of different methods cannot be compared", lossPoints)
	}
	return text + ". Lines are means over seeds, bands reach from the lowest seed to the highest. Triangles are " + chosen +
		", one per seed." + d.section.legendNote()
}

// swapped returns the metric with swapped labels of support sets; nil if it was not measured.
func (d *drawer) swapped(e *rundir.Evaluation) *float64 {
	if e.Adaptivity == nil {
		return nil
	}
	v := e.Adaptivity.Swapped.Value(d.section.Metric)
	return &v
}

// lossPanels returns a panel of the training loss for each method, because methods minimise different functions.
func (d *drawer) lossPanels(groups []Group) (panels []figure.Panel) {
	methodOf := func(g Group) string { return d.names.of(titleOf(g.settings().Get(methodSetting))) }
	var names []string
	for _, g := range groups {
		if !slices.Contains(names, methodOf(g)) {
			names = append(names, methodOf(g))
		}
	}
	for _, name := range names {
		p := figure.Panel{Name: "training loss"}
		if len(names) > 1 {
			p.Name, p.Low = "loss, "+name, true
		}
		for _, g := range groups {
			var c figure.Curve
			if methodOf(g) == name {
				c = losses(g)
			}
			p.Curves = append(p.Curves, c)
		}
		panels = append(panels, p)
	}
	return panels
}

// staticName is the name of static scores in legends.
const staticName = "static score of the training tasks: no model, no support set"

// staticLevels returns the levels of groups' static scores: one for all of them if they are nearly equal, otherwise one
// for each in its colour.
func (d *drawer) staticLevels(groups []Group) (levels []figure.Published) {
	low, high, sum := math.Inf(1), math.Inf(-1), 0.0
	for i, g := range groups {
		if v := d.static(g); v != nil {
			levels = append(levels, figure.Published{Value: *v, Curve: i + 1})
			low, high, sum = min(low, *v), max(high, *v), sum+*v
		}
	}
	const near = 0.01 // lines that are this close to each other cannot be told apart
	switch {
	case levels == nil:
		return nil
	case high-low > near:
		levels[0].Name = staticName + ", in the colour of its configuration"
		return levels
	}
	one := figure.Published{Name: staticName + ": " + percent(low) + " %", Value: sum / float64(len(levels))}
	if percent(low) != percent(high) {
		one.Name = staticName + ": " + percent(low) + " to " + percent(high) + " %"
	}
	return []figure.Published{one}
}

// static returns the mean static score of a group's test tasks over its runs; nil if it was not measured.
func (d *drawer) static(g Group) *float64 {
	a, _ := adaptivityOf(g, d.section.Metric)
	if s := a.static(); s != nil {
		return &s.Mean
	}
	return nil
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
