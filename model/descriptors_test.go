package model_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pacia/data"
	"pacia/data/molecule"
	"pacia/harness/modeltest"
	"pacia/model"
	"pacia/ops"
)

// counted returns r of a value among knots by its definition.
func counted(knots []float32, x float32) float64 {
	below, upTo := 0, 0
	for _, k := range knots {
		if k < x {
			below++
		}
		if k <= x {
			upTo++
		}
	}
	return float64(below+upTo)/float64(len(knots)) - 1
}

// TestRank compares with counting, on knots with many equal values. A value that is not
// finite has rank 0.
func TestRank(t *testing.T) {
	knots := []float32{-3, 0, 0, 0, 0, 1, 1, 2.5, 1e30, math.MaxFloat32}
	for _, x := range []float32{-math.MaxFloat32, -3, -1, 0, 0.5, 1, 2, 2.5, 1e20, 1e30, math.MaxFloat32} {
		if got, want := model.Rank(knots, x), counted(knots, x); math.Abs(float64(got)-want) > 1e-7 {
			t.Errorf("the rank of %v is %v, want %v", x, got, want)
		}
	}
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if got := model.Rank(knots, float32(x)); got != 0 {
			t.Errorf("the rank of %v is %v, want 0", x, got)
		}
	}
	sum := 0.0
	for _, k := range knots {
		sum += float64(model.Rank(knots, k))
	}
	if math.Abs(sum) > 1e-6 {
		t.Errorf("the ranks of the knots have the sum %v, want 0", sum)
	}
}

// knotsOf returns the knots [D, K] of a model.
func knotsOf(t *testing.T, m *model.Model) []float64 {
	t.Helper()
	for _, p := range m.Buffers() {
		if strings.HasSuffix(p.Name, ".descriptors.knots") {
			values, err := ops.ReadAs[float64](p.Tensor)
			if err != nil {
				t.Fatal(err)
			}
			return values
		}
	}
	t.Fatal("the model keeps no knots")
	return nil
}

// described returns a data set of 1,200 molecules with descriptors. The first two of three
// tasks have 1,000 of them, each twice.
func described() *data.Dataset {
	store := modeltest.RandomStore(2, 1200)
	r := rand.New(rand.NewPCG(1, 2))
	values := make([]float32, store.Len()*molecule.DescriptorCount)
	for i := range values {
		values[i] = float32(r.NormFloat64() * float64(1+i%molecule.DescriptorCount))
		if i%molecule.DescriptorCount == 7 {
			values[i] = float32(i / molecule.DescriptorCount % 3)
		}
	}
	values[7], values[molecule.DescriptorCount+7] = float32(math.NaN()), float32(math.Inf(1))
	store.Set(molecule.Array{Field: molecule.Descriptors, Floats: values})
	d := &data.Dataset{Name: "three", Store: store, Tasks: make([]data.Task, 3)}
	for row := range int32(1000) {
		d.Tasks[0].Rows, d.Tasks[1].Rows = append(d.Tasks[0].Rows, row), append(d.Tasks[1].Rows, 999-row)
	}
	for row := int32(900); row < 1200; row++ {
		d.Tasks[2].Rows = append(d.Tasks[2].Rows, row)
	}
	return d
}

func readsDescriptors(t *testing.T, encoder string) model.Config {
	c := small(t, "proto", model.Paper)
	c.Encoder, c.Descriptors = encoder, true
	return c
}

// TestKnots: knots are the finite values of the training tasks' molecules, each counted
// once, at the ranks (k + ½)/K.
func TestKnots(t *testing.T) {
	modeltest.Locked(t, 1)
	d := described()
	m := newTest(t, readsDescriptors(t, "fingerprint"), model.Options{})
	if err := m.Remember(d, []int{0, 1}); err != nil {
		t.Fatal(err)
	}
	got := knotsOf(t, m)
	all, _ := molecule.FloatsOf(d.Store, molecule.Descriptors)
	for k := range molecule.DescriptorCount {
		var values []float64
		for row := range 1000 {
			if x := float64(all[row*molecule.DescriptorCount+k]); !math.IsNaN(x) && !math.IsInf(x, 0) {
				values = append(values, x)
			}
		}
		slices.Sort(values)
		for i, knot := range got[k*model.Knots : (k+1)*model.Knots] {
			if want := values[int((float64(i)+0.5)/model.Knots*float64(len(values)))]; knot != want {
				t.Fatalf("knot %d of descriptor %d is %v, want %v", i, k, knot, want)
			}
		}
	}
}

