package model

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pacia/data"
	"pacia/fault"
	"pacia/ops"
)

// readable is a batch with what the model's encoder reads: for PNA features in
// place of categories.
func readable(m *Model, b *data.Batch) *data.Batch {
	if m.config.Encoder != "pna" || len(b.Features) > 0 {
		return b
	}
	return featured(b)
}

// featured is a batch whose atoms have features that depend on their categories,
// and bonds of three types without directions.
func featured(from *data.Batch) *data.Batch {
	b := *from
	b.Atoms, b.Bond = nil, slices.Clone(from.Bond)
	for i := 0; i < len(from.Atoms); i += 2 {
		r := rand.New(rand.NewPCG(uint64(from.Atoms[i]), uint64(from.Atoms[i+1])))
		for range 32 {
			b.Features = append(b.Features, float32(r.NormFloat64()))
		}
	}
	for i := 0; i < len(b.Bond); i += 2 {
		b.Bond[i], b.Bond[i+1] = b.Bond[i]%3, 0
	}
	return &b
}

// pnaConfig is FS-Mol's model, narrow.
func pnaConfig(t *testing.T) Config {
	t.Helper()
	c := small(t, Paper).of("pna")
	c.Readout, c.Jump = "combined", "concat"
	return c
}

// awake gives the blocks a say: α begins at 1e-7.
func awake(t *testing.T, m *Model) *Model {
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
	locked(t, 2)
	m := newTest(t, pnaConfig(t), false)
	adam := optimiser(t, m)
	b := readable(m, joined(t, randomStore(20, 40), task(0, 3, 8), task(20, 3, 8)))
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

// TestPNAScoresInBatches: queries do not see each other, nor does their order
// matter.
func TestPNAScoresInBatches(t *testing.T) {
	locked(t, 2)
	m := awake(t, newTest(t, pnaConfig(t), true))
	store := randomStore(21, 40)
	e := task(0, 3, 20)
	a := adapted(t, m, store, e)
	want, _ := scores(t, m, a, store, e.Query, len(e.Query))
	for _, size := range []int{1, 7} {
		got, _ := scores(t, m, a, store, e.Query, size)
		comparison{t, float32ulp}.close("P(active) in batches", got, want)
	}
	back := slices.Clone(e.Query)
	slices.Reverse(back)
	got, _ := scores(t, m, a, store, back, 20)
	slices.Reverse(got)
	comparison{t, float32ulp}.close("P(active) in the other order", got, want)
}

// TestPNADifferences: the loss moves along random directions as the gradients
// say. A step of 1e-6 leaves 1e-9 of the loss's own rounding and curvature, of
// slopes of 1 and more; few of the maxima and ReLUs turn within it.
func TestPNADifferences(t *testing.T) {
	for _, jump := range []string{"last", "concat"} {
		t.Run(jump, func(t *testing.T) {
			locked(t, 2)
			c := pnaConfig(t)
			c.Jump = jump
			m := awake(t, newTest(t, c, true))
			b := readable(m, joined(t, randomStore(22, 20), task(0, 2, 4)))
			_, grads := backward(t, m, b, 1)
			r := rand.New(rand.NewPCG(1, 2))
			for range 3 {
				slope, there := m.directional(t, r, grads, b)
				if math.Abs(slope-there) > 1e-5*(1+math.Abs(slope)) {
					t.Errorf("the loss rises by %.9g, the gradient says %.9g", there, slope)
				}
			}
		})
	}
}

// directional returns the slope of the loss in a random direction, by the
// gradients and by a difference.
func (m *Model) directional(t *testing.T, r *rand.Rand, grads map[string][]float64, b *data.Batch) (slope, difference float64) {
	t.Helper()
	const step = 1e-6
	move := map[string][]float64{}
	for _, p := range m.Parameters() {
		for i := range p.Size() {
			v := r.NormFloat64() / math.Sqrt(float64(p.Size()))
			move[p.Name] = append(move[p.Name], v)
			slope += v * grads[p.Name][i]
		}
	}
	at := func(far float64) float64 {
		for _, p := range m.Parameters() {
			v := values(t, p)
			for i := range v {
				v[i] += far * move[p.Name][i]
			}
			if err := ops.Write(p.Tensor, v); err != nil {
				t.Fatal(err)
			}
		}
		loss, err := m.Backward(b, 1)
		if err != nil {
			t.Fatal(err)
		}
		return loss
	}
	more := at(step)
	less := at(-2 * step)
	at(step)
	return slope, (more - less) / (2 * step)
}

// TestAtomsThatTheEncoderCannotRead: what a person is to write is said.
func TestAtomsThatTheEncoderCannotRead(t *testing.T) {
	locked(t, 2)
	b := joined(t, randomStore(23, 20), task(0, 2, 4))
	m := newTest(t, pnaConfig(t), false)
	_, err := m.Backward(b, 1)
	fails(t, err, "model.encoder: pna", "write gin")
	if !fault.Is(err) {
		t.Errorf("%v is not a fault of what was written", err)
	}
	_, err = newTest(t, small(t, Paper), false).Backward(featured(b), 1)
	fails(t, err, "model.encoder: gin", "write pna")
}
