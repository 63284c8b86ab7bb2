package pintuning

import (
	"fmt"
	"math"
	"testing"

	"pacia/data"
	"pacia/model"
	"pacia/model/modeltest"
)

// small returns the settings of a narrow model, with the published settings edited by change.
func small(t *testing.T, change func(*Settings)) model.Config {
	t.Helper()
	return modeltest.SmallWith(t, Spec, func(s *Settings) {
		s.Properties.Similarity, s.Adapter.Width = 3, 2
		if change != nil {
			change(s)
		}
	})
}

// training lists the training tasks of shared.
var training = []int{0, 1, 3}

// shared returns a data set of four tasks, each with 28 of 40 molecules.
func shared() *data.Dataset {
	d := &data.Dataset{Name: "four", Store: modeltest.RandomStore(6, 40)}
	for first := range int32(4) {
		task := data.Task{Name: fmt.Sprint(first)}
		for row := 4 * first; row < 4*first+28; row++ {
			task.Rows, task.Labels = append(task.Rows, row), append(task.Labels, uint8((row*row/3+first)%2))
		}
		d.Tasks = append(d.Tasks, task)
	}
	return d
}

// made returns a model in double precision that keeps the training tasks of d.
func made(t *testing.T, c model.Config, d *data.Dataset) *model.Model {
	t.Helper()
	m := modeltest.New(t, Spec, c, model.Options{Float64: true, Seed: 4, Tasks: training})
	if err := m.Remember(d, training); err != nil {
		t.Fatal(err)
	}
	return m
}

// pairs returns the batch of a training step with two episodes of each training task.
func pairs(t *testing.T, d *data.Dataset) *data.Batch {
	t.Helper()
	var eps []data.Episode
	for _, number := range training {
		for i := range uint64(2) {
			ep, err := data.Draw{Shots: 3}.Training(&d.Tasks[number], number, 4, data.Rand(5, "test", uint64(2*number)+i))
			if err != nil {
				t.Fatal(err)
			}
			eps = append(eps, ep)
		}
	}
	return modeltest.Joined(t, d.Store.(*data.Store), eps...)
}

// TestSlope: second-order gradients, with the contrast and the consolidation, are the slope of the loss,
// with dropout and one or two inner steps, and on kernels with two.
func TestSlope(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	slope := func(steps int) func(*testing.T) {
		return func(t *testing.T) {
			d := shared()
			c := small(t, func(s *Settings) {
				s.Contrast.Weight, s.Contrast.Temperature = 0.7, 0.5
				s.Adaptation.Steps, s.Adapter.Consolidation = steps, 0.7
			})
			c.Dropout = 0.2
			m, b := made(t, c, d), pairs(t, d)
			_, grads := modeltest.Backward(t, m, b, 1)
			slope, difference := modeltest.Slope(t, m, data.Rand(1, "slope", 0), grads, b)
			if math.Abs(slope-difference) > 1e-6*(1+math.Abs(slope)) {
				t.Errorf("the gradients give the slope %v, differences %v", slope, difference)
			}
		}
	}
	modeltest.Run(t, "1", slope(1))
	modeltest.RunBoth(t, "2", slope(2))
}
