package kernel

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pacia/data"
	"pacia/data/molecule"
	"pacia/harness/modeltest"
	"pacia/model"
	"pacia/model/shared/counts"
	"pacia/ops"
)

// TestEveryReading takes a training step and scores, with encoders of all kinds.
func TestEveryReading(t *testing.T) {
	modeltest.Locked(t, 1)
	x := modeltest.NewExercise(t, Spec)
	for _, encoder := range []string{"fingerprint", "gin", "pna", "gin+fingerprint", "pna+fingerprint"} {
		c := modeltest.Small(t, Spec, model.Paper)
		c.Encoder, c.Width = encoder, 8
		x.Run(t, encoder, c)
	}
}

// memorised returns a data set of four tasks that share some molecules, a model that
// keeps the labels of three of them, and its method.
func memorised(t *testing.T, s Settings) (*model.Model, *kernel, *data.Dataset) {
	t.Helper()
	store := modeltest.RandomStore(6, 40)
	d := &data.Dataset{Name: "two", Store: store}
	for first := range int32(4) {
		task := data.Task{Name: fmt.Sprint(first)}
		for row := 2 * first; row < 2*first+12; row++ {
			task.Rows, task.Labels = append(task.Rows, row), append(task.Labels, uint8(row*row/3%2))
		}
		d.Tasks = append(d.Tasks, task)
	}
	var k *kernel
	spec := Spec
	spec.New = func(b *model.Body, c model.Config, tasks []int) (model.Method, error) {
		var err error
		k, err = newKernel(b, c.Own.(Settings), tasks)
		return watched{k}, err
	}
	c := modeltest.Small(t, spec, model.Paper)
	c.Own, c.Encoder = s, "fingerprint"
	m := modeltest.New(t, spec, c, model.Options{Float64: true, Seed: 4, Tasks: []int{0, 1, 3}})
	if err := m.Remember(d, []int{0, 1, 3}); err != nil {
		t.Fatal(err)
	}
	return m, k, d
}

// watched is a method that keeps its last task, for tests.
type watched struct{ *kernel }

var lastTask *task

func (w watched) Adapt(support *model.Batch, s *ops.Scope) model.Task {
	adapted := w.kernel.Adapt(support, s)
	lastTask = adapted.(*task)
	return adapted
}

// TestRegression: (K + σ² I) α equals the labels, with equal weights of both classes.
// With much noise, α is as for class means.
func TestRegression(t *testing.T) {
	k := [][]float64{{1, 0.3, 0.1}, {0.3, 1, 0.5}, {0.1, 0.5, 1}}
	labels := []uint8{0, 0, 1}
	alpha, _, err := regression(k, balanced(labels), 0.7)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{-0.75, -0.75, 1.5} {
		got := 0.7 * alpha[i]
		for j, a := range alpha {
			got += k[i][j] * a
		}
		if math.Abs(got-want) > 1e-12 {
			t.Errorf("equation %d comes to %v, want %v", i, got, want)
		}
	}
	if _, _, err = regression([][]float64{{math.NaN(), 0, 0}, {0, 1, 0}, {0, 0, 1}}, balanced(labels), 1); err == nil {
		t.Error("a kernel that is not a number is not an error")
	}
	if alpha, _, err = regression(k, balanced(labels), 1e6); err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{-0.75e-6, -0.75e-6, 1.5e-6} {
		if math.Abs(alpha[i]-want) > 1e-11 {
			t.Errorf("with much noise weight %d is %v, want %v", i, alpha[i], want)
		}
	}
}

