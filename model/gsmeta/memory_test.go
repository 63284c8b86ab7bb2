package gsmeta

import (
	"bytes"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"

	"pacia/data"
	"pacia/data/molecule"
	"pacia/harness/modeltest"
	"pacia/internal/badinput"
	"pacia/model"
	"pacia/model/shared/counts"
	"pacia/ops"
)

// TestTypes: edges are the labels of the training tasks, without the target's, which come from the
// episode. Contradicting labels and labels of the test task are left out.
func TestTypes(t *testing.T) {
	modeltest.Locked(t, 1)
	d := modeltest.Four()
	// A molecule with two labels of task 0, one each.
	d.Tasks[0].Rows, d.Tasks[0].Labels = append(d.Tasks[0].Rows, 20), append(d.Tasks[0].Labels, 1-d.Tasks[0].Labels[20])
	m, own := made(t, small(t, nil), d)
	if err := own.memory.read(own.tasks); err != nil {
		t.Fatal(err)
	}
	knows, err := m.SeenInTraining()
	if err != nil {
		t.Fatal(err)
	}
	prints := d.Store.(*molecule.Store).Fingerprints()
	for row := range d.Store.Len() {
		var v counts.Vector
		v.Bit, v.Count = prints.At(row)
		got, known := own.types([]counts.Vector{v}, []int{2, 0}) // tasks 3 and 0
		want := []uint8{3, 3, 3}
		for i, number := range []int{3, 0} {
			if at := slices.Index(d.Tasks[number].Rows, int32(row)); at >= 0 && (number != 0 || row != 20) {
				want[i+1] = 1 + d.Tasks[number].Labels[at]
			}
		}
		if !slices.Equal(got, want) || known != slices.ContainsFunc(want, func(k uint8) bool { return k < 3 }) {
			t.Errorf("molecule %d has the types %v (%v), want %v", row, got, known, want)
		}
		if !knows(v.Bit, v.Count) {
			t.Errorf("molecule %d is not known", row)
		}
	}
	if bit, count := modeltest.RandomStore(77, 1).Fingerprints().At(0); knows(bit, count) {
		t.Error("a molecule of no task is known")
	}
}

// TestLabelsOfOtherTasksCount: a training label of a query changes its score and no other score. Labels
// of the test task (number 2) change nothing.
func TestLabelsOfOtherTasksCount(t *testing.T) {
	modeltest.Locked(t, 1)
	rows := []int32{30, 33, 36}
	scores := func(change func(*data.Dataset)) []float64 {
		d := modeltest.Four()
		change(d)
		m, _ := made(t, small(t, nil), d)
		m.Tune(model.Tuning{Steps: 1, LearningRate: 0.1})
		p, _ := modeltest.Scores(t, m, modeltest.Adapt(t, m, d.Store.(*molecule.Store), modeltest.Task(8, 3, 0)), d.Store.(*molecule.Store), rows, 3)
		return p
	}
	flip := func(task int, row int32) func(*data.Dataset) {
		return func(d *data.Dataset) {
			at := slices.Index(d.Tasks[task].Rows, row)
			d.Tasks[task].Labels[at] = 1 - d.Tasks[task].Labels[at]
		}
	}
	as := scores(func(*data.Dataset) {})
	if got := scores(flip(3, 33)); got[0] != as[0] || got[1] == as[1] || got[2] != as[2] {
		t.Errorf("scores are %v, and %v with another training label of the second query", as, got)
	}
	for _, row := range append(rows, 8) {
		if slices.Contains(modeltest.Four().Tasks[2].Rows, row) {
			if got := scores(flip(2, row)); !slices.Equal(got, as) {
				t.Errorf("scores are %v, and %v with another label of molecule %d in a test task", as, got, row)
			}
		}
	}
	if got := scores(flip(3, 12)); slices.Equal(got, as) {
		t.Error("a training label of a support molecule changes nothing")
	}
}

// TestStoredModel: a model without training tasks that loads the stored values has the same scores,
// bit for bit, as the trained one, with and without steps.
func TestStoredModel(t *testing.T) {
	modeltest.Locked(t, 1)
	d := modeltest.Four()
	store, rows := d.Store.(*molecule.Store), []int32{28, 30, 33, 36}
	m, _ := made(t, small(t, nil), d)
	stored := modeltest.New(t, Spec, small(t, nil), model.Options{Float64: true})
	shapes, values := map[string][]int64{}, modeltest.Everything(t, m)
	for _, b := range m.Buffers() {
		if strings.HasPrefix(b.Name, model.MemoryPrefix) {
			shapes[b.Name] = b.Shape
		}
	}
	if err := stored.Room(shapes); err != nil {
		t.Fatal(err)
	}
	for _, p := range slices.Concat(stored.Parameters(), stored.Buffers()) {
		if err := ops.Write(p.Tensor, values[p.Name]); err != nil {
			t.Fatalf("%s: %v", p.Name, err)
		}
	}
	for _, steps := range []int{0, 2} {
		var all [2][]float64
		for i, of := range []*model.Model{m, stored} {
			of.Tune(model.Tuning{Steps: steps, LearningRate: 0.1})
			all[i], _ = modeltest.Scores(t, of, modeltest.Adapt(t, of, store, modeltest.Task(8, 3, 0)), store, rows, 4)
		}
		if !slices.Equal(all[0], all[1]) {
			t.Errorf("%d steps: scores %v, of the stored model %v", steps, all[0], all[1])
		}
	}
}

// TestNothingShared: tasks without common molecules are refused before training, in one line.
func TestNothingShared(t *testing.T) {
	modeltest.Locked(t, 1)
	d := modeltest.Four()
	for i := range d.Tasks {
		d.Tasks[i].Rows, d.Tasks[i].Labels = d.Tasks[i].Rows[:0], nil
		for row := int32(10 * i); row < int32(10*i+10); row++ {
			d.Tasks[i].Rows, d.Tasks[i].Labels = append(d.Tasks[i].Rows, row), append(d.Tasks[i].Labels, uint8(row%2))
		}
	}
	m := modeltest.New(t, Spec, small(t, nil), model.Options{Tasks: modeltest.FourTraining})
	err := m.Remember(d, modeltest.FourTraining)
	modeltest.Fails(t, err, "no molecule of four has labels of two training tasks", "model.method, such as par")
	if !badinput.Is(err) {
		t.Error("the error is not a badinput.Error")
	}
}

// TestUnknownMoleculesWarn: a support set without any label of a training task logs one warning.
func TestUnknownMoleculesWarn(t *testing.T) {
	modeltest.Locked(t, 1)
	d := modeltest.Four()
	m, _ := made(t, small(t, nil), d)
	var text bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&text, nil)))
	t.Cleanup(func() { slog.SetDefault(before) })
	warned = sync.Once{}
	modeltest.Adapt(t, m, d.Store.(*molecule.Store), modeltest.Task(8, 3, 0))
	if text.Len() > 0 {
		t.Errorf("known molecules log %q", text.String())
	}
	for range 2 {
		modeltest.Adapt(t, m, modeltest.RandomStore(77, 20), modeltest.Task(0, 3, 0))
	}
	if n := strings.Count(text.String(), "no support molecule has a label of a training task"); n != 1 {
		t.Errorf("the warning is logged %d times: %q", n, text.String())
	}
}
