package pacia

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pacia/harness/modeltest"
	"pacia/internal/badinput"
	"pacia/model"
	"pacia/ops"
)

// pnaConfig is FS-Mol's model, narrow.
func pnaConfig(t *testing.T) config {
	t.Helper()
	c := small(t, model.Paper).of("pna")
	c.Readout, c.Jump = "combined", "concat"
	return c
}

// awake increases α, which begins at 1e-7, so that the blocks have an effect.
func awake(t *testing.T, m *model.Model) *model.Model {
	t.Helper()
	for _, p := range m.Parameters() {
		if p.Size() == 1 && len(p.Name) > 6 && p.Name[len(p.Name)-6:] == ".alpha" {
			if err := ops.Write(p.Tensor, []float64{0.3}); err != nil {
				t.Fatal(err)
			}
		}
	}
	return m
}

// TestPNALearns: the loss of one batch falls.
func TestPNALearns(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	modeltest.Locked(t, 1)
	m := newTest(t, pnaConfig(t), false)
	adam := modeltest.Optimiser(t, m)
	b := modeltest.Readable(m, modeltest.Joined(t, modeltest.RandomStore(20, 40), modeltest.Task(0, 3, 8), modeltest.Task(20, 3, 8)))
	var losses []float64
	for range 40 {
		loss, err := m.Backward(b, 1)
		if err == nil {
			_, err = adam.Step()
		}
		if err != nil {
			t.Fatal(err)
		}
		losses = append(losses, loss)
	}
	if first, last := losses[0], losses[len(losses)-1]; !(last < 0.7*first) {
		t.Errorf("the loss is %v at first and %v after %d steps", first, last, len(losses))
	}
}

// TestPNAScoresInBatches: the score of a query does not depend on other queries, nor on
// their order.
func TestPNAScoresInBatches(t *testing.T) {
	modeltest.Locked(t, 1)
	m := awake(t, newTest(t, pnaConfig(t), true))
	store := modeltest.RandomStore(21, 40)
	e := modeltest.Task(0, 3, 20)
	a := modeltest.Adapt(t, m, store, e)
	want, _ := modeltest.Scores(t, m, a, store, e.Query, len(e.Query))
	for _, size := range []int{1, 7} {
		got, _ := modeltest.Scores(t, m, a, store, e.Query, size)
		modeltest.Close(t, "P(active) in batches", got, want, modeltest.Float32ULP)
	}
	back := slices.Clone(e.Query)
	slices.Reverse(back)
	got, _ := modeltest.Scores(t, m, a, store, back, 20)
	slices.Reverse(got)
	modeltest.Close(t, "P(active) in the other order", got, want, modeltest.Float32ULP)
}

// TestPNADifferences: along random directions, differences of the loss agree with the
// gradients. With a step of 1e-6, rounding and curvature change slopes of 1 and more
// by 1e-9. Few maxima and ReLUs change sides within the step.
func TestPNADifferences(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, jump := range []string{"last", "concat"} {
		t.Run(jump, func(t *testing.T) {
			modeltest.Locked(t, 1)
			c := pnaConfig(t)
			c.Jump = jump
			m := awake(t, newTest(t, c, true))
			b := modeltest.Readable(m, modeltest.Joined(t, modeltest.RandomStore(22, 20), modeltest.Task(0, 2, 4)))
			_, grads := modeltest.Backward(t, m, b, 1)
			r := rand.New(rand.NewPCG(1, 2))
			for range 3 {
				slope, there := modeltest.Slope(t, m, r, grads, b)
				if math.Abs(slope-there) > 1e-5*(1+math.Abs(slope)) {
					t.Errorf("the loss has the slope %.9g, by the gradient %.9g", there, slope)
				}
			}
		})
	}
}

// TestAtomsThatTheEncoderCannotRead: the error names the setting to write.
func TestAtomsThatTheEncoderCannotRead(t *testing.T) {
	modeltest.Locked(t, 1)
	b := modeltest.Joined(t, modeltest.RandomStore(23, 20), modeltest.Task(0, 2, 4))
	m := newTest(t, pnaConfig(t), false)
	_, err := m.Backward(b, 1)
	modeltest.Fails(t, err, "model.encoder: pna", "write gin")
	if !badinput.Is(err) {
		t.Errorf("%v is not a fault of what was written", err)
	}
	_, err = newTest(t, small(t, model.Paper), false).Backward(modeltest.Featured(b), 1)
	modeltest.Fails(t, err, "model.encoder: gin", "write pna")
}
