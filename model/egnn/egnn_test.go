package egnn

import (
	"testing"

	"pacia/harness/modeltest"
	"pacia/model"
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

// TestParameters: 592,995 for vectors of width 300, as published. None of them is adapted.
func TestParameters(t *testing.T) {
	modeltest.Locked(t, 1)
	c := modeltest.Small(t, Spec, model.Paper)
	c.Width = 300
	m := modeltest.New(t, Spec, c, model.Options{})
	if parts := m.Counts(); len(parts) != 2 || parts[1].Part != "graph" || parts[1].Count != 592_995 || m.Adaptive() != 0 {
		t.Errorf("the parameters are %v; %d are adapted; want 592,995 of the graph, and none", parts, m.Adaptive())
	}
}
