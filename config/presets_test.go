package config

import (
	"context"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pacia/model"
	"pacia/ops"
	"pacia/run/rundir"
	"pacia/train"
)

// small makes a step of any preset take some hundredths of a second, on embedded data.
// The sizes do not matter to the test.
var small = []string{
	"data.path=embedded", "data.split=0-5,22-25/34", "threads=1", "train.tasks_per_step=1", "episode.queries=4",
	"model.width=16",
}

// TestEveryPresetTrains trains one episode with each preset, with model.preset=paper and
// =reference. If several presets have the same settings of a step, only the first one trains.
func TestEveryPresetTrains(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	clean(t)
	encoder := smallEncoder(t)
	made := map[string]bool{}
	for _, preset := range combinations() {
		for _, reading := range []string{model.Paper, model.Reference} {
			set := append([]string{"model.preset=" + reading}, small...)
			c := load(t, Options{Preset: preset, Set: set})
			if c.Model.Pretrained != "" {
				set = append(set, "model.pretrained="+encoder)
			}
			if slices.Contains(owners["model.relation.width"], c.Model.Method) {
				set = append(set, "model.relation.width=8")
			}
			if c.Train.Episodes == 0 {
				continue // nothing to train: loading the settings is the test
			}
			c = load(t, Options{Preset: preset, Set: set})
			same := ofAStep(t, c)
			if made[same] {
				continue
			}
			made[same] = true
			if loss, err := oneStep(c); err != nil || math.IsNaN(loss) || math.IsInf(loss, 0) || loss <= 0 {
				t.Errorf("preset %s as in %s: the first episode has a loss of %v: %v", preset, reading, loss, err)
			}
		}
	}
}

// combinations returns the presets that are complete by themselves, and the names of earlier
// versions, which combine all others.
func combinations() []string {
	beside := map[string]bool{}
	for _, names := range former() {
		for _, name := range strings.Split(names, ", ")[1:] {
			beside[name] = true
		}
	}
	alone := slices.DeleteFunc(Presets(), func(name string) bool { return beside[name] })
	return append(alone, slices.Sorted(maps.Keys(former()))...)
}

// ofAStep returns c as text, with fixed values of settings that the first step does not depend on.
func ofAStep(t *testing.T, c Config) string {
	t.Helper()
	c.Seed, c.Model.Preset = 0, "" // the settings of the model's preset are in c
	c.Train.Episodes, c.Train.EvaluateEvery, c.Train.CheckpointEvery = 1, 0, 0
	c.Train.EvaluationDraws, c.Train.ValidationDraws, c.Train.AdaptivityDraws, c.Train.AdaptivityQueries = 1, 1, 1, 2
	var text strings.Builder
	if err := Write(&text, c); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// smallEncoder trains a model of size small, and returns its file for model.pretrained.
func smallEncoder(t *testing.T) string {
	t.Helper()
	set := append([]string{"train.episodes=1", "train.evaluate_every=0", "train.selection=last", "train.evaluation_draws=1",
		"train.adaptivity=never"}, small...)
	dir := t.TempDir()
	if _, err := train.Run(context.Background(), load(t, Options{Preset: "tox21-10shot", Set: set}), dir, false, silent{}); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "last.ckpt")
}

// oneStep returns the loss of a run's first episode.
func oneStep(c Config) (loss float64, err error) {
	err = ops.Pinned(c.Threads, func() error {
		w, err := train.OpenWorkbench(context.Background(), c)
		if err != nil {
			return err
		}
		defer w.Close()
		b, err := w.Draw(1, c.Train.TasksPerStep, c.Episode.Shots)
		if err != nil {
			return err
		}
		loss, err = w.Step(b, 1)
		return err
	})
	return loss, err
}

// silent is a train.Reporter that prints nothing.
type silent struct{}

func (silent) Start(train.StartInfo)        {}
func (silent) Step(rundir.Step)             {}
func (silent) Evaluation(rundir.Evaluation) {}
func (silent) Done(rundir.Summary)          {}
