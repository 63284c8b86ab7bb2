package siamese

import (
	"testing"

	"pacia/harness/modeltest"
	"pacia/model"
	"pacia/model/shared/matching"
)

// TestEveryReading takes a training step and scores, with each encoder, readout, and
// statistics of batch norm.
func TestEveryReading(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	modeltest.Locked(t, 1)
	modeltest.NewExercise(t, Spec).EveryReading(t)
}

// TestMeans is TestEveryReading with fewer encoders, for MHNfs' form.
func TestMeans(t *testing.T) {
	modeltest.Locked(t, 1)
	x := modeltest.NewExercise(t, Spec)
	for _, encoder := range []string{"gin", "pna", "fingerprint"} {
		for _, cosine := range []bool{false, true} {
			c := modeltest.Small(t, Spec, model.Paper)
			c.Own, c.Encoder, c.Width = matching.Settings{Similarity: "mean", Cosine: cosine}, encoder, 8
			x.Run(t, encoder, c)
		}
	}
}

// TestNothingBesideTheEncoder: the method has no parameters of its own, and adapts none.
func TestNothingBesideTheEncoder(t *testing.T) {
	modeltest.Locked(t, 1)
	m := modeltest.New(t, Spec, modeltest.Small(t, Spec, model.Paper), model.Options{})
	if parts := m.Counts(); len(parts) != 1 || parts[0].Part != "encoder" || m.Adaptive() != 0 {
		t.Errorf("the parameters are %v; %d are adapted; want the encoder's alone, and none", parts, m.Adaptive())
	}
}
