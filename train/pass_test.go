package train

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pacia/internal/badinput"
	"pacia/run/runconfig"
	"pacia/run/rundir"
)

// passConfig returns a run of six episodes, each a pass over its four training tasks.
func passConfig(t *testing.T, tasksPerStep int) runconfig.Config {
	t.Helper()
	c := assaysConfig(t)
	c.Train.EpisodeUnit, c.Train.TasksPerStep = runconfig.EpisodePass, tasksPerStep
	c.Train.Episodes, c.Train.EvaluateEvery, c.Train.CheckpointEvery = 6, 2, 3
	return c
}

// TestAnEpisodeIsAPass checks the tasks of the steps with four training tasks: one a
// step, three a step (the last step of a pass has the fourth alone), and four a step.
func TestAnEpisodeIsAPass(t *testing.T) {
	for _, tt := range []struct {
		perStep int
		sizes   []int // of the steps of an episode
	}{{1, []int{1, 1, 1, 1}}, {3, []int{3, 1}}, {0, []int{4}}, {9, []int{4}}} {
		r := openAssays(t, passConfig(t, tt.perStep))
		if got := r.episodes.steps(); got != len(tt.sizes) {
			t.Errorf("%d tasks a step: an episode has %d steps, want %d", tt.perStep, got, len(tt.sizes))
			continue
		}
		for number, episode := 1, 1; episode <= 10; episode++ {
			var tasks []int
			for _, size := range tt.sizes {
				s, err := r.episodes.draw(number)
				if err != nil {
					t.Fatal(err)
				}
				if s.Number != number || s.Episode != episode || len(s.Tasks) != size || s.Batch.Tasks != size {
					t.Errorf("%d tasks a step: step %d of episode %d is called %d of %d and has %d tasks, want %d",
						tt.perStep, number, episode, s.Number, s.Episode, len(s.Tasks), size)
				}
				for _, ep := range s.Tasks {
					tasks = append(tasks, ep.Task)
				}
				number++
			}
			if slices.Sort(tasks); !slices.Equal(tasks, r.tasks.train) {
				t.Errorf("%d tasks a step: episode %d learns the tasks %v, want %v", tt.perStep, episode, tasks, r.tasks.train)
			}
		}
	}
}

// TestAPassIsItsSteps: six passes of four tasks one by one are 24 steps of one task,
// with the same losses, and evaluations and saves after whole passes.
func TestAPassIsItsSteps(t *testing.T) {
	c := passConfig(t, 1)
	passes, summary := trainFake(t, c, t.TempDir(), false)
	c.Train.EpisodeUnit = runconfig.EpisodeStep
	c.Train.Episodes, c.Train.EvaluateEvery, c.Train.CheckpointEvery = 24, 8, 12
	steps, _ := trainFake(t, c, t.TempDir(), false)
	if len(passes.steps) != 24 || len(steps.steps) != 24 {
		t.Fatalf("%d and %d steps, want 24", len(passes.steps), len(steps.steps))
	}
	for i, s := range passes.steps {
		if s.Step != i+1 || s.Episode != i/4+1 || s.Loss != steps.steps[i].Loss {
			t.Errorf("step %d is called %d of episode %d with a loss of %v, want %d of %d with %v",
				i+1, s.Step, s.Episode, s.Loss, i+1, i/4+1, steps.steps[i].Loss)
		}
	}
	for i, e := range passes.evaluations {
		if want := 2 * (i + 1); e.Episode != want || e.Step != 4*want {
			t.Errorf("evaluation %d is of episode %d and step %d, want %d and %d", i+1, e.Episode, e.Step, want, 4*want)
		}
	}
	if len(passes.evaluations) != 3 || summary.Episodes != 6 {
		t.Errorf("%d evaluations of %d episodes, want 3 of 6", len(passes.evaluations), summary.Episodes)
	}
}

// TestARunStopsWithinAPass stops after every step of a run of passes and resumes: it
// ends with the bits of one that was not stopped.
func TestARunStopsWithinAPass(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	c, whole := passConfig(t, 1), t.TempDir()
	trainFake(t, c, whole, false)
	for stop := 1; stop <= 24; stop++ {
		dir := t.TempDir()
		ctx, cancel := context.WithCancel(context.Background())
		rec := &recorder{onStep: func(number int) {
			if number == stop {
				cancel()
			}
		}}
		if _, err := runWith(ctx, newFake, c, dir, false, rec); !errors.Is(err, ErrStopped) {
			t.Fatalf("stopped after step %d: error %v", stop, err)
		}
		_, meta := content(t, filepath.Join(dir, rundir.LastFile))
		if meta.Progress.Step != stop || meta.Episode() != stop/4 {
			t.Fatalf("stopped after step %d: saved are step %d and episode %d", stop, meta.Progress.Step, meta.Episode())
		}
		again, _ := trainFake(t, c, dir, true)
		if again.start.Step != stop || again.start.Episode != stop/4 {
			t.Errorf("stopped after step %d: resumes after step %d, episode %d", stop, again.start.Step, again.start.Episode)
		}
		sameEnd(t, fmt.Sprintf("stopped after step %d", stop), dir, whole)
	}
}

// TestAPassThatHasBegunIsCounted: a run that was stopped within its second pass cannot end after the first.
func TestAPassThatHasBegunIsCounted(t *testing.T) {
	c, dir := passConfig(t, 1), t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	rec := &recorder{onStep: func(number int) {
		if number == 5 {
			cancel()
		}
	}}
	if _, err := runWith(ctx, newFake, c, dir, false, rec); !errors.Is(err, ErrStopped) {
		t.Fatal(err)
	}
	c.Train.Episodes = 1
	_, err := runWith(context.Background(), newFake, c, dir, true, &recorder{})
	want := "the run is in episode 2, train.episodes is 1; write train.episodes=2 or more"
	if !badinput.Is(err) || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
}

// TestTheRateFallsOverPasses: a cosine is spread over all steps of all episodes.
func TestTheRateFallsOverPasses(t *testing.T) {
	c := passConfig(t, 1).Train
	c.Schedule, c.WarmUp = runconfig.Cosine, 0
	if s := c.RateSchedule(4); s.Steps != 24 {
		t.Errorf("six passes over four tasks have a cosine over %d steps, want 24", s.Steps)
	}
	c.EpisodeUnit = runconfig.EpisodeStep
	if s := c.RateSchedule(4); s.Steps != 6 {
		t.Errorf("six steps have a cosine over %d steps", s.Steps)
	}
}
