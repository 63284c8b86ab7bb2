package train

import (
	"errors"
	"slices"

	"pacia/gnn/params"
	"pacia/internal/each"
	"pacia/model"
	"pacia/ops"
	"pacia/run/checkpoint"
)

// averageEvery is the number of steps between two states that an average takes in.
const averageEvery = 10

// average is an exponential moving average of a model's weights and running averages over about
// the last train.average steps. It takes in every tenth state, the n-th (from 0) with the weight
// max(10/train.average, 9/(9+n)), so that the first states soon lose their weight. Until the tenth
// step it equals the model's state. Other tensors of the model are constant, or derived from the
// weights: refresh computes them for the average. A nil *average keeps nothing.
type average struct {
	means   mirror  // of weights and running averages
	derived mirror  // of all other tensors
	over    float64 // steps
	steps   int64   // so far
}

// mirror holds tensors of a model and a second value of each.
type mirror struct {
	states  []model.Parameter
	tensors ops.List // their tensors
	values  ops.List
}

func newMirror(states []model.Parameter) (mirror, error) {
	of := params.Tensors(states)
	values, err := ops.List(of).Clone()
	return mirror{states, of, values}, err
}

// newAverage returns an average of a model over the given number of steps, nil for 0.
func newAverage(m *model.Model, over int) (*average, error) {
	if over == 0 {
		return nil, nil
	}
	running := func(p model.Parameter) bool { return p.Running }
	a := &average{over: float64(over)}
	var err, other error
	a.means, err = newMirror(slices.Concat(m.Parameters(), each.If(m.Buffers(), running)))
	a.derived, other = newMirror(slices.DeleteFunc(slices.Clone(m.Buffers()), running))
	return a, errors.Join(err, other)
}

// countStep counts a step of adam. In the first ten steps and in every tenth one later, it applies
// deferred updates and takes in the state.
func (a *average) countStep(adam *ops.Adam) error {
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
	return a.means.values.Add(1-share, a.means.tensors, share)
}

// inPlace calls f while the model has the average in place of its own state. a must not be nil.
func (a *average) inPlace(f func() error) error {
	if a.steps == 0 {
		return f()
	}
	own, err := a.means.tensors.Clone()
	if err != nil {
		return err
	}
	defer own.Drop()
	if err := a.means.tensors.Copy(a.means.values); err != nil {
		return err
	}
	err = f()
	return errors.Join(err, a.means.tensors.Copy(own))
}

// refresh completes the average for a checkpoint: m's other tensors are computed from it. Before
// the first step, the average is m's present state.
func (a *average) refresh(m *model.Model) error {
	if a.steps == 0 {
		return errors.Join(a.means.values.Copy(a.means.tensors), a.derived.values.Copy(a.derived.tensors))
	}
	err := a.inPlace(func() error {
		if err := m.Flush(); err != nil {
			return err
		}
		return a.derived.values.Copy(a.derived.tensors)
	})
	return errors.Join(err, m.Flush())
}

// variables returns the tensors that a checkpoint stores.
func (a *average) variables() (all []checkpoint.Variable) {
	if a == nil {
		return nil
	}
	for _, m := range []mirror{a.means, a.derived} {
		for i, s := range m.states {
			s.Name, s.Tensor = checkpoint.AveragePrefix+s.Name, m.values[i]
			all = append(all, checkpoint.NewVariable(s))
		}
	}
	return all
}

func (a *average) drop() {
	if a != nil {
		a.means.values.Drop()
		a.derived.values.Drop()
	}
}
