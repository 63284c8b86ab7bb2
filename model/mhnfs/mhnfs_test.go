package mhnfs

import (
	"math"
	"slices"
	"testing"

	"pacia/data"
	"pacia/data/molecule"
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
	x := modeltest.NewExercise(t, Spec)
	x.EveryReading(t)
}

// TestParameters: with vectors of width 1,024, as published, the context has 16.8 million
// parameters, and the attention has width 1,088 with heads of width 136.
func TestParameters(t *testing.T) {
	modeltest.Locked(t, 1)
	c := modeltest.Small(t, Spec, model.Paper)
	c.Encoder, c.Width = "fingerprint", 1024
	m := modeltest.New(t, Spec, c, model.Options{})
	const d, wide, e, hidden = 1024, 8 * 512, 1088, 567
	context := 3*(d*wide+wide+2*d) + wide*d + d
	attention := 4*(e*e+e) + 2*(2*e) + 2*e*hidden + hidden + e
	parts := m.Counts()
	if len(parts) != 3 || parts[1].Count != context || parts[2].Count != attention || m.Adaptive() != 0 {
		t.Errorf("the parameters are %v; %d are adapted; want %d of the context, %d of the attention, and none",
			parts, m.Adaptive(), context, attention)
	}
}

// TestWithoutStages: without context and attention the method is the Siamese network with means,
// bit for bit.
func TestWithoutStages(t *testing.T) {
	modeltest.Locked(t, 1)
	store := modeltest.RandomStore(3, 24)
	without := modeltest.SmallWith(t, Spec, func(s *Settings) { s.Context.Molecules, s.Attention.Heads, s.Attention.Mask, s.Scale = 0, 0, 0, 0.3 })
	plain := modeltest.Small(t, siamese.Spec, model.Paper)
	plain.Own = matching.Settings{Similarity: "mean", Beta: 0.3}
	got, want := modeltest.OutcomeOf(t, Spec, without, store), modeltest.OutcomeOf(t, siamese.Spec, plain, store)
	if len(got) != len(want) {
		t.Errorf("%d numbers of a model, want %d", len(got), len(want))
	}
	for name := range want {
		if !slices.Equal(got[name], want[name]) {
			t.Errorf("%s is %v, of the Siamese network %v", name, got[name], want[name])
		}
	}
}

// TestOneStage: a model learns and scores with context or attention alone.
func TestOneStage(t *testing.T) {
	modeltest.Locked(t, 1)
	x := modeltest.NewExercise(t, Spec)
	x.Run(t, "context", modeltest.SmallWith(t, Spec, func(s *Settings) { s.Attention.Heads = 0 }))
	x.Run(t, "attention", modeltest.SmallWith(t, Spec, func(s *Settings) { s.Context.Molecules = 0 }))
}

// shown returns a model that keeps molecules of training tasks, in the form that its encoder
// reads.
func shown(t *testing.T, c model.Config, o model.Options) *model.Model {
	t.Helper()
	m := modeltest.New(t, Spec, c, o)
	d := &data.Dataset{Name: "shown", Store: molecules(t, m), Tasks: []data.Task{
		{Rows: []int32{0, 1, 2, 3, 4, 5}, Labels: make([]uint8, 6)}, {Rows: []int32{4, 5, 6, 7, 11}, Labels: make([]uint8, 5)},
		{Rows: []int32{8, 9}, Labels: make([]uint8, 2)},
	}}
	if err := m.Remember(d, []int{0, 1}); err != nil {
		t.Fatal(err)
	}
	return m
}

// molecules returns twelve molecules, with descriptors if the model's encoder reads them.
func molecules(t *testing.T, m *model.Model) readable {
	t.Helper()
	s := modeltest.RandomStore(9, 12)
	if m.Config().Descriptors {
		s.Set(modeltest.Described(modeltest.Queries(t, s, []int32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11})).Array(molecule.Descriptors))
	}
	return readable{s, m}
}

// readable holds molecules with the inputs of a model's encoder.
type readable struct {
	*molecule.Store
	m *model.Model
}

// AddTo appends molecule i.
func (r readable) AddTo(b *molecule.Inputs, i int) {
	one, err := data.AssembleQueries(r.Store, []int32{int32(i)})
	if err != nil {
		panic(err)
	}
	one = modeltest.Readable(r.m, one)
	b.AddFrom(&one.Inputs, 0)
}

// everyNetwork runs f with encoders that have different inputs.
func everyNetwork(t *testing.T, edit func(*Settings), f func(*testing.T, model.Config)) {
	for _, encoder := range []string{"gin", "pna", "fingerprint", "pna+fingerprint", "descriptors", "mat", "minimol"} {
		t.Run(encoder, func(t *testing.T) {
			modeltest.Locked(t, 1)
			c := modeltest.SmallWith(t, Spec, edit)
			if c.Encoder, c.Width = encoder, 8; encoder == "descriptors" {
				c.Encoder, c.Descriptors = "fingerprint", true
			}
			if encoder == "mat" {
				c.Heads = 2
			}
			f(t, c)
		})
	}
}

// TestGradients: if the encoder also learns from the context, gradients are the slope of the
// loss. Without the gradient through the context, only the encoder's gradients differ. A step
// does not change the stored molecules.
func TestGradients(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	everyNetwork(t, func(s *Settings) { s.Context.Gradient = true }, func(t *testing.T, c model.Config) {
		m := shown(t, c, model.Options{Float64: true})
		store := modeltest.RandomStore(3, 24)
		b := modeltest.Readable(m, modeltest.Joined(t, store, modeltest.Task(0, 3, 4), modeltest.Task(12, 3, 2)))
		before := modeltest.Everything(t, m)
		_, grads := modeltest.Backward(t, m, b, 1)
		slope, difference := modeltest.Slope(t, m, data.Rand(1, "slope", 0), grads, b)
		if math.Abs(slope-difference) > 1e-6*(1+math.Abs(slope)) {
			t.Errorf("the gradients give the slope %v, differences %v", slope, difference)
		}
		for name, v := range modeltest.Everything(t, m) {
			if len(name) > len(prefix) && name[:len(prefix)] == prefix && !slices.Equal(v, before[name]) {
				t.Errorf("%s changed in a step", name)
			}
		}

		own := c.Own.(Settings)
		own.Context.Gradient = false
		c.Own = own
		held := shown(t, c, model.Options{Float64: true})
		_, without := modeltest.Backward(t, held, b, 1)
		differ := false
		for name, g := range grads {
			if without[name] == nil {
				t.Errorf("%s has no gradient without the gradient through the context", name)
			}
			if name[:len("encoder")] == "encoder" {
				differ = differ || !slices.Equal(g, without[name])
			} else if len(name) > 8 && name[:8] == "context." {
				modeltest.Near(t, name, without[name], g, 1e-12)
			}
		}
		if !differ {
			t.Error("the encoder's gradient does not depend on the gradient through the context")
		}
	})
}
