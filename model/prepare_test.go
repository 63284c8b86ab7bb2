package model_test

import (
	"fmt"
	"slices"
	"testing"

	"pacia/data"
	"pacia/harness/modeltest"
	"pacia/model"
)

// TestPrepare: for queries of one task, the whole encoder runs on distinct rows,
// unless layers are mixed. With a support set or several tasks in the batch, only
// the first layer does.
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

// alikeStep returns the batch of a step with many atoms of equal environments.
func alikeStep(t *testing.T) *data.Batch {
	t.Helper()
	b := modeltest.Joined(t, modeltest.RandomStore(13, 400), modeltest.Task(0, 3, 150), modeltest.Task(200, 3, 120))
	for v := range b.Atoms {
		b.Atoms[v] %= 2
	}
	clear(b.Bond)
	return b
}

// TestPrepareEnvironments: with dropout masks by environment, all layers of a step run on
// the environments of each group. Without dropout this only changes the rounding.
func TestPrepareEnvironments(t *testing.T) {
	for _, adapt := range []string{"none", "N", "ND"} {
		outcome := func(mask string) (loss float64, grads map[string][]float64, b *data.Batch) {
			m := newTest(t, small(t, "pacia", model.Paper, "adapt.encoder="+adapt, "dropout_mask="+mask), model.Options{Float64: true})
			b = alikeStep(t)
			loss, grads = modeltest.Backward(t, m, b, 3)
			return loss, grads, b
		}
		want, wantGrads, plain := outcome(model.MaskAtom)
		got, grads, b := outcome(model.MaskSurrounding)
		if len(b.Levels) != 3 || !b.Grouped() || plain.Grouped() {
			t.Fatalf("adapt.encoder %s: levels 0 to %d, grouped %v; with masks of atoms grouped %v", adapt, len(b.Levels)-1, b.Grouped(), plain.Grouped())
		}
		if rows, atoms := b.Levels[2].Len(), len(b.AtomRow); 4*rows > 3*atoms {
			t.Fatalf("%d rows for %d atoms share too little to test", rows, atoms)
		}
		modeltest.Near(t, "loss", []float64{got}, []float64{want}, 1e-12)
		for name := range wantGrads {
			modeltest.Near(t, "adapt.encoder "+adapt+": gradient of "+name, grads[name], wantGrads[name], 1e-10)
		}
	}
}

// TestPrepareFeatures: all layers of PNA run on one atom of each environment in a group,
// unless dropout has a mask for each atom. This only changes the rounding. A dropout of
// 1e-15 drops nothing.
func TestPrepareFeatures(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, settings := range [][]string{
		{"adapt.encoder=none"}, {"adapt.encoder=N", "readout=combined", "jump=concat"}, {"adapt.encoder=ND", "readout=max"},
	} {
		settings = append(settings, "encoder=pna", "width=16")
		outcome := func(dropout string) (loss float64, grads map[string][]float64, b *data.Batch) {
			m := newTest(t, small(t, "pacia", model.Paper, append(slices.Clip(settings), dropout)...), model.Options{Float64: true})
			b = modeltest.Featured(alikeStep(t))
			loss, grads = modeltest.Backward(t, m, b, 3)
			return loss, grads, b
		}
		want, wantGrads, plain := outcome("dropout=1e-15")
		got, grads, b := outcome("dropout=0")
		if len(b.Levels) != 3 || !b.Grouped() || len(plain.Levels) != 0 {
			t.Fatalf("%s: levels 0 to %d, grouped %v; with masks of atoms 0 to %d", settings, len(b.Levels)-1, b.Grouped(), len(plain.Levels)-1)
		}
		if rows, atoms := b.Levels[2].Len(), len(b.AtomRow); 4*rows > 3*atoms {
			t.Fatalf("%d rows for %d atoms share too little to test", rows, atoms)
		}
		modeltest.Near(t, "loss", []float64{got}, []float64{want}, 1e-12)
		for name := range wantGrads {
			modeltest.Near(t, fmt.Sprint(settings, ": gradient of ", name), grads[name], wantGrads[name], 1e-10)
		}
	}
}

// TestPreparedFeatures: a batch that was refined for another purpose is refined anew,
// and queries share states also where a training step's dropout has masks of atoms.
func TestPreparedFeatures(t *testing.T) {
	modeltest.Locked(t, 1)
	m := newTest(t, small(t, "pacia", model.Paper, "encoder=pna", "width=16", "dropout=0.5"), model.Options{Float64: true})
	store := modeltest.RandomStore(14, 40)
	e := modeltest.Task(0, 3, 20)
	support := modeltest.Readable(m, modeltest.Support(t, store, e))
	a, err := m.Adapt(support)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Drop()
	var want []float32
	for i, prepare := range []func(b *data.Batch){func(*data.Batch) {}, func(b *data.Batch) { b.RefineFeatures(1) }} {
		b := modeltest.Readable(m, modeltest.Queries(t, store, e.Query))
		prepare(b)
		p, _, err := a.Score(b)
		if err != nil {
			t.Fatal(err)
		}
		if len(b.Levels) != 3 || len(b.Levels[0].Row) == 0 {
			t.Errorf("preparation %d: %d levels, not 0 to 2 of features", i, len(b.Levels))
		}
		if want == nil {
			want = p
		}
		if !slices.Equal(p, want) {
			t.Errorf("preparation %d: P(active) %v, want %v", i, p, want)
		}
	}
	if len(support.Levels) != 0 {
		t.Errorf("a support set, as of a training step with dropout, has %d levels", len(support.Levels))
	}
}

// TestPreparedAhead: scores do not depend on whether the model or the task prepared the
// batch, or whether it was refined for another purpose.
func TestPreparedAhead(t *testing.T) {
	modeltest.Locked(t, 1)
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
		"of groups": func(b *data.Batch) { b.RefineGroups(2) },
	} {
		if got := score(prepare); !slices.Equal(got, want) {
			t.Errorf("P(active) %v of a batch %s, %v of one that was not prepared", got, name, want)
		}
	}
}
