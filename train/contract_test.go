package train

import (
	"context"
	"errors"
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

// resumes stops a run in the middle, resumes it, and compares it with a run that was not
// stopped. It returns the folder of the latter.
func resumes(t *testing.T, name string, c runconfig.Config) (dir string) {
	t.Helper()
	whole, dir := t.TempDir(), t.TempDir()
	if _, err := Run(context.Background(), c, whole, false, &recorder{}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	rec := &recorder{onStep: func(episode int) {
		if episode == 5 {
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
