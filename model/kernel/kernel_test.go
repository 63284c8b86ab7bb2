package kernel

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pacia/data"
	"pacia/model"
	"pacia/model/counts"
	"pacia/model/modeltest"
)

// TestEveryReading takes a training step and scores, with encoders of all kinds.
func TestEveryReading(t *testing.T) {
	modeltest.Locked(t, 2)
	x := modeltest.NewExercise(t, Spec)
	for _, encoder := range []string{"fingerprint", "gin", "pna", "gin+fingerprint", "pna+fingerprint"} {
		c := modeltest.Small(t, Spec, model.Paper)
		c.Encoder, c.Width = encoder, 8
		x.Run(t, encoder, c)
	}
}

// memorised is a data set of two training tasks with n molecules of a store each, which
// share some, and a model that remembers it.
func memorised(t *testing.T, s Settings) (*model.Model, *data.Dataset) {
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
	c := modeltest.Small(t, Spec, model.Paper)
	c.Own, c.Encoder = s, "fingerprint"
	m := modeltest.New(t, Spec, c, model.Options{Float64: true, Seed: 4, Tasks: []int{0, 1, 3}})
	if err := m.Remember(d, []int{0, 1, 3}); err != nil {
		t.Fatal(err)
	}
	return m, d
}

// TestMemory: what is kept of three of four tasks, read back, is their labels less the
// share of actives, of length 1 together, and nothing of the fourth.
func TestMemory(t *testing.T) {
	modeltest.Locked(t, 2)
	var k *kernel
	spec := Spec
	spec.New = func(b *model.Body, c model.Config, tasks []int) (model.Method, error) {
		var err error
		k, err = newKernel(b, c.Own.(Settings), tasks)
		return k, err
	}
	_, d := memorised(t, ForPreset("").(Settings))
	c := modeltest.Small(t, Spec, model.Paper)
	c.Encoder = "fingerprint"
	m := modeltest.New(t, spec, c, model.Options{Float64: true, Tasks: []int{0, 1, 3}})
	if err := m.Remember(d, []int{0, 1, 3}); err != nil {
		t.Fatal(err)
	}
	if err := k.memory.read(); err != nil {
		t.Fatal(err)
	}
	prints := d.Store.(*data.Store).Fingerprints()
	for row := range d.Store.Len() {
		want := map[int32]float64{}
		sum := 0.0
		for i, number := range []int{0, 1, 3} {
			task := d.Tasks[number]
			share := 0.0
			for _, l := range task.Labels {
				share += float64(l) / float64(len(task.Labels))
			}
			for j, r := range task.Rows {
				if int(r) == row {
					want[int32(i)] = (float64(task.Labels[j]) - share) / math.Sqrt(share*(1-share)+smooth)
					sum += want[int32(i)] * want[int32(i)]
				}
			}
		}
		bit, count := prints.Of(row)
		got := k.memory.of(counts.Vector{Bit: bit, Count: count})
		if len(want) < enough {
			if got != nil {
				t.Errorf("molecule %d has %d labels and is known", row, len(want))
			}
			continue
		}
		if len(got) != len(want) {
			t.Errorf("molecule %d has %d labels, want %d", row, len(got), len(want))
		}
		for _, e := range got {
			if w := want[e.task] / math.Sqrt(sum); math.Abs(float64(e.value)-w) > 1e-6 {
				t.Errorf("molecule %d, task %d: %v, want %v", row, e.task, e.value, w)
			}
		}
	}
}

