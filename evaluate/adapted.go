package evaluate

import (
	"time"

	"pacia/data"
	"pacia/model"
	"pacia/ops"
)

// Adapted is a model adapted to one task.
type Adapted interface {
	// ScoreAll returns the score of each query (B = 1, no support).
	ScoreAll(queries *data.Batch) (model.Scored, error)
	// Support returns the number of support molecules.
	Support() int
	// Device returns the device that computes the scores.
	Device() ops.Device
	Drop()
}

// UncertaintyScorer is an Adapted that can also estimate the uncertainty of its scores.
type UncertaintyScorer interface {
	Adapted
	// EnableUncertainty makes ScoreAll estimate uncertainties, and reports whether the model can. It
	// must not run concurrently with ScoreAll.
	EnableUncertainty() (bool, error)
}

// Adapter adapts a model to a support set (B = 1, no queries).
type Adapter func(support *data.Batch) (Adapted, error)

// Adapters have an adapter for each task of a data set.
type Adapters interface {
	// For returns the adapter for a task, by its number. Its controls have it too.
	For(task int) (Adapter, error)
}

// For returns a, which serves every task.
func (a Adapter) For(int) (Adapter, error) { return a, nil }

// AdapterOf returns the adapter of a trained model.
func AdapterOf(m *model.Model) Adapter {
	return func(support *data.Batch) (Adapted, error) {
		a, err := m.Adapt(support)
		if err != nil {
			return nil, err // not a, which would be an interface that holds a nil pointer
		}
		return a, nil
	}
}

// TimedAll is Timed for the adapter of each task.
func TimedAll(all Adapters, took func(time.Duration)) Adapters { return timed{all, took} }

type timed struct {
	Adapters
	took func(time.Duration)
}

func (t timed) For(task int) (Adapter, error) {
	a, err := t.Adapters.For(task)
	return Timed(a, t.took), err
}

// Timed returns an adapter that calls took with the duration of each adaptation.
func Timed(adapt Adapter, took func(time.Duration)) Adapter {
	return func(support *data.Batch) (Adapted, error) {
		begun := time.Now()
		a, err := adapt(support)
		took(time.Since(begun))
		return a, err
	}
}
