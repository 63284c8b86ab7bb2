package kernel

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pacia/data"
	"pacia/model"
	"pacia/model/modeltest"
	"pacia/model/shared/counts"
	"pacia/ops"
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

// memorised is a data set of four tasks, which share some molecules, and a model that
// remembers three of them; and its method.
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

// watched is a method with access to its last task, for tests.
type watched struct{ *kernel }

var lastTask *task

func (w watched) Adapt(support *model.Batch, s *ops.Scope) model.Task {
	adapted := w.kernel.Adapt(support, s)
	lastTask = adapted.(*task)
	return adapted
}

// TestMemory: what is kept of three of four tasks, read back, is their labels less the
// share of actives, shortened by their length and few together, and nothing of the fourth.
func TestMemory(t *testing.T) {
	modeltest.Locked(t, 2)
	_, k, d := memorised(t, ForPreset("").(Settings))
	knows, err := k.SeenInTraining()
	if err != nil {
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
		if known := knows(bit, count); known != (len(want) >= enough) {
			t.Errorf("molecule %d has %d labels, and is known: %v", row, len(want), known)
		}
		if len(want) < enough {
			if got.entries != nil || got.mean != 0 {
				t.Errorf("molecule %d has %d labels and is known", row, len(want))
			}
			continue
		}
		if len(got.entries) != len(want) {
			t.Errorf("molecule %d has %d labels, want %d", row, len(got.entries), len(want))
		}
		mean := 0.0
		for _, v := range want {
			mean += v / float64(len(want)+3)
		}
		if math.Abs(got.mean-mean) > 1e-6 {
			t.Errorf("molecule %d has the mean label %v, want %v", row, got.mean, mean)
		}
		for _, e := range got.entries {
			if w := want[e.task] / math.Sqrt(sum+few); math.Abs(float64(e.value)-w) > 1e-6 {
				t.Errorf("molecule %d, task %d: %v, want %v", row, e.task, e.value, w)
			}
		}
	}
}

// TestMeasuredMemory: where a task has values, their ranks count, with the mean 0 and the deviation that labels
// have. A task without values, and a molecule's labels there, are as before.
func TestMeasuredMemory(t *testing.T) {
	modeltest.Locked(t, 2)
	m, k, d := memorised(t, ForPreset("").(Settings))
	for i := range d.Tasks[:2] {
		for j := range d.Tasks[i].Rows {
			d.Tasks[i].Values = append(d.Tasks[i].Values, data.Measured{Value: float64(j*j%7) + 10*float64(d.Tasks[i].Labels[j])})
		}
	}
	if err := m.Remember(d, []int{0, 1, 3}); err != nil {
		t.Fatal(err)
	}
	if err := k.memory.read(); err != nil {
		t.Fatal(err)
	}
	var sums, squares [3]float64
	prints := d.Store.(*data.Store).Fingerprints()
	usual, err := k.memory.usual(make([]float64, 3))
	if err != nil {
		t.Fatal(err)
	}
	for i, number := range []int{0, 1, 3} {
		task := d.Tasks[number]
		for j, row := range task.Rows {
			bit, count := prints.Of(int(row))
			for _, e := range k.memory.of(counts.Vector{Bit: bit, Count: count}).entries {
				if int(e.task) == i && (e.value > 0) != (task.Labels[j] == 1) && i == 2 {
					t.Errorf("molecule %d is %v in task %d, which has no values, and its label is %d", row, e.value, number, task.Labels[j])
				}
			}
			sums[i] += float64(task.Labels[j])
		}
		share := sums[i] / float64(len(task.Rows))
		squares[i] = share
		if math.Abs(usual[i].mean-map[bool]float64{true: 0.5, false: share}[i < 2]) > 1.0/256 {
			t.Errorf("the mean of task %d is %v", number, usual[i].mean)
		}
	}
	more := &data.Dataset{Name: "more", Store: d.Store, Tasks: append(d.Tasks[:3:3], d.Tasks[0])}
	more.Tasks[3].Rows, more.Tasks[3].Labels, more.Tasks[3].Values = more.Tasks[3].Rows[1:], more.Tasks[3].Labels[1:], nil
	modeltest.Fails(t, m.Remember(more, []int{0, 1, 3}), "35 labels of", "the model remembers 36 of")
}

