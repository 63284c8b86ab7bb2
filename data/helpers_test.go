package data

import (
	"testing"

	"pacia/data/molecule"
)

// newTask returns a task with classes of the given sizes, mixed, whose rows
// differ from their positions.
func newTask(inactive, active int) *Task {
	task := &Task{Name: "assay", Labels: make([]uint8, inactive+active)}
	for _, i := range without(Rand(1, "labels", 0), inactive+active, active) {
		task.Labels[i] = 1
	}
	for i := range task.Labels {
		task.Rows = append(task.Rows, int32(100+3*i))
	}
	return task
}

// graphs returns the graphs of molecules.
func graphs(t testing.TB, smiles ...string) []molecule.Graph {
	t.Helper()
	g, errs := molecule.GraphsFromSMILES(smiles)
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
	return g
}
