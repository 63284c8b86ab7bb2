package train

import (
	"context"
	"math"
	"testing"

	"pacia/evaluate"
	"pacia/run/rundir"
)

// forecastRecorder is a recorder that also records forecasts and the progress of evaluations.
type forecastRecorder struct {
	recorder
	lengths []Length
	done    []int // molecules, as reported
	total   int
	ends    []int // molecules reported when an evaluation ended
}

func (f *forecastRecorder) Length(l Length)         { f.lengths = append(f.lengths, l) }
func (f *forecastRecorder) Ranking(done, total int) { f.done, f.total = append(f.done, done), total }
func (f *forecastRecorder) Evaluation(e rundir.Evaluation) {
	f.recorder.Evaluation(e)
	f.ends = append(f.ends, f.done[len(f.done)-1])
}

// TestEvaluationsReportProgress: the number of ranked molecules increases during an evaluation
// up to the number of its queries.
func TestEvaluationsReportProgress(t *testing.T) {
	c := assaysConfig(t)
	f := &forecastRecorder{}
	if _, err := runWith(context.Background(), newFake, c, t.TempDir(), false, f); err != nil {
		t.Fatal(err)
	}
	for i, e := range f.evaluations {
		if f.ends[i] != e.Queries || f.total == 0 {
			t.Errorf("evaluation %d ranks %d molecules, reported are %d", i, e.Queries, f.ends[i])
		}
	}
	for i := 1; i < len(f.done); i++ {
		if f.done[i] <= f.done[i-1] && f.done[i-1] != f.evaluations[0].Queries && f.done[i-1] != f.total {
			t.Errorf("%d molecules are reported, then %d", f.done[i-1], f.done[i])
		}
	}
	if len(f.lengths) != 0 {
		t.Errorf("a very short run has the forecast %+v", f.lengths)
	}
}

// TestLengthOfARun: the length is reported once, after the first steps, and counts the
// steps and evaluations to come. The model and the draws do not change.
func TestLengthOfARun(t *testing.T) {
	c := assaysConfig(t) // 12 episodes, evaluations every 4
	r, _, err := prepare(context.Background(), newFake, nil, c, t.TempDir(), false)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	f := &forecastRecorder{}
	r.rep = f
	r.progress.Episode, r.first = 5, []float64{9, 2, 2, 2, 3}
	before := append([]float32{}, r.learner.(*fake).w...)
	r.forecast(context.Background())
	r.forecast(context.Background())
	if len(f.lengths) != 1 {
		t.Fatalf("the length is reported %d times", len(f.lengths))
	}
	l := f.lengths[0]
	if l.Steps != 7 || l.StepSeconds != 2 || l.Evaluations != 2 || l.EvaluationSeconds <= 0 {
		t.Errorf("%+v, want 7 steps of 2 s, the median without the first, and the evaluations after 8 and 12", l)
	}
	if want := 7*2 + 2*l.EvaluationSeconds + l.FinalSeconds; math.Abs(l.Seconds()-want) > 1e-12 {
		t.Errorf("%v s in all, want %v", l.Seconds(), want)
	}
	for i, w := range r.learner.(*fake).w {
		if w != before[i] {
			t.Fatal("the model has changed")
		}
	}
	// The time of an evaluation is that of its support sets and molecules.
	n := evaluate.Molecules(r.data, r.tasks.test, r.testing().options)
	if got, want := r.seconds(cost{adapt: 10, molecule: 0.5}, r.testing(), false), 10*float64(len(r.tasks.test))+0.5*float64(n); got != want {
		t.Errorf("an evaluation takes %v s, want %v", got, want)
	}
	if with, without := r.seconds(cost{1, 1}, r.testing(), true), r.seconds(cost{1, 1}, r.testing(), false); with <= without {
		t.Errorf("with controls it takes %v s, without %v", with, without)
	}
}

// TestNoForecastFromFewSteps: a forecast needs several steps and seconds, and a reporter that takes it.
func TestNoForecastFromFewSteps(t *testing.T) {
	r, _, err := prepare(context.Background(), newFake, nil, assaysConfig(t), t.TempDir(), false)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	f := &forecastRecorder{}
	r.rep = f
	for _, first := range [][]float64{nil, {60}, {0.1, 0.1, 0.1, 0.1, 0.1, 0.1}} {
		r.first = first
		if r.forecast(context.Background()); len(f.lengths) > 0 {
			t.Errorf("after %v s: %+v", first, f.lengths)
		}
	}
	r.first, r.rep = []float64{60, 60, 60, 60, 60}, &recorder{}
	if r.forecast(context.Background()); !r.forecasted {
		t.Error("a forecast is measured for a reporter that is not a Forecaster")
	}
}

// TestEvaluationsToCome compares with a count over all steps. The count of a practically endless
// run takes no longer.
func TestEvaluationsToCome(t *testing.T) {
	r, _, err := prepare(context.Background(), newFake, nil, assaysConfig(t), t.TempDir(), false)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for _, episodes := range []int{1, 7, 12} {
		for every := range 14 {
			r.cfg.Train.Episodes, r.cfg.Train.EvaluateEvery = episodes, every
			for step := range episodes {
				for _, last := range []*rundir.Evaluation{nil, {Episode: step}} {
					r.progress.Episode, r.progress.Last = step, last
					want := 0
					for s := step; s <= r.lastStep(); s++ {
						if r.due(s, every) && (s > step || last == nil) {
							want++
						}
					}
					if got := r.evaluationsAfter(step); got != want {
						t.Fatalf("%d episodes, every %d, after step %d: %d evaluations, want %d", episodes, every, step, got, want)
					}
				}
			}
		}
	}
	r.cfg.Train.Episodes, r.cfg.Train.EvaluateEvery = 1<<60, 1<<20
	if got := r.evaluationsAfter(0); got != 1<<40 {
		t.Errorf("%d evaluations of a practically endless run, want %d", got, 1<<40)
	}
}