// TestScores: a score does not depend on the other queries. Swapping the labels of a
// balanced support set reverses it about the expectation for the molecule in any assay.
// Both hold with and without a memory. (Untrained classifiers expect 0.)
func TestScores(t *testing.T) {
	modeltest.Locked(t, 1)
	for _, memory := range []bool{true, false} {
		s := ForPreset("").(Settings)
		s.Memory = memory
		m, k, d := memorised(t, s)
		store := d.Store.(*molecule.Store)
		a := modeltest.Adapt(t, m, store, modeltest.Task(0, 3, 0))
		rows := []int32{0, 7, 20, 21, 22, 5, 30}
		together, _ := modeltest.Scores(t, m, a, store, rows, len(rows))
		alone, _ := modeltest.Scores(t, m, a, store, rows, 1)
		for i := range rows {
			if together[i] != alone[i] {
				t.Errorf("memory %t: query %d scores %v, and %v alone", memory, i, together[i], alone[i])
			}
		}
		e := modeltest.Task(0, 3, 0)
		n := len(e.Support) / 2
		e.Support = append(slices.Clone(e.Support[n:]), e.Support[:n]...) // inactive ones come first
		turned, _ := modeltest.Scores(t, m, modeltest.Adapt(t, m, store, e), store, rows, len(rows))
		for i := range rows {
			own, usual := expectedOf(k, store, rows[i]), 0.0
			for _, r := range e.Support {
				usual += expectedOf(k, store, r) / float64(len(e.Support))
			}
			want := lastTask.share * (coefficientOf(k, store, e.Support, n, usual) + coefficientOf(k, store, e.Support, 0, usual)) * (own - usual)
			if sum := logit(together[i]) + logit(turned[i]); math.Abs(sum-want) > 1e-5 {
				t.Errorf("memory %t: query %d scores %v, and %v where labels are swapped; want logits of %v together, not %v", memory, i, together[i], turned[i], want, sum)
			}
		}
	}
}

func expectedOf(k *kernel, store *molecule.Store, row int32) float64 {
	bit, count := store.Fingerprints().At(int(row))
	return 0.3 * k.memory.of(counts.Vector{Bit: bit, Count: count}).mean
}

// coefficientOf returns the coefficient of the expectation if the half of the support set from row first on is active.
func coefficientOf(k *kernel, store *molecule.Store, support []int32, first int, usual float64) float64 {
	agreement, size := 0.0, 1.0
	for i, r := range support {
		e := expectedOf(k, store, r) - usual
		size += e * e
		if i < first || i >= first+len(support)/2 {
			e = -e
		}
		agreement += e
	}
	odds := math.Exp(3 + 4*agreement/math.Sqrt(size))
	return (odds - 1) / (odds + 1)
}

func logit(p float64) float64 { return math.Log(p / (1 - p)) }

// TestMembersDiffer: encoders start with other values, and each learns.
func TestMembersDiffer(t *testing.T) {
	modeltest.Locked(t, 1)
	c := modeltest.Small(t, Spec, model.Paper)
	c.Encoder = "fingerprint"
	m := modeltest.New(t, Spec, c, model.Options{Tasks: []int{0}})
	values := map[string][]float64{}
	for _, p := range m.Parameters() {
		values[p.Name] = modeltest.Values(t, p)
	}
	first, second := values["encoder.0.weight"], values["member.1.encoder.0.weight"]
	if len(first) == 0 || len(first) != len(second) || slices.Equal(first, second) {
		t.Errorf("the members begin with %d and %d values, the same: %t", len(first), len(second), slices.Equal(first, second))
	}
}

// TestQueriesWithoutVectors: in a model that compares vectors of the pretrained encoder, queries
// without them have the scores of the same model with model.minimol=false. Queries with them have not.
func TestQueriesWithoutVectors(t *testing.T) {
	modeltest.Locked(t, 1)
	var got [2][]float32
	for i, on := range []bool{false, true} {
		settings := ForPreset("").(Settings)
		settings.MiniMol = on
		m, _, d := memorised(t, settings)
		store := d.Store.(*molecule.Store)
		a := modeltest.Adapt(t, m, store, modeltest.Task(0, 3, 0))
		queries := modeltest.Queries(t, store, []int32{0, 7, 20, 21, 30})
		s, err := a.ScoreAll(queries)
		if err != nil {
			t.Fatal(err)
		}
		got[i] = s.Probabilities()
		if !on {
			continue
		}
		if s, err = a.ScoreAll(modeltest.Readable(m, queries)); err != nil {
			t.Fatal(err)
		}
		if slices.Equal(s.Probabilities(), got[i]) {
			t.Error("vectors change no score")
		}
	}
	if !slices.Equal(got[0], got[1]) {
		t.Errorf("without vectors %v, and with model.minimol=false %v", got[1], got[0])
	}
}
