package finetune

import (
	"testing"

	"pacia/harness/modeltest"
	"pacia/model"
	"pacia/model/shared/predictor"
)

// small returns a preset with narrow layers and no dropout.
func small(t *testing.T, preset string) model.Config {
	t.Helper()
	c := modeltest.Small(t, Spec, preset)
	own := c.Own.(predictor.Settings)
	own.Relation.Layers, own.Relation.Width = 3, 5
	c.Own = own
	return c
}

// TestEveryReading takes a training step, a step of fine-tuning, and scores at the
// last relation layer, with each preset, encoder, and statistics of batch norm.
func TestEveryReading(t *testing.T) {
	modeltest.Locked(t, 1)
	x := modeltest.NewExercise(t, Spec)
	x.Deep = func(depth int32) bool { return depth == 3 }
	for _, preset := range []string{model.Paper, model.Reference} {
		for _, encoder := range []string{"gin", "gat", "pna"} {
			for _, norm := range []string{"running", "support"} {
				c := small(t, preset)
				c.Encoder, c.Width, c.Norm = encoder, 8, norm
				x.Run(t, preset+"/"+encoder+"/"+norm, c)
			}
		}
	}
}

// TestStepper: steps from a slab are those of the batches themselves.
func TestStepper(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	modeltest.Emulated(t)
	c := small(t, model.Paper)
	c.Dropout = 0.3
	modeltest.NewTraining(t, Spec, c).Compare()
}

// TestAdaptiveParameters: fine-tuning adapts all.
func TestAdaptiveParameters(t *testing.T) {
	m := modeltest.New(t, Spec, small(t, model.Paper), model.Options{})
	all := 0
	for _, p := range m.Parameters() {
		all += p.Size()
	}
	if m.Adaptive() != all {
		t.Errorf("finetune adapts %d parameters of %d", m.Adaptive(), all)
	}
}
