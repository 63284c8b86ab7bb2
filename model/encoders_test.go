package model

import (
	"slices"
	"testing"

	"pacia/data"
)

// others are the encoders beside GIN: they run on atoms alone, and on a GPU
// partly on libtorch's own kernels.
var others = []string{"gcn", "graphsage", "gat", "pna"}

// of is a configuration with an encoder, of a width that it can have.
func (c Config) of(encoder string) Config {
	if c.Encoder = encoder; encoder == "pna" {
		c.Width = 8
	}
	return c
}

// TestEncoders takes a training step, adapts and scores with each.
func TestEncoders(t *testing.T) {
	locked(t, 2)
	store := randomStore(3, 24)
	batch := joined(t, store, task(0, 2, 4), task(8, 2, 4))
	for _, encoder := range others {
		for _, preset := range []string{Paper, Reference} {
			c := small(t, preset).of(encoder)
			c.Adapt = AdaptConfig{"ND", "ND"}
			checkSetting(t, encoder+"/"+preset, c, store, batch)
		}
	}
}

// TestEncodersOnKernels compares with the loops, and a stepper's padded batches
// with batches as they are. The order of sums is felt at 1e-16 an addition;
// 1e-9 leaves room for what the layers make of it.
func TestEncodersOnKernels(t *testing.T) {
	store := randomStore(3, 24)
	for _, encoder := range others {
		t.Run(encoder, func(t *testing.T) {
			c := small(t, Paper).of(encoder)
			c.Dropout = 0.3
			locked(t, 2)
			want := outcomeOf(t, c, store)
			emulated(t)
			got := outcomeOf(t, c, store)
			for name, w := range want {
				near(t, name, got[name], w, 1e-9)
			}
			newTraining(t, c).compare()
		})
	}
}

// TestEncodersHaveNoLevels: nothing is prepared for them, and levels that a
// batch has from elsewhere are not used.
func TestEncodersHaveNoLevels(t *testing.T) {
	locked(t, 2)
	c := small(t, Paper)
	c.Encoder = "gat"
	m := newTest(t, c, true)
	store := randomStore(14, 40)
	e := task(0, 3, 20)
	a := adapted(t, m, store, e)
	score := func(prepare func(*data.Batch)) []float32 {
		b, err := data.AssembleQueries(store, e.Query)
		if err != nil {
			t.Fatal(err)
		}
		prepare(b)
		p, _, err := m.Score(a, b)
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
