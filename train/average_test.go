package train

import (
	"context"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"pacia/model"
	"pacia/model/methods"
	"pacia/ops"
	"pacia/run/checkpoint"
	"pacia/run/runconfig"
	"pacia/run/rundir"
)

// averaged are settings of a run that averages over about 12 steps.
func averaged(t *testing.T, episodes int) runconfig.Config {
	c := tinyConfig(t)
	c.Train.Average, c.Train.Episodes, c.Train.EvaluateEvery, c.Train.CheckpointEvery = 12, episodes, 10, 5
	c.Train.Selection, c.Train.LearningRate = runconfig.SelectLast, 1e-3
	return c
}

// numbersOf are the tensors of a checkpoint, by name.
func numbersOf(t *testing.T, path string) map[string][]float64 {
	t.Helper()
	values := map[string][]float64{}
	tensors, _ := content(t, path)
	for name, bits := range tensors {
		for _, b := range bits {
			values[name] = append(values[name], float64(math.Float32frombits(b)))
		}
	}
	return values
}

// TestTheAverageOfARun: best.ckpt has the average of the states after 10, 20 and 30 steps by
// loops, the last with the least share, and after 10 and 20 of a GPU's steps. Many of these are under way at once.
func TestTheAverageOfARun(t *testing.T) {
	for _, name := range []string{"loops", "a GPU's steps"} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && name != "loops" {
				t.Skip("takes seconds")
			}
			var want map[string][]float64
			var dir string
			shares := []float64{1, 9. / 10, 10. / 12}
			if name != "loops" {
				shares = shares[:2]
			}
			for i, share := range shares {
				c := averaged(t, 10*(i+1))
				build := builder(newTrainee)
				if name != "loops" {
					build, c = onKernels(c)
				}
				dir = t.TempDir()
				runWithSteps(t, build, c, dir, false)
				state := numbersOf(t, filepath.Join(dir, rundir.LastFile))
				if want == nil {
					want = state
				}
				for name, values := range state {
					for j, v := range values {
						want[name][j] += share * (v - want[name][j])
					}
				}
			}
			got := numbersOf(t, filepath.Join(dir, rundir.BestFile))
			loadsAs(t, filepath.Join(dir, rundir.LastFile), got)
			if len(got) == 0 {
				t.Fatal("best.ckpt has no tensors")
			}
			for name, values := range got {
				for j, v := range values {
					if math.Abs(v-want[name][j]) > 1e-6*(1+math.Abs(v)) {
						t.Fatalf("%s, entry %d: %v, want %v", name, j, v, want[name][j])
					}
				}
			}
		})
	}
}

// loadsAs compares the model that predicts by a checkpoint with the weights wanted.
func loadsAs(t *testing.T, path string, want map[string][]float64) {
	t.Helper()
	err := ops.Pinned(1, func() error {
		m, _, err := load(path)
		if err != nil {
			return err
		}
		defer m.Drop()
		for _, p := range m.Parameters() {
			values, err := ops.Read(p.Tensor)
			if err != nil {
				return err
			}
			for i, v := range values {
				if float64(v) != want[p.Name][i] {
					t.Fatalf("%s: %s, entry %d is loaded as %v, want %v", path, p.Name, i, v, want[p.Name][i])
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestTheAverageIsSaved: best.ckpt gives the figures of its run, with tensors derived from the weights,
// with tensors that are compared for equality, and without training steps.
func TestTheAverageIsSaved(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for method, settings := range map[string][]string{
		"kernel": {"model.encoder=fingerprint", "train.learning_rate=0.01"},
		"proto":  {"model.encoder=fingerprint", "model.descriptors=true"},
		"single": {"train.episodes=0"},
	} {
		c, rec := averaged(t, 40), &recorder{}
		var err error
		if c.Model, err = methods.ForPreset(model.Paper, method); err != nil {
			t.Fatal(err)
		}
		shrink(t, &c)
		assign(t, &c, settings...)
		c.Train.FineTune = model.Tuning{Steps: 5, LearningRate: 0.01}
		if _, err := Run(context.Background(), c, t.TempDir(), false, rec); err != nil {
			t.Fatalf("%s: %v", method, err)
		}
		last, selected := rec.evaluations[len(rec.evaluations)-1], rec.selected[0]
		if selected.TestMean[0] != last.TestMean[0] || last.TestMean[0] == 0.5 {
			t.Errorf("%s: best.ckpt has a ROC-AUC of %v, its evaluation of %v", method, selected.TestMean[0], last.TestMean[0])
		}
	}
}

// TestAnAveragedRunResumes bit for bit, the average among it.
func TestAnAveragedRunResumes(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	c, whole, dir := averaged(t, 20), t.TempDir(), t.TempDir()
	runWithSteps(t, newTrainee, c, whole, false)
	ctx, stop := context.WithCancel(context.Background())
	rec := &recorder{onStep: func(episode int) {
		if episode == 13 {
			stop()
		}
	}}
	if _, err := Run(ctx, c, dir, false, rec); err == nil {
		t.Fatal("the run did not stop")
	}
	runWithSteps(t, newTrainee, c, dir, true)
	sameEnd(t, "stopped at 13", dir, whole)
	tensors, _ := content(t, filepath.Join(dir, rundir.LastFile))
	averages := 0
	for name := range tensors {
		if strings.HasPrefix(name, checkpoint.AveragePrefix) {
			averages++
		}
	}
	if averages == 0 {
		t.Error("last.ckpt keeps no average")
	}
}
