package train

import (
	"context"
	"slices"
	"testing"

	"pacia/metrics"
	"pacia/run/runconfig"
	"pacia/run/rundir"
)

// TestAdaptivityOfARun: the adaptivity is that of the selected model, and is in the summary
// and in metrics.jsonl. fake ranks by the difference of the class means, so that with given
// weights swapped labels reverse its ranking.
func TestAdaptivityOfARun(t *testing.T) {
	for _, tt := range []struct {
		when, test     string
		last, selected int // evaluations of the test tasks with adaptivity: in the loop, in the end
	}{
		{runconfig.AdaptivityLast, runconfig.TestAlways, 0, 1},
		{runconfig.AdaptivityLast, runconfig.TestLast, 0, 1},
		{runconfig.AdaptivityAlways, runconfig.TestAlways, 3, 0},
		{runconfig.AdaptivityAlways, runconfig.TestLast, 0, 1},
		{runconfig.AdaptivityNever, runconfig.TestAlways, 0, 0},
		{runconfig.AdaptivityNever, runconfig.TestLast, 0, 0},
	} {
		c, dir := assaysConfig(t), t.TempDir()
		c.Train.Adaptivity, c.Train.TestEvery = tt.when, tt.test
		rec, s := trainFake(t, c, dir, false)
		last, selected := 0, 0
		for _, e := range rec.evaluations {
			if e.Adaptivity != nil {
				last++
			}
			if (tt.when == runconfig.AdaptivityAlways) != (metrics.MeanAdaptivityOf(e.Validation) != nil) {
				t.Errorf("%+v: validation tasks have %+v", tt, e.Validation)
			}
		}
		for _, e := range rec.selected {
			if e.Adaptivity != nil {
				selected++
			}
			if e.Episode != s.BestEpisode {
				t.Errorf("%+v: in the end the model of episode %d, selected is %d", tt, e.Episode, s.BestEpisode)
			}
		}
		if last != tt.last || selected != tt.selected {
			t.Errorf("%+v: %d and %d evaluations with adaptivity", tt, last, selected)
		}
		if (s.Adaptivity == nil) != (tt.when == runconfig.AdaptivityNever) || (s.AdaptivityNote == "") != (s.Adaptivity == nil) {
			t.Fatalf("%+v: summary has %+v", tt, s.Adaptivity)
		}
		lines := metricsOf(t, dir)
		if end := lines[len(lines)-1]; (end["selected"] != nil) != (len(rec.selected) > 0) || end["selected"] != nil && end["episode"] != nil {
			t.Errorf("%+v: the last line is %v", tt, end)
		}
		if a := s.Adaptivity; a != nil {
			selected := s.ValidationSelected[0]
			if a.Own[0] != selected || a.Adaptivity[0] != a.Own[0]-a.Swapped[0] || a.Draws != 2 || a.Foreign == nil ||
				s.PerTask[1].Adaptivity == nil {
				t.Errorf("%+v: %+v of a model with %v", tt, a, selected)
			}
			// Counts of elements are not negative, nor are the weights after so few steps.
			if sum := a.Own[0] + a.Swapped[0]; sum < 0.95 || sum > 1.05 {
				t.Errorf("%+v: own %v and swapped %v are not each other turned round", tt, a.Own[0], a.Swapped[0])
			}
		}
		run, err := rundir.Read(dir)
		if err != nil || len(run.Evaluations) != 3 {
			t.Errorf("%+v: %d evaluations are read, want 3 (%v)", tt, len(run.Evaluations), err)
		}
		if f := (&rundir.Follower{Dir: dir}); f.Progress().Episode != 12 {
			t.Errorf("%+v: the run is at %+v, want 12", tt, f.Progress())
		}
	}
}

// TestAdaptivityDoesNotTouchTheRun: a run that was finished without it is resumed with
// it, and has the same model and figures.
func TestAdaptivityDoesNotTouchTheRun(t *testing.T) {
	c, dir := assaysConfig(t), t.TempDir()
	c.Train.Adaptivity = runconfig.AdaptivityNever
	_, before := trainFake(t, c, dir, false)
	c.Train.Adaptivity, c.Train.AdaptivityQueries = runconfig.AdaptivityLast, 50
	rec, after := trainFake(t, c, dir, true)
	if len(rec.steps) != 0 || !slices.Equal(after.Last, before.Last) || !slices.Equal(after.ValidationSelected,
		before.ValidationSelected) || after.Adaptivity == nil || after.Adaptivity.Queries != 2*50 {
		t.Errorf("%d steps; %+v, before %+v", len(rec.steps), after, before)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := runWith(ctx, newFake, c, dir, true, &recorder{}); err == nil {
		t.Error("a run that is stopped before the end has one")
	}
}
