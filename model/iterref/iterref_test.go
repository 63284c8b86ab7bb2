package iterref

import (
	"slices"
	"testing"

	"pacia/harness/modeltest"
	"pacia/model"
	"pacia/model/shared/matching"
	"pacia/model/siamese"
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

// TestForms is TestEveryReading with fewer encoders, for MHNfs' form and for a support set
// that is not refined.
func TestForms(t *testing.T) {
	modeltest.Locked(t, 1)
	x := modeltest.NewExercise(t, Spec)
	for _, encoder := range []string{"gin", "pna", "fingerprint"} {
		for _, support := range []bool{false, true} {
			c := modeltest.SmallWith(t, Spec, func(s *Settings) {
				s.Similarity, s.Refinement = "mean", matching.Refinement{Steps: 2, Cell: "sigmoid", Support: support}
			})
			c.Encoder, c.Width = encoder, 8
			x.Run(t, encoder, c)
		}
	}
}

// TestWithoutSteps: without steps it equals the Siamese network, bit for bit.
func TestWithoutSteps(t *testing.T) {
	modeltest.Locked(t, 1)
	store := modeltest.RandomStore(3, 24)
	without := modeltest.SmallWith(t, Spec, func(s *Settings) { s.Refinement.Steps = 0 })
	got := modeltest.OutcomeOf(t, Spec, without, store)
	want := modeltest.OutcomeOf(t, siamese.Spec, modeltest.Small(t, siamese.Spec, model.Paper), store)
	if len(got) != len(want) {
		t.Errorf("%d numbers of a model, want %d", len(got), len(want))
	}
	for name := range want {
		if !slices.Equal(got[name], want[name]) {
			t.Errorf("%s is %v, of the Siamese network %v", name, got[name], want[name])
		}
	}
}

// TestParameters: a refinement of vectors of width d has two LSTMs of 4d (2d + d + 1)
// parameters. In DeepChem's form their forget gates begin open.
func TestParameters(t *testing.T) {
	modeltest.Locked(t, 1)
	m := modeltest.New(t, Spec, modeltest.Small(t, Spec, model.Paper), model.Options{})
	const d = 6
	parts := m.Counts()
	if len(parts) != 2 || parts[1].Part != "refinement" || parts[1].Count != 2*4*d*(3*d+1) || m.Adaptive() != 0 {
		t.Errorf("the parameters are %v; %d are adapted; want %d of the refinement, and none", parts, m.Adaptive(), 2*4*d*(3*d+1))
	}
	for _, p := range m.Parameters() {
		if p.Name != "refinement.query.bias" {
			continue
		}
		want := make([]float64, 4*d)
		for i := range d {
			want[d+i] = 1
		}
		modeltest.Near(t, p.Name, modeltest.Values(t, p), want, 0)
	}
}
