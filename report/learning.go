package report

import (
	"fmt"
	"slices"

	"pacia/report/figure"
	"pacia/rundir"
)

// learning draws the metric over episodes: on the test tasks and, of groups whose
// test tasks were evaluated once in the end, on the validation tasks.
func (d *drawer) learning() {
	test, validation := learningCurves{of: (*rundir.Evaluation).TestFigure, published: true}, learningCurves{of: (*rundir.Evaluation).ValidationFigure}
	for _, g := range d.section.Groups {
		if !test.take(g) {
			validation.take(g)
		}
	}
	name := d.measure.Name
	test.draw(d, "learning", "Learning curves", "test "+name, fmt.Sprintf("Mean test %s over the test tasks at each evaluation: ", name))
	validation.draw(d, "learning-validation", "Learning curves of the validation tasks", "validation "+name,
		fmt.Sprintf("Mean %s over the validation tasks at each evaluation, since the test tasks were evaluated once, in the end: ", name))
}

// learningCurves are those of one kind of tasks.
type learningCurves struct {
	of        func(*rundir.Evaluation) *float64
	published bool // of these tasks
	curves    []figure.Curve
	levels    []figure.Published
}

// take adds the curve of a group, with the published figure beside it.
func (l *learningCurves) take(g Group) bool {
	c := curve(g, l.of)
	if len(c.Episodes) == 0 {
		return false
	}
	l.curves = append(l.curves, c)
	if p := g.Published; p != nil && l.published {
		level := figure.Published{Name: fmt.Sprintf("%s as published: %.2f %%, %s", p.Method, p.Mean, selectionNames[p.Source.Selection]), Value: p.Mean / 100}
		if !slices.Contains(l.levels, level) {
			l.levels = append(l.levels, level)
		}
	}
	return true
}

// selectionNames are what figures call the ways to choose the model.
var selectionNames = map[string]string{bestOnTest: "best on test", onValidation: "chosen on validation"}

func (l *learningCurves) draw(d *drawer, name, title, axis, how string) {
	pages := slices.Collect(slices.Chunk(l.curves, figure.Most))
	for i, page := range pages {
		suffix, words := part(i, len(pages))
		p, err := figure.Learning(axis, page, l.levels)
		d.add(name+suffix, title+words, how+"the line is the mean over seeds, the band reaches from the lowest seed to the highest.", p, err)
	}
}

// curve takes the evaluations that all seeds of a group have, where they measured
// what is drawn.
func curve(g Group, of func(*rundir.Evaluation) *float64) figure.Curve {
	c := figure.Curve{Name: g.Label, After: seedCount(len(g.Runs))}
	for _, e := range g.Runs[0].Evaluations {
		var values []float64
		for _, r := range g.Runs {
			if i := slices.IndexFunc(r.Evaluations, func(o rundir.Evaluation) bool { return o.Episode == e.Episode }); i >= 0 {
				if v := of(&r.Evaluations[i]); v != nil {
					values = append(values, *v)
				}
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
