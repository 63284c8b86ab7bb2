package train

import (
	"context"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pacia/data"
	"pacia/evaluate"
	"pacia/metrics"
	"pacia/model"
	"pacia/model/methods"
	"pacia/ops"
	"pacia/run/runconfig"
	"pacia/run/rundir"
)

// baselineConfig is tinyConfig with a method that fine-tunes.
func baselineConfig(t *testing.T, method string) runconfig.Config {
	t.Helper()
	c := tinyConfig(t)
	var err error
	if c.Model, err = methods.ForPreset(c.Model.Preset, method); err != nil {
		t.Fatal(err)
	}
	shrink(t, &c)
	c.Train.FineTune = model.Tuning{Steps: 2, LearningRate: 0.01}
	return c
}

// headsPrefix starts the names of a multitask model's classifiers.
const headsPrefix = "multitask."

// TestLoadedBaselines: last.ckpt gives the figures of its run with the requested number
// of gradient steps.
func TestLoadedBaselines(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, method := range []string{"finetune", "multitask"} {
		c, dir, rec := baselineConfig(t, method), t.TempDir(), &recorder{}
		c.Train.Episodes = 4
		if _, err := Run(context.Background(), c, dir, false, rec); err != nil {
			t.Fatal(err)
		}
		keepsHeads(t, method, dir, c.Model.Width)
		r := openAssays(t, c)
		err := ops.Pinned(1, func() error {
			m, meta, err := load(filepath.Join(dir, rundir.LastFile))
			if err != nil {
				return err
			}
			defer m.Drop()
			figures := func() []metrics.Figures {
				times := 0
				o := evaluate.OptionsOf(c, uint64(meta.Episode()))
				adapt := evaluate.Timed(evaluate.AdapterOf(m), func(d time.Duration) {
					if times++; d <= 0 {
						t.Errorf("%s: adapting took %v", method, d)
					}
				})
				got, _, err := evaluate.Tasks(context.Background(), adapt, r.data, r.tasks.test, o)
				if err != nil || times != len(r.tasks.test) {
					t.Fatalf("%s: %d of %d tasks were adapted to (%v)", method, times, len(r.tasks.test), err)
				}
				return got
			}
			want := rec.evaluations[len(rec.evaluations)-1].Test
			if got := figures(); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: last.ckpt gives %v, its run had %v", method, got, want)
			}
			m.Tune(model.Tuning{Steps: 40, LearningRate: 0.05})
			if reflect.DeepEqual(figures(), want) {
				t.Errorf("%s: 40 steps in place of 2 change nothing", method)
			}
			m.Tune(c.Train.FineTune)
			if got := figures(); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: after evaluations last.ckpt gives %v, before %v", method, got, want)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// keepsHeads: last.ckpt has the classifiers of the training tasks, best.ckpt none.
func keepsHeads(t *testing.T, method, dir string, width int) {
	t.Helper()
	tensors, _ := content(t, filepath.Join(dir, rundir.LastFile))
	best, _ := content(t, filepath.Join(dir, rundir.BestFile))
	heads := len(tensors[headsPrefix+"classifiers.weight"])
	// One of the five training tasks is held out for validation.
	if want := map[string]int{"multitask": 4 * 2 * width}[method]; heads != want {
		t.Errorf("%s: last.ckpt has %d weights of classifiers, want %d", method, heads, want)
	}
	for name := range best {
		if strings.HasPrefix(name, headsPrefix) {
			t.Errorf("%s: best.ckpt holds %s, which prediction does not need", method, name)
		}
	}
}

// TestMultitaskLearns: the classifiers learn their training tasks, and the encoder learns
// features that help on a test task with enough examples.
func TestMultitaskLearns(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	c := baselineConfig(t, "multitask")
	c.Data.Path, c.Data.Split = "embedded", "auto"
	c.Model.Width, c.Model.Layers, c.Model.Dropout = 32, 3, 0.1
	c.Episode = runconfig.Episode{Shots: 10, Queries: 16}
	c.Train.Selection, c.Train.Episodes, c.Train.TasksPerStep, c.Train.EvaluateEvery = runconfig.SelectLast, 40, 8, 0
	c.Train.LearningRate = 0.003
	c.Train.FineTune = model.Tuning{Steps: 30, LearningRate: 0.003}
	dir, rec := t.TempDir(), &recorder{}
	if _, err := Run(context.Background(), c, dir, false, rec); err != nil {
		t.Fatal(err)
	}
	late := 0.0
	for _, s := range rec.steps[20:] {
		late += s.Loss / 20
	}
	auc := rec.evaluations[0].TestMean[0]
	t.Logf("loss %.3f, then %.3f; test ROC-AUC %.3f", rec.steps[0].Loss, late, auc)
	if !(late < 0.85*math.Ln2) {
		t.Errorf("the loss of the second half is %.3f; an untrained model has %.3f", late, math.Ln2)
	}
	if !(auc > 0.6) {
		t.Errorf("ROC-AUC %.3f of held-out tasks, want more than 0.6", auc)
	}
}

func TestSettingsOfBaselines(t *testing.T) {
	for _, tt := range []struct {
		change func(*runconfig.Config)
		want   string
	}{
		{func(c *runconfig.Config) { c.Train.FineTune.Steps = -1 }, "train.finetune.steps: -1"},
		{func(c *runconfig.Config) { c.Train.FineTune.LearningRate = 11 }, "train.finetune.rate: 11"},
		{func(c *runconfig.Config) { c.Train.FineTune.Steps = 0 }, "train.finetune.steps: 0 steps leave"},
	} {
		c := baselineConfig(t, "multitask")
		if err := c.Validate(); err != nil {
			t.Fatal(err)
		}
		tt.change(&c)
		if err := c.Validate(); err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("got %v, want an error that starts with %q", err, tt.want)
		}
	}
}

// TestTasksOfABatch: a batch has the number in the data set of each of its tasks.
func TestTasksOfABatch(t *testing.T) {
	r := openAssays(t, assaysConfig(t))
	s, err := r.episodes.draw(1)
	if err != nil {
		t.Fatal(err)
	}
	var want []int32
	for _, e := range s.Tasks {
		want = append(want, int32(e.Task))
	}
	if !slices.Equal(s.Batch.TaskNumber, want) || len(want) != 2 {
		t.Errorf("the tasks are %v, want %v", s.Batch.TaskNumber, want)
	}
	if one, err := data.Assemble(r.data.Store, s.Tasks[:1]); err != nil || !slices.Equal(one.TaskNumber, want[:1]) {
		t.Errorf("the batch of one of them is not of the tasks %v (%v)", want[:1], err)
	}
}
