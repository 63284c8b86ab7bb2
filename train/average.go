package train

import (
	"errors"
	"slices"

	"pacia/gnn/params"
	"pacia/model"
	"pacia/ops"
	"pacia/run/checkpoint"
)

// averageEvery is the number of steps between two states that an average takes in.
const averageEvery = 10

// average is an exponential moving average of a model's weights and running averages over about
// the last train.average steps. It takes in every tenth state, the n-th (from 0) with the weight
// max(10/train.average, 9/(9+n)), so that the first states soon lose their weight. Until the tenth
// step it equals the model's state. A nil *average keeps nothing.
type average struct {
	states []model.Parameter // that are averaged
	of     ops.List          // their tensors
	values ops.List
	over   float64 // steps
	steps  int64   // so far
}

// newAverage returns an average of a model over the given number of steps, nil for 0.
func newAverage(m *model.Model, over int) (*average, error) {
	if over == 0 {
		return nil, nil
	}
	states := slices.Concat(m.Parameters(), m.Buffers())
	a := &average{states: states, of: params.Tensors(states), over: float64(over)}
	var err error
	a.values, err = ops.ListLike(a.of, false)
	return a, err
}

// take counts a step of adam. In the first ten steps and in every tenth one later, it applies
// deferred updates and takes in the state.
func (a *average) take(adam *ops.Adam) error {
	if a == nil {
		return nil
	}
	if a.steps++; a.steps > averageEvery && a.steps%averageEvery != 0 {
		return nil
	}
	if err := adam.Flush(); err != nil {
		return err
	}
	n := float64(max(1, a.steps/averageEvery) - 1)
	share := max(averageEvery/a.over, 9/(9+n))
	return a.values.Add(1-share, a.of, share)
}

// inPlace calls f while the model has the average in place of its own state. a must not be nil.
func (a *average) inPlace(f func() error) error {
	if a.steps == 0 {
		return f()
	}
	own, err := a.of.Clone()
	if err != nil {
		return err
	}
	defer own.Drop()
	if err := a.of.Copy(a.values); err != nil {
		return err
	}
	err = f()
	return errors.Join(err, a.of.Copy(own))
}

// variables returns the tensors that a checkpoint stores.
func (a *average) variables() (all []checkpoint.Variable) {
	if a == nil {
		return nil
	}
	for i, s := range a.states {
		s.Name, s.Tensor = checkpoint.AveragePrefix+s.Name, a.values[i]
		all = append(all, checkpoint.NewVariable(s))
	}
	return all
}

func (a *average) drop() {
	if a != nil {
		a.values.Drop()
	}
}
