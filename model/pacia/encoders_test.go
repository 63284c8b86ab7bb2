package pacia

import (
	"slices"
	"testing"

	"pacia/data"
	"pacia/harness/modeltest"
	"pacia/model"
)

// others are the encoders beside GIN: they run on atoms alone, and on a GPU
// partly on libtorch's own kernels.
var others = []string{"gcn", "graphsage", "gat", "pna", "film"}

// of returns the configuration with an encoder, and a width that the encoder supports.
func (c config) of(encoder string) config {
	if c.Encoder = encoder; encoder == "pna" {
		c.Width = 8
	}
	return c
}

// TestEncoders takes a training step, adapts and scores with each.
func TestEncoders(t *testing.T) {
	modeltest.Locked(t, 1)
	x := modeltest.NewExercise(t, Spec)
	for _, encoder := range others {
		for _, preset := range []string{model.Paper, model.Reference} {
			c := small(t, preset).of(encoder)
			c.Adapt = Adapt{"ND", "ND"}
			exercise(t, x, encoder+"/"+preset, c)
		}
	}
}

// TestEncodersOnKernels compares with the loops, and a stepper's padded batches
// with unpadded ones. The order of sums changes an addition by 1e-16. The
// tolerance for all layers together is 1e-9.
func TestEncodersOnKernels(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	store := modeltest.RandomStore(3, 24)
	for _, encoder := range others {
		t.Run(encoder, func(t *testing.T) {
			c := small(t, model.Paper).of(encoder)
			c.Dropout = 0.3
			loops, kernels := onKernels(t, c, store)
			kernels.Near(t, loops, 1e-9)
			modeltest.NewTraining(t, Spec, c.whole()).Compare()
		})
	}
}

// TestEncodersHaveNoLevels: Prepare makes no levels for these encoders, and existing
// levels of a batch are not used.
func TestEncodersHaveNoLevels(t *testing.T) {
	modeltest.Locked(t, 1)
	c := small(t, model.Paper)
	c.Encoder = "gat"
	m := newTest(t, c, true)
	store := modeltest.RandomStore(14, 40)
	e := modeltest.Task(0, 3, 20)
	a := modeltest.Adapt(t, m, store, e)
	score := func(prepare func(*data.Batch)) []float32 {
		b := modeltest.Queries(t, store, e.Query)
		prepare(b)
		p, _, err := a.Score(b)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	want := score(func(b *data.Batch) {
		if m.Prepare(b); len(b.Levels) > 0 {
			t.Errorf("%d levels were prepared", len(b.Levels))
		}
	})
	if got := score(func(b *data.Batch) { b.Refine(2) }); !slices.Equal(got, want) {
		t.Errorf("P(active) %v of a batch with levels, %v of one without", got, want)
	}
}
