package model

import (
	"fmt"

	"pacia/data"
	"pacia/model/shared/past"
	"pacia/ops"
)

// Trial is a support set with queries as a WithHistory compares them without past assays: N support molecules, which are the first
// of n molecules. With it, queries can be ranked by any past assays when neither molecules nor model are at hand.
type Trial struct {
	Support   int       // N
	Labels    []uint8   // [n]
	Kernel    []float32 // [n, N] of each molecule and each support molecule
	Structure []float32 // [n, N] the same of structure alone
	Expected  []float32 // [n] the expectation for a molecule in any assay
	Alike     bool      // the diagonals of both kernels are about the same
}

// Trier is a Task of a WithHistory.
type Trier interface {
	Task
	// Trial returns the support set with queries; labels are not set.
	Trial(queries *Batch, s *ops.Scope) *Trial
}

// Trial returns the support set with queries, in a batch with their labels.
func (a *Adapted) Trial(queries *data.Batch) (t *Trial, err error) {
	of, can := a.task.(Trier)
	if !can || queries.Support != 0 {
		return nil, fmt.Errorf("trial: a model of model.method=%s and a batch with %d support molecules", a.model.spec.Name, queries.Support)
	}
	err = ops.WithoutGrad(func() error {
		return a.model.passOn(queries, a.statesFor(queries), func(b *Batch, s *ops.Scope) { t = of.Trial(b, s) })
	})
	if err != nil {
		return nil, fmt.Errorf("trial: %w", err)
	}
	return t, nil
}

// Judge returns the scores [weights, Q] of the queries of a trial, whose molecules have these keys [n], by the past assays that the
// model recalls, with each weights. Several goroutines may call it.
func (m *Model) Judge(t *Trial, keys []uint64, weights []past.Weights) ([][]float64, error) {
	return m.method.(WithHistory).Judge(t, keys, weights)
}
