package remembered

import (
	"fmt"
	"slices"
	"testing"

	"pacia/data"
	"pacia/data/molecule"
	"pacia/gnn/params"
	"pacia/harness/modeltest"
	"pacia/model/shared/counts"
	"pacia/ops"
)

// kept returns the labels of two of three tasks, which share some molecules.
func kept(t *testing.T) (all []Label, d *data.Dataset) {
	t.Helper()
	d = &data.Dataset{Name: "three", Store: modeltest.RandomStore(6, 20)}
	for first := range int32(3) {
		task := data.Task{Name: fmt.Sprint(first)}
		for row := 2 * first; row < 2*first+8; row++ {
			task.Rows, task.Labels = append(task.Rows, row), append(task.Labels, uint8(row%2))
		}
		d.Tasks = append(d.Tasks, task)
	}
	all, err := Gather(d, []int{0, 2})
	if err != nil {
		t.Fatal(err)
	}
	return all, d
}

// TestLabelsAreReadBack: the labels of every molecule in the stored tasks are read back, with the
// places of the tasks.
func TestLabelsAreReadBack(t *testing.T) {
	modeltest.Locked(t, 1)
	all, d := kept(t)
	if n := Molecules(all); n != 12 || len(all) != 16 {
		t.Fatalf("%d labels of %d molecules, want 16 of 12", len(all), n)
	}
	p := &params.Set{Device: ops.CPU}
	t.Cleanup(p.Drop)
	var l Labels
	if !l.None() {
		t.Error("there are labels before buffers are allocated")
	}
	l.LayOut(p, 12, 16)
	if err := l.Write(all); err != nil {
		t.Fatal(err)
	}
	got := map[uint64][]float64{}
	if err := l.Read(2, func(key uint64, labels []float64) error {
		got[key] = slices.Clone(labels)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	for row := range int32(20) {
		var want []float64
		for place, number := range []int{0, 2} {
			if at := slices.Index(d.Tasks[number].Rows, row); at >= 0 {
				want = append(want, float64(place+1)*(2*float64(d.Tasks[number].Labels[at])-1))
			}
		}
		bit, count := d.Store.(*molecule.Store).Fingerprints().At(int(row))
		if labels := got[Key(counts.Vector{Bit: bit, Count: count})]; !slices.Equal(labels, want) {
			t.Errorf("molecule %d has the labels %v, want %v", row, labels, want)
		}
	}
}

// TestDamage: inconsistent buffers are reported.
func TestDamage(t *testing.T) {
	modeltest.Locked(t, 1)
	all, _ := kept(t)
	for words, damage := range map[string]func(l *Labels) error{
		"a label is of task 8 of 2":                   func(l *Labels) error { return ops.Write(l.labels, slices.Repeat([]float64{-9}, 16)) },
		"molecule 0 has 17 of the 16 labels":          func(l *Labels) error { return ops.Write(l.counts, slices.Repeat([]float64{17}, 12)) },
		"the keys of molecules 0 and 1 do not ascend": func(l *Labels) error { return ops.Write(l.keys, make([]float64, 24)) },
	} {
		p := &params.Set{Device: ops.CPU}
		var l Labels
		l.LayOut(p, 12, 16)
		err := l.Write(all)
		if err == nil {
			err = damage(&l)
		}
		if err == nil {
			err = l.Read(2, func(uint64, []float64) error { return nil })
		}
		modeltest.Fails(t, err, words, "the model is damaged")
		p.Drop()
	}
}
