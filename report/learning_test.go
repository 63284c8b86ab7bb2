package report

import (
	"slices"
	"testing"

	"pacia/metrics"
	"pacia/report/figure"
	"pacia/run/rundir"
)

// TestLearningCurves: a curve has the evaluations that all seeds have, and marks each seed's chosen
// model. Losses are averaged.
func TestLearningCurves(t *testing.T) {
	run := func(best int, values ...float64) (r rundir.Run) {
		r.Summary.BestEpisode = best
		for i, v := range values {
			r.Evaluations = append(r.Evaluations, rundir.Evaluation{Episode: 10 * (i + 1), ValidationMean: metrics.Values{v}})
		}
		for e := range 2 * lossPoints {
			r.Losses = append(r.Losses, rundir.Loss{Episode: e + 1, Loss: float64(e % 2)})
		}
		return r
	}
	g := Group{Runs: []rundir.Run{run(20, 0.5, 0.7, 0.6), run(10, 0.9, 0.8)}}
	c := curve(g, (*rundir.Evaluation).ValidationFigure)
	if !slices.Equal(c.Episodes, []int{10, 20}) || c.Mean[0] != 0.7 || c.Lowest[1] != 0.7 || c.Highest[1] != 0.8 {
		t.Errorf("the curve is %+v, want those of episodes 10 and 20, which both seeds have", c)
	}
	if want := []figure.Step{{Episode: 20, Value: 0.7}, {Episode: 10, Value: 0.9}}; !slices.Equal(c.Chosen, want) {
		t.Errorf("chosen are %v, want %v", c.Chosen, want)
	}
	if c := curve(g, (*rundir.Evaluation).TestFigure); len(c.Episodes) > 0 || len(c.Chosen) > 0 {
		t.Errorf("the curve of a missing figure is %+v", c)
	}
	l := losses(g)
	if len(l.Mean) != lossPoints || l.Mean[7] != 0.5 || l.Episodes[7] != 15 {
		t.Errorf("%d means of alternating losses 0 and 1, the eighth %v at episode %d; want %d, 0.5 at 15", len(l.Mean), l.Mean[7], l.Episodes[7], lossPoints)
	}
}

// TestCurvesOfSwappedLabels: the curve with swapped labels has the evaluations at which it was measured. The
// static score is a mean over seeds, and is not drawn if a seed lacks it.
func TestCurvesOfSwappedLabels(t *testing.T) {
	run := func(static float64, swapped ...float64) (r rundir.Run) {
		r.Summary.Adaptivity = &metrics.Adaptivity{Static: metrics.Values{static}}
		for i, v := range swapped {
			r.Evaluations = append(r.Evaluations, rundir.Evaluation{Episode: 10 * (i + 1),
				Adaptivity: &metrics.Adaptivity{Swapped: metrics.Values{v}}})
		}
		r.Evaluations = append(r.Evaluations, rundir.Evaluation{Episode: 1000})
		return r
	}
	d := &drawer{section: &Section{Trial: Trial{Metric: metrics.NameROCAUC}}}
	g := Group{Runs: []rundir.Run{run(0.75, 0.3, 0.2), run(0.77, 0.5, 0.4)}}
	if c := curve(g, d.swapped); !slices.Equal(c.Episodes, []int{10, 20}) || c.Mean[0] != 0.4 || c.Lowest[1] != 0.2 || c.Highest[1] != 0.4 {
		t.Errorf("with swapped labels the curve is %+v, want 0.4 after 10 episodes, and 0.2 to 0.4 after 20", c)
	}
	if v := d.static(g); v == nil || *v != 0.76 {
		t.Errorf("the static score is %v, want 0.76", v)
	}
	one, other := Group{Short: "a=1", Runs: []rundir.Run{run(0.76)}}, Group{Short: "a=2", Runs: []rundir.Run{run(0.5)}}
	const name = "static score of the training tasks: no model, no support set"
	alone := []figure.Published{{Name: name + ": 76.00 %", Value: 0.76}}
	if got := d.staticLevels([]Group{one, g}); !slices.Equal(got, alone) {
		t.Errorf("levels %+v, want %+v", got, alone)
	}
	near := Group{Runs: []rundir.Run{run(0.754)}}
	if got := d.staticLevels([]Group{one, {Runs: []rundir.Run{{}}}, near}); len(got) != 1 || got[0].Name != name+": 75.40 to 76.00 %" || got[0].Curve != 0 {
		t.Errorf("levels %+v, want one from 75.40 to 76.00 %%", got)
	}
	several := []figure.Published{{Name: name + ", in the colour of its configuration", Value: 0.76, Curve: 1}, {Value: 0.5, Curve: 2}, {Value: 0.76, Curve: 3}}
	if got := d.staticLevels([]Group{one, other, g}); !slices.Equal(got, several) {
		t.Errorf("levels %+v, want %+v", got, several)
	}
	g.Runs[1].Summary.Adaptivity.Static = nil
	methods := func(names ...string) (groups []Group) {
		for _, name := range names {
			groups = append(groups, Group{Runs: []rundir.Run{{Settings: rundir.Settings{{Name: methodSetting, Value: name}}, Losses: []rundir.Loss{{Episode: 1, Loss: 2}}}}})
		}
		return groups
	}
	panels := d.lossPanels(methods("proto", "pacia", "proto"))
	if len(panels) != 2 || panels[1].Name != "loss, PACIA" || len(panels[0].Curves) != 3 || len(panels[0].Curves[1].Mean) > 0 ||
		len(panels[1].Curves[1].Mean) != 1 {
		t.Errorf("losses of two methods have the panels %+v", panels)
	}
	if panels := d.lossPanels(methods("pacia", "pacia")); len(panels) != 1 || panels[0].Name != "training loss" {
		t.Errorf("losses of one method have the panels %+v", panels)
	}
	if v := d.static(g); v != nil {
		t.Errorf("the static score is %v where one seed lacks it, want none", *v)
	}
}
