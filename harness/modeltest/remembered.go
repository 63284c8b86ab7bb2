package modeltest

import (
	"fmt"
	"testing"

	"pacia/data"
	"pacia/data/molecule"
	"pacia/model"
)

// FourTraining lists the training tasks of Four.
var FourTraining = []int{0, 1, 3}

// Four returns a data set of four tasks, each with 28 of 40 molecules.
func Four() *data.Dataset {
	d := &data.Dataset{Name: "four", Store: RandomStore(6, 40)}
	for first := range int32(4) {
		task := data.Task{Name: fmt.Sprint(first)}
		for row := 4 * first; row < 4*first+28; row++ {
			task.Rows, task.Labels = append(task.Rows, row), append(task.Labels, uint8((row*row/3+first)%2))
		}
		d.Tasks = append(d.Tasks, task)
	}
	return d
}

// Remembering returns a model in double precision that keeps the training tasks of d, a data set of Four.
func Remembering(t testing.TB, s model.Spec, c model.Config, d *data.Dataset) *model.Model {
	t.Helper()
	m := New(t, s, c, model.Options{Float64: true, Seed: 4, Tasks: FourTraining})
	if err := m.Remember(d, FourTraining); err != nil {
		t.Fatal(err)
	}
	return m
}

// Pairs returns the batch of a training step with two episodes of each training task of d, a data set of
// Four. An episode has a number of support molecules of each class, shots, and 4 queries.
func Pairs(t testing.TB, d *data.Dataset, shots int) *data.Batch {
	t.Helper()
	var eps []data.Episode
	for _, number := range FourTraining {
		for i := range uint64(2) {
			ep, err := data.Draw{Shots: shots}.Training(&d.Tasks[number], number, 4, data.Rand(5, "test", uint64(2*number)+i))
			if err != nil {
				t.Fatal(err)
			}
			eps = append(eps, ep)
		}
	}
	return Joined(t, d.Store.(*molecule.Store), eps...)
}
