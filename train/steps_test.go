package train

import (
	"context"
	"errors"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pacia/data"
	"pacia/ops"
	"pacia/run/runconfig"
	"pacia/run/rundir"
)

// aheadBuilder makes learners that accept n steps before they are collected.
func aheadBuilder(n int) builder {
	return func(runconfig.Config, []int) (learner, error) { return fakeAhead(n), nil }
}

// TestStepsAheadChangeNothing: the files of a run do not depend on the number of steps
// under way at a time, nor on where the run is stopped.
func TestStepsAheadChangeNothing(t *testing.T) {
	c := assaysConfig(t)
	c.Train.EvaluateEvery, c.Train.CheckpointEvery = 6, 5
	whole := t.TempDir()
	want, _ := trainFake(t, c, whole, false)
	for _, n := range []int{2, 4, 100} {
		dir, rec := t.TempDir(), &recorder{}
		if _, err := runWith(context.Background(), aheadBuilder(n), c, dir, false, rec); err != nil {
			t.Fatal(err)
		}
		sameEnd(t, "ahead", dir, whole)
		if !reflect.DeepEqual(episodesOf(rec), episodesOf(want)) {
			t.Errorf("%d ahead: steps %v are reported, want %v", n, episodesOf(rec), episodesOf(want))
		}

		dir = t.TempDir()
		ctx, cancel := context.WithCancel(context.Background())
		rec = &recorder{onStep: func(episode int) {
			if episode == 7 {
				cancel()
			}
		}}
		if _, err := runWith(ctx, aheadBuilder(n), c, dir, false, rec); !errors.Is(err, ErrStopped) {
			t.Fatalf("%d ahead, stopped at 7: error %v", n, err)
		}
		_, meta := content(t, filepath.Join(dir, rundir.LastFile))
		if last := rec.steps[len(rec.steps)-1].Episode; meta.Episode() != last || last > 6+n || last > 10 {
			t.Errorf("%d ahead, stopped at 7: the last step is %d, saved is episode %d", n, last, meta.Episode())
		}
		if _, err := runWith(context.Background(), aheadBuilder(n+1), c, dir, true, &recorder{}); err != nil {
			t.Fatal(err)
		}
		sameEnd(t, "ahead, resumed", dir, whole)
	}
}

func episodesOf(r *recorder) (list []int) {
	for _, s := range r.steps {
		list = append(list, s.Episode)
	}
	return list
}

// TestStepsTakenTogetherShareTheirTime: their seconds are the mean, so that the
// sum is the time that passed.
func TestStepsTakenTogetherShareTheirTime(t *testing.T) {
	c, rec := assaysConfig(t), &recorder{}
	if _, err := runWith(context.Background(), aheadBuilder(4), c, t.TempDir(), false, rec); err != nil {
		t.Fatal(err)
	}
	// Saves come after 3, 6, 9 and 12, evaluations after 4, 8 and 12.
	for _, group := range [][]rundir.Step{rec.steps[:3], rec.steps[4:6], rec.steps[6:8], rec.steps[9:]} {
		for _, s := range group[1:] {
			if s.Seconds != group[0].Seconds {
				t.Errorf("steps %d and %d were taken together in %v and %v s each", group[0].Episode, s.Episode, group[0].Seconds, s.Seconds)
			}
		}
	}
}

// TestAStepThatIsLostIsNoticed: a learner that loses a step ends the run, which would
// otherwise go on with an episode missing.
func TestAStepThatIsLostIsNoticed(t *testing.T) {
	build := func(runconfig.Config, []int) (learner, error) { return forgetful{fakeAhead(3)}, nil }
	_, err := runWith(context.Background(), build, assaysConfig(t), t.TempDir(), false, &recorder{})
	if want := "2 of 3 steps were completed"; err == nil || !contains(err, want, "episode 3 (") {
		t.Errorf("got %v, want an error with %q of episode 3", err, want)
	}
}

// forgetful loses the last of the steps collected.
type forgetful struct{ *fake }

func (f forgetful) Collect() ([]ops.StepOutcome, error) {
	all, err := f.fake.Collect()
	return all[:len(all)-1], err
}

// contains reports whether the message of err holds all texts.
func contains(err error, texts ...string) bool {
	for _, text := range texts {
		if !strings.Contains(err.Error(), text) {
			return false
		}
	}
	return true
}

// TestNoStepIsSubmittedAfterTheEnd: the context ends while the second of many steps is
// submitted.
func TestNoStepIsSubmittedAfterTheEnd(t *testing.T) {
	c, dir := assaysConfig(t), t.TempDir()
	c.Train.EvaluateEvery, c.Train.CheckpointEvery = 0, 0
	ctx, cancel := context.WithCancel(context.Background())
	build := func(c runconfig.Config, _ []int) (learner, error) {
		return interrupted{fakeAhead(c.Train.Episodes), cancel}, nil
	}
	rec := &recorder{}
	if _, err := runWith(ctx, build, c, dir, false, rec); !errors.Is(err, ErrStopped) {
		t.Fatalf("error %v", err)
	}
	if _, meta := content(t, filepath.Join(dir, rundir.LastFile)); len(rec.steps) != 2 || meta.Episode() != 2 {
		t.Errorf("%d steps are made and %d saved, want 2", len(rec.steps), meta.Episode())
	}
}

// interrupted ends the run's context when the second step is submitted.
type interrupted struct {
	*fake
	cancel context.CancelFunc
}

func (i interrupted) Submit(b *data.Batch, dropout uint64) error {
	if len(i.submitted) == 1 {
		i.cancel()
	}
	return i.fake.Submit(b, dropout)
}
