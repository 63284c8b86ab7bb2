package model

import (
	"slices"
	"testing"

	"pacia/data"
)

// TestPrepare: queries of one task run on distinct rows through the whole
// encoder, unless layers are mixed; where a support set is in the batch, or
// several tasks, only the first layer does.
func TestPrepare(t *testing.T) {
	store := randomStore(13, 40)
	support, err := data.AssembleSupport(store, task(0, 3, 0))
	if err != nil {
		t.Fatal(err)
	}
	for adapt, want := range map[string]int{"none": 2, "N": 2, "D": 1, "ND": 1} {
		c := small(t, Paper)
		c.Adapt.Encoder = adapt
		m := newTest(t, c, false)
		queries, err := data.AssembleQueries(store, []int32{8, 9, 10})
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range []struct {
			name  string
			batch *data.Batch
			want  int
		}{{"queries", queries, want}, {"a support set", support, 1}, {"a step", joined(t, store, task(0, 3, 4), task(20, 3, 5)), 1}} {
			m.Prepare(b.batch)
			if n := len(b.batch.Levels); n != b.want+1 {
				t.Errorf("adapt.encoder %s: %s has levels 0 to %d, want to %d", adapt, b.name, n-1, b.want)
			}
		}
	}
}

// TestPreparedAhead: who prepared the batch makes no difference, nor does a
// batch that was refined for another purpose.
func TestPreparedAhead(t *testing.T) {
	locked(t, 2)
	m := newTest(t, small(t, Paper), true)
	store := randomStore(14, 40)
	e := task(0, 3, 20)
	a := adapted(t, m, store, e)
	score := func(prepare func(b *data.Batch)) []float32 {
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
	want := score(func(*data.Batch) {})
	if got := score(m.Prepare); !slices.Equal(got, want) {
		t.Errorf("P(active) %v of a prepared batch, %v of one that was not", got, want)
	}
	if got := score(func(b *data.Batch) { b.Refine(1) }); !slices.Equal(got, want) {
		t.Errorf("P(active) %v of a batch of one level, %v of one that was not prepared", got, want)
	}
}
