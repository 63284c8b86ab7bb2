package data

import (
	"cmp"
	"math/rand/v2"

	"pacia/data/stratified"
)

// ErrTooSmall is what errors of stratified draws wrap that a task is too small
// for.
var ErrTooSmall = stratified.ErrTooSmall

// A Draw is the rule by which support sets are drawn: K molecules of each class,
// or N of both together in the shares of the task.
type Draw struct {
	Shots   int // K, where Support is 0
	Support int // N; 0: K of each class
}

// Training draws an episode to train on, from t, which is task number task of
// its data set, with at most so many queries; 0: all others.
func (d Draw) Training(t *Task, task, queries int, r *rand.Rand) (Episode, error) {
	if d.Support > 0 {
		return DrawStratified(t, task, d.Support, queries, r.Uint32())
	}
	queries = cmp.Or(queries, len(t.Rows))
	return drawTraining(t, task, d.Shots, queries, r)
}

// Test draws an episode that tests the task: all other molecules are queries.
func (d Draw) Test(t *Task, task int, r *rand.Rand) (Episode, error) {
	if d.Support > 0 {
		return DrawStratified(t, task, d.Support, 0, r.Uint32())
	}
	return DrawTest(t, task, d.Shots, r)
}

// CheckTraining returns why Training can draw nothing from a task. An error that
// wraps [ErrTooSmall] is not a fault: such a task is left out.
func (d Draw) CheckTraining(t *Task) error {
	if d.Support > 0 {
		return t.checkStratified(d.Support)
	}
	return t.CheckTraining()
}

// CheckTest is CheckTraining for Test.
func (d Draw) CheckTest(t *Task) error {
	if d.Support > 0 {
		return t.checkStratified(d.Support)
	}
	return t.CheckTest(d.Shots)
}
