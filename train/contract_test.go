package train

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"pacia/model"
	"pacia/model/methods"
	"pacia/run/runconfig"
)

// TestEveryMethodResumes is the trainer's part of the contract of a method (the rest
// is tested beside the table): a run that was stopped in the middle ends with the
// bits of one that was not, parameters, running averages and moments, and its figures.
func TestEveryMethodResumes(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for i, spec := range methods.All {
		presets := []string{model.Paper, model.Reference}
		if spec.Name != "pacia" { // a preset changes little more than the norm of the others, which take turns
			presets = presets[i%2 : i%2+1]
		}
		for _, preset := range presets {
			t.Run(spec.Name+"/"+preset, func(t *testing.T) {
				c := tinyConfig(t)
				var err error
				if c.Model, err = methods.ForPreset(preset, spec.Name); err != nil {
					t.Fatal(err)
				}
				shrink(t, &c)
				shrinkOwn(t, &c)
				if spec.Traits.Untrained {
					c.Train.Episodes = 0
				}
				if spec.Traits.Tunes {
					c.Train.FineTune = model.Tuning{Steps: 2, LearningRate: 0.01}
				}
				resumes(t, spec.Name, c)
			})
		}
	}
}

// TestAFrozenEncoderResumes: what a method freezes has no moments in the checkpoint, and stays frozen.
func TestAFrozenEncoderResumes(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	resumes(t, "frozen", frozen(t))
}

// shrinkOwn makes the networks of a method's own narrow, the one for each pair of molecules
// first of all.
func shrinkOwn(t *testing.T, c *runconfig.Config) {
	t.Helper()
	for _, text := range []string{"model.properties.similarity=8", "model.adapter.width=4", "model.graph.width=8"} {
		name, _, _ := strings.Cut(text, "=")
		if slices.Contains(methods.Owners(name), c.Model.Method) {
			assign(t, c, text)
		}
	}
}

// resumes stops a run of four episodes after the third, between its evaluations, resumes
// it, and compares it with a run that was not stopped. It returns the folder of the latter.
func resumes(t *testing.T, name string, c runconfig.Config) (dir string) {
	t.Helper()
	c.Train.Episodes, c.Train.EvaluateEvery, c.Train.CheckpointEvery = min(c.Train.Episodes, 4), 2, 2
	whole, dir := t.TempDir(), t.TempDir()
	if _, err := Run(context.Background(), c, whole, false, &recorder{}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	rec := &recorder{onStep: func(episode int) {
		if episode == 3 {
			cancel()
		}
	}}
	if _, err := Run(ctx, c, dir, false, rec); err != nil && !errors.Is(err, ErrStopped) {
		t.Fatal(err)
	}
	if _, err := Run(context.Background(), c, dir, true, &recorder{}); err != nil {
		t.Fatal(err)
	}
	sameEnd(t, name, dir, whole)
	return whole
}
