package data

import (
	"cmp"
	"math/rand/v2"
)

// A Draw defines how support sets are drawn: K molecules of each class, or N molecules
// of both in the class ratio of the task.
type Draw struct {
	Shots   int // K, used if Support is 0
	Support int // N; 0: K of each class
}

// Training draws a training episode from t, which is task number task of its data set.
// queries is the largest number of queries; 0: all other molecules.
func (d Draw) Training(t *Task, task, queries int, r *rand.Rand) (Episode, error) {
	if d.Support > 0 {
		return DrawStratified(t, task, d.Support, queries, r.Uint32())
	}
	queries = cmp.Or(queries, len(t.Rows))
	return drawTraining(t, task, d.Shots, queries, r)
}

// Test draws an episode that tests the task: all molecules outside the support set are queries.
func (d Draw) Test(t *Task, task int, r *rand.Rand) (Episode, error) {
	if d.Support > 0 {
		return DrawStratified(t, task, d.Support, 0, r.Uint32())
	}
	return DrawTest(t, task, d.Shots, r)
}

// CheckTraining returns an error if Training cannot draw from a task. If the error
// wraps [ErrTooSmall], callers leave the task out instead of failing.
func (d Draw) CheckTraining(t *Task) error {
	if d.Support > 0 {
		return t.checkStratified(d.Support)
	}
	return t.CheckTraining(d.Shots)
}

// CheckTest is like CheckTraining, for Test.
func (d Draw) CheckTest(t *Task) error {
	if d.Support > 0 {
		return t.checkStratified(d.Support)
	}
	return t.CheckTest(d.Shots)
}
