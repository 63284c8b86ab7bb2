package adkf

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

// TestThreeNumbers: the method has no parameters of its own, and adapts three numbers.
func TestThreeNumbers(t *testing.T) {
	modeltest.Locked(t, 1)
	m := modeltest.New(t, Spec, modeltest.Small(t, Spec, model.Paper), model.Options{})
	if parts := m.Counts(); len(parts) != 1 || parts[0].Part != "encoder" || m.Adaptive() != 3 {
		t.Errorf("the parameters are %v; %d are adapted; want the encoder's alone, and 3", parts, m.Adaptive())
	}
}
