package report

import (
	"slices"
	"testing"

	"pacia/report/figure"
	"pacia/run/rundir"
)

// A curve has the evaluations of all seeds, and marks the one that chose each seed's
// model; losses are taken together to means.
func TestLearningCurves(t *testing.T) {
	run := func(best int, values ...float64) (r rundir.Run) {
		r.Summary.BestEpisode = best
		for i, v := range values {
			r.Evaluations = append(r.Evaluations, rundir.Evaluation{Episode: 10 * (i + 1), AUCValidation: &v})
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
		t.Errorf("what was not measured has the curve %+v", c)
	}
	l := losses(g)
	if len(l.Mean) != lossPoints || l.Mean[7] != 0.5 || l.Episodes[7] != 15 {
		t.Errorf("%d means of losses that are 0 and 1 in turn, the eighth %v at episode %d; want %d, 0.5 at 15", len(l.Mean), l.Mean[7], l.Episodes[7], lossPoints)
	}
}
