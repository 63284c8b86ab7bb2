package proto

import (
	"testing"

	"pacia/harness/modeltest"
	"pacia/model"
)

// TestEveryReading takes a training step and scores, with each encoder, readout,
// and statistics of batch norm.
func TestEveryReading(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	modeltest.Locked(t, 1)
	modeltest.NewExercise(t, Spec).EveryReading(t)
}

// TestMetrics is TestEveryReading with each other metric and fewer encoders.
func TestMetrics(t *testing.T) {
	modeltest.Locked(t, 1)
	x := modeltest.NewExercise(t, Spec)
	for _, metric := range []string{"cosine", dot, mahalanobis} {
		for _, encoder := range []string{"gin", "pna", "fingerprint"} {
			c := modeltest.Small(t, Spec, model.Paper)
			own := c.Own.(Settings)
			own.Metric = metric
			c.Own, c.Encoder, c.Width = own, encoder, 8
			x.Run(t, metric+"/"+encoder, c)
		}
	}
}

// TestNothingBesideTheEncoder: the method has no parameters of its own, and adapts
// none.
func TestNothingBesideTheEncoder(t *testing.T) {
	modeltest.Locked(t, 1)
	m := modeltest.New(t, Spec, modeltest.Small(t, Spec, model.Paper), model.Options{})
	if parts := m.Counts(); len(parts) != 1 || parts[0].Part != "encoder" || m.Adaptive() != 0 {
		t.Errorf("the parameters are %v; %d are adapted; want the encoder's alone, and none", parts, m.Adaptive())
	}
}

// TestStepper: steps on a GPU, with padded batches in a slab, have the same results as
// steps on the batches themselves.
func TestStepper(t *testing.T) {
	modeltest.Emulated(t)
	modeltest.NewTraining(t, Spec, modeltest.Small(t, Spec, model.Paper)).Compare()
}