// TestRepeatedLabels: labels of one task add up, so that cosines of several molecules are a
// matrix of cosines.
func TestRepeatedLabels(t *testing.T) {
	rows := table{ends: make([]int32, 1)}
	for i, labels := range [][]float64{{1, 1, -2, 3}, {-1, -1, 1, 2}, {-1, 1, -2}} {
		rows.add(uint64(i), labels, []scale{{0.5, 1 / math.Sqrt(0.27)}, {0.5, 1 / math.Sqrt(0.27)}, {0.25, 1 / math.Sqrt(0.2075)}})
	}
	k := &kernel{memory: memory{rows: &rows, tasks: 3}}
	known := make([]row, 3)
	for i := range known {
		from, to := rows.ends[i], rows.ends[i+1]
		known[i] = row{entries: rows.entries[from:to]}
	}
	x, y := 0.5/math.Sqrt(0.27), 0.75/math.Sqrt(0.2075) // one label of the first two tasks, of the third
	v := [][3]float64{{2 * x, -x, y}, {-x, x, 0}, {0, -x, 0}}
	p, got := k.profile(known), make([]float64, 3)
	for i := range v {
		p.cosines(known[i].entries, got)
		for j := range v {
			dot, a, b := 0.0, 0.0, 0.0
			for c := range 3 {
				dot, a, b = dot+v[i][c]*v[j][c], a+v[i][c]*v[i][c], b+v[j][c]*v[j][c]
			}
			if want := dot / math.Sqrt((a+few)*(b+few)); math.Abs(got[j]-want) > 1e-6 {
				t.Errorf("the cosine of %d and %d is %v, want %v", i, j, got[j], want)
			}
		}
	}
}

// TestRegression: (K + σ² I) α is the labels, a class counting as much as the other;
// with much noise the weights are those of class means.
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

// TestScores: a score does not depend on the other queries, and turns round where the
// labels of a balanced support set are swapped, about what is expected of the molecule
// in any assay; with what is remembered and without. (Classifiers that nothing has taught
// expect nothing.)
func TestScores(t *testing.T) {
	modeltest.Locked(t, 2)
	for _, memory := range []bool{true, false} {
		s := ForPreset("").(Settings)
		s.Memory = memory
		m, k, d := memorised(t, s)
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

func expectedOf(k *kernel, store *data.Store, row int32) float64 {
	bit, count := store.Fingerprints().Of(int(row))
	return 0.3 * k.memory.of(counts.Vector{Bit: bit, Count: count}).mean
}

// coefficientOf is that of the expectation where the half of the support set from row first on is active.
func coefficientOf(k *kernel, store *data.Store, support []int32, first int, usual float64) float64 {
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

// TestQueriesWithoutVectors: of a model that compares vectors of the pretrained encoder, queries
// without them have the scores of the same model with model.minimol=false; queries with them do not.
func TestQueriesWithoutVectors(t *testing.T) {
	modeltest.Locked(t, 2)
	var got [2][]float32
	for i, on := range []bool{false, true} {
		settings := ForPreset("").(Settings)
		settings.MiniMol = on
		m, _, d := memorised(t, settings)
		store := d.Store.(*data.Store)
		a := modeltest.Adapt(t, m, store, modeltest.Task(0, 3, 0))
		queries := modeltest.Queries(t, store, []int32{0, 7, 20, 21, 30})
		s, err := a.ScoreAll(queries)
		if err != nil {
			t.Fatal(err)
		}
		got[i] = s.Probability
		if !on {
			continue
		}
		if s, err = a.ScoreAll(modeltest.Readable(m, queries)); err != nil {
			t.Fatal(err)
		}
		if slices.Equal(s.Probability, got[i]) {
			t.Error("vectors change no score")
		}
	}
	if !slices.Equal(got[0], got[1]) {
		t.Errorf("without vectors %v, and with model.minimol=false %v", got[1], got[0])
	}
}