// TestDescriptorsAreRead: scores depend on descriptors only through their ranks, and a model
// with a copy of the knots has the same scores.
func TestDescriptorsAreRead(t *testing.T) {
	modeltest.Locked(t, 1)
	d := described()
	store := d.Store.(*molecule.Store)
	for _, encoder := range []string{"fingerprint", "gin+fingerprint"} {
		c := readsDescriptors(t, encoder)
		rows := []int32{1100, 1101, 1102, 1103}
		scores := func(m *model.Model) []float64 {
			p, _ := modeltest.Scores(t, m, modeltest.Adapt(t, m, store, modeltest.Task(0, 4, 0)), store, rows, 4)
			return p
		}
		learnt := func() *model.Model {
			m := newTest(t, c, model.Options{})
			if err := m.Remember(d, []int{0}); err != nil {
				t.Fatal(err)
			}
			return m
		}
		want := scores(learnt())
		all, _ := molecule.FloatsOf(store, molecule.Descriptors)
		before := slices.Clone(all)
		for i, x := range all { // doubling is exact and monotonic, so that ranks stay
			all[i] = 2 * x
		}
		if got := scores(learnt()); !slices.Equal(got, want) {
			t.Errorf("%s: %v with all descriptors doubled, want %v", encoder, got, want)
		}
		copy(all, before)
		again := newTest(t, c, model.Options{Seed: 1})
		for i, p := range again.Buffers() {
			values, err := ops.ReadAs[float64](learnt().Buffers()[i].Tensor)
			if err == nil {
				err = ops.Write(p.Tensor, values)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if got := scores(again); !slices.Equal(got, want) {
			t.Errorf("%s: %v with the knots of another model, want %v", encoder, got, want)
		}
		for _, row := range rows[:1] {
			clear(all[int(row)*molecule.DescriptorCount : int(row+1)*molecule.DescriptorCount])
		}
		if got := scores(learnt()); got[0] == want[0] || !slices.Equal(got[1:], want[1:]) {
			t.Errorf("%s: %v with other descriptors of the first query, before %v", encoder, got, want)
		}
		copy(all, before)
	}
}

// TestInputDropout: counts are dropped in training wherever an encoder reads them, also beside a graph,
// by masks that the step's key determines. Scores do not depend on the setting.
func TestInputDropout(t *testing.T) {
	modeltest.Locked(t, 1)
	d := described()
	store := d.Store.(*molecule.Store)
	b := modeltest.Joined(t, store, modeltest.Task(0, 4, 4))
	for _, encoder := range []string{"fingerprint", "gin+fingerprint"} {
		of := func(rate float64) (losses [3]float64, scores []float64) {
			c := readsDescriptors(t, encoder)
			c.Dropout, c.InputDropout = 0, rate
			m := newTest(t, c, model.Options{Float64: true})
			scores, _ = modeltest.Scores(t, m, modeltest.Adapt(t, m, store, modeltest.Task(0, 4, 0)), store, []int32{20, 21}, 2)
			for i, key := range []uint64{1, 2, 1} {
				losses[i], _ = modeltest.Backward(t, m, b, key)
			}
			return losses, scores
		}
		with, scored := of(0.5)
		without, want := of(0)
		if with[0] == with[1] || with[0] != with[2] || without[0] != without[1] || with[0] == without[0] {
			t.Errorf("%s: with dropout keys 1, 2 and 1 give the losses %v, and %v without", encoder, with, without)
		}
		if !slices.Equal(scored, want) {
			t.Errorf("%s: scores %v, want %v", encoder, scored, want)
		}
	}
}

// TestDescriptorsAreMissed: the errors for missing descriptors name a fix.
func TestDescriptorsAreMissed(t *testing.T) {
	modeltest.Locked(t, 1)
	c := small(t, "proto", model.Paper)
	c.Descriptors = true
	modeltest.Fails(t, c.Validate(), "model.descriptors", "model.encoder=fingerprint")

	m := newTest(t, readsDescriptors(t, "fingerprint"), model.Options{})
	store := modeltest.RandomStore(3, 20)
	modeltest.Fails(t, m.Remember(&data.Dataset{Name: "bare", Store: store}, nil), "20 molecules of bare come without descriptors")
	_, err := m.Backward(modeltest.Joined(t, store, modeltest.Task(0, 3, 4)), 1)
	modeltest.Fails(t, err, "model.descriptors", "write false")
}