// TestRegression: (K + σ² I) α is the labels, a class counting as much as the other;
// with much noise the weights are those of class means.
func TestRegression(t *testing.T) {
	k := [][]float64{{1, 0.3, 0.1}, {0.3, 1, 0.5}, {0.1, 0.5, 1}}
	labels := []uint8{0, 0, 1}
	alpha, err := regression(k, labels, 0.7)
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
	// One with the eigenvalue −2 takes more noise: 0.7 · 4.
	indefinite := [][]float64{{1, 3, 0}, {3, 1, 0}, {0, 0, 1}}
	if alpha, err = regression(indefinite, labels, 0.7); err != nil || math.Abs(3.8*alpha[0]+3*alpha[1]+0.75) > 1e-12 {
		t.Errorf("a matrix that is not positive definite gives %v (%v)", alpha, err)
	}
	if _, err = regression([][]float64{{math.NaN(), 0, 0}, {0, 1, 0}, {0, 0, 1}}, labels, 1); err == nil {
		t.Error("a kernel that is not a number is no error")
	}
	if alpha, err = regression(k, labels, 1e6); err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{-0.75e-6, -0.75e-6, 1.5e-6} {
		if math.Abs(alpha[i]-want) > 1e-11 {
			t.Errorf("with much noise weight %d is %v, want %v", i, alpha[i], want)
		}
	}
}

// TestScores: a score does not depend on the other queries, is that of the kernel by its
// definition, and turns round where the labels of a balanced support set are swapped;
// with what is remembered and without.
func TestScores(t *testing.T) {
	modeltest.Locked(t, 2)
	for _, memory := range []bool{true, false} {
		s := ForPreset("").(Settings)
		s.Memory = memory
		m, d := memorised(t, s)
		store := d.Store.(*data.Store)
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
		e.Support = append(slices.Clone(e.Support[n:]), e.Support[:n]...) // inactive ones stand first
		turned, _ := modeltest.Scores(t, m, modeltest.Adapt(t, m, store, e), store, rows, len(rows))
		for i := range rows {
			if sum := together[i] + turned[i]; math.Abs(sum-1) > 1e-6 {
				t.Errorf("memory %t: query %d scores %v, and %v where labels are swapped; want 1 together", memory, i, together[i], turned[i])
			}
		}
	}
}

// TestKernelByHand compares the folded sums of a score with Σ_i α_i k(q, i).
func TestKernelByHand(t *testing.T) {
	units := []float32{0.6, 0.8, 1, 0, 0, 1} // [3, 2]: two support molecules and a query
	for _, known := range [][3]bool{{true, true, true}, {true, false, true}, {false, true, false}, {false, false, true}} {
		v := []counts.Vector{{Bit: []uint16{1, 2}, Count: []uint16{1, 2}}, {Bit: []uint16{2}, Count: []uint16{1}}, {Bit: []uint16{1, 2}, Count: []uint16{1, 1}}}
		rows := make([][]entry, 3)
		for i := range rows {
			if known[i] {
				rows[i] = []entry{{0, 0.6}, {int32(1 + i%2), 0.8}}
			}
		}
		tk := &task{kernel: &kernel{Settings: Settings{Members: 1}, memory: memory{tasks: 3}}, index: counts.NewIndex(v[:2]), known: known[:2],
			alpha: []float64{2, -3}, tanimoto: make([]float64, 2), cosines: make([]float64, 2)}
		tk.labels = tk.profile(rows[:2])
		tk.fold(molecules{counts: v[:2], known: rows[:2], units: [][]float32{units[:4]}})
		got := tk.score(molecules{counts: v[2:], known: rows[2:], units: [][]float32{units[4:]}}, 0)
		want := 0.0
		for i, a := range tk.alpha {
			learnt, apart, l := 0.0, 1.0, 0.0
			if known[i] && known[2] {
				learnt, apart, l = 1, tanimoto, 0.36
				if i%2 == 0 {
					l = 1
				}
			}
			coefficient := []float64{2. / 3, 1. / 2}[i]
			want += a * (learnt*float64(units[2*i+1]) + labels*l + apart*coefficient)
		}
		if math.Abs(got-want) > 1e-6 {
			t.Errorf("known %v: the score is %v, want %v", known, got, want)
		}
	}
}

// TestMembersDiffer: encoders start with other values, and each learns.
func TestMembersDiffer(t *testing.T) {
	modeltest.Locked(t, 2)
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
