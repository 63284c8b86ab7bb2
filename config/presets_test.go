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

// small makes a step of any preset one of some hundredths of a second, on data
// that are there: its sizes are not what it is about.
var small = []string{
	"data.path=embedded", "data.split=0-5,22-25/34-38", "threads=1", "train.tasks_per_step=1", "episode.queries=4",
	"model.width=32",
}

// TestEveryPresetTrains makes an episode with each of the built-in settings, as
// the paper and as the published code reads the method.
func TestEveryPresetTrains(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	clean(t)
	encoder := smallEncoder(t)
	for _, preset := range combinations() {
		for _, reading := range []string{model.Paper, model.Reference} {
			set := append([]string{"model.preset=" + reading}, small...)
			c := load(t, Options{Preset: preset, Set: set})
			if c.Model.Pretrained != "" {
				set = append(set, "model.pretrained="+encoder)
			}
			if slices.Contains(owners["model.relation.width"], c.Model.Method) {
				set = append(set, "model.relation.width=16")
			}
			if c.Train.Episodes == 0 {
				continue // nothing to train: the settings themselves are what can be wrong
			}
			if loss, err := oneStep(load(t, Options{Preset: preset, Set: set})); err != nil || math.IsNaN(loss) || math.IsInf(loss, 0) || loss <= 0 {
				t.Errorf("preset %s as in %s: the first episode has a loss of %v: %v", preset, reading, loss, err)
			}
		}
	}
}

// combinations are the presets that stand alone, and those of earlier versions, in which
// all others occur.
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

// smallEncoder is a file for model.pretrained.
func smallEncoder(t *testing.T) string {
	t.Helper()
	set := append([]string{"train.episodes=1", "train.evaluate_every=0", "train.selection=last"}, small...)
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

// silent hears of a run and says nothing.
type silent struct{}

func (silent) Start(train.StartInfo)        {}
func (silent) Step(rundir.Step)             {}
func (silent) Evaluation(rundir.Evaluation) {}
func (silent) Done(rundir.Summary)          {}
