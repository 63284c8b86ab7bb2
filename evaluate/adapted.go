package evaluate

import (
	"time"

	"pacia/data"
	"pacia/model"
	"pacia/ops"
)

// Adapted is a model adapted to one task.
type Adapted interface {
	// Score returns P(active) of each query and the depth that was used, 1 to
	// L_rel (B = 1, no support).
	Score(queries *data.Batch) (probability []float32, depth []int32, err error)
	// Support is the number of support molecules.
	Support() int
	// Device is where it computes.
	Device() ops.Device
	Drop()
}

// UncertaintyScorer is an Adapted that says more of queries.
type UncertaintyScorer interface {
	Adapted
	// EnableUncertainty makes it say how uncertain it is of them; false where it cannot. It must not
	// run beside ScoreAll.
	EnableUncertainty() (bool, error)
	// ScoreAll is Score with uncertainties.
	ScoreAll(queries *data.Batch) (model.Scored, error)
}

// Adapter makes the model that a support set stands for (B = 1, no queries).
type Adapter func(support *data.Batch) (Adapted, error)

// Of returns the adapter of a trained model.
func Of(m *model.Model) Adapter {
	return func(support *data.Batch) (Adapted, error) {
		a, err := m.Adapt(support)
		if err != nil {
			return nil, err // and no interface that holds a nil pointer
		}
		return a, nil
	}
}

// Timed returns an adapter that tells how long each support set took it.
func Timed(adapt Adapter, took func(time.Duration)) Adapter {
	return func(support *data.Batch) (Adapted, error) {
		begun := time.Now()
		a, err := adapt(support)
		took(time.Since(begun))
		return a, err
	}
}
