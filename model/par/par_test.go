package par

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

// TestPublishedSize: for molecules of width 300 and nodes of width 128, the published head
// has 577,076 parameters. A step adapts 380,210 of them, the 0.38 M of PACIA's Table 3.
func TestPublishedSize(t *testing.T) {
	modeltest.Locked(t, 1)
	c := modeltest.Small(t, Spec, model.Reference)
	c.Width = 300
	m := modeltest.New(t, Spec, c, model.Options{})
	counts := map[string]int{}
	for _, part := range m.Counts() {
		counts[part.Part] = part.Count
	}
	if counts["relation graph"] != 196_866 || counts["context"]+counts["projection"]+counts["classifier"] != m.Adaptive() || m.Adaptive() != 380_210 {
		t.Errorf("the parameters are %v; %d are adapted", counts, m.Adaptive())
	}
}
