package model_test

import (
	"slices"
	"testing"

	"pacia/data"
	"pacia/model"
	"pacia/model/modeltest"
)

// TestPrepare: queries of one task run on distinct rows through the whole
// encoder, unless layers are mixed; where a support set is in the batch, or
// several tasks, only the first layer does.
func TestPrepare(t *testing.T) {
	store := modeltest.RandomStore(13, 40)
	support := modeltest.Support(t, store, modeltest.Task(0, 3, 0))
	for adapt, want := range map[string]int{"none": 2, "N": 2, "D": 1, "ND": 1} {
		m := newTest(t, small(t, "pacia", model.Paper, "adapt.encoder="+adapt), model.Options{})
		queries := modeltest.Queries(t, store, []int32{8, 9, 10})
		step := modeltest.Joined(t, store, modeltest.Task(0, 3, 4), modeltest.Task(20, 3, 5))
		for _, b := range []struct {
			name  string
			batch *data.Batch
			want  int
		}{{"queries", queries, want}, {"a support set", support, 1}, {"a step", step, 1}} {
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
	modeltest.Locked(t, 2)
	m := newTest(t, small(t, "pacia", model.Paper), model.Options{Float64: true})
	store := modeltest.RandomStore(14, 40)
	e := modeltest.Task(0, 3, 20)
	a := modeltest.Adapt(t, m, store, e)
	score := func(prepare func(b *data.Batch)) []float32 {
		b := modeltest.Queries(t, store, e.Query)
		prepare(b)
		p, _, err := a.Score(b)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	want := score(func(*data.Batch) {})
	for name, prepare := range map[string]func(*data.Batch){
		"prepared by the model": m.Prepare, "prepared by the task": a.Prepare, "of one level": func(b *data.Batch) { b.Refine(1) },
	} {
		if got := score(prepare); !slices.Equal(got, want) {
			t.Errorf("P(active) %v of a batch %s, %v of one that was not prepared", got, name, want)
		}
	}
}
