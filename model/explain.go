package model

import (
	"fmt"

	"pacia/data"
	"pacia/ops"
)

// Legend: N support molecules, Q queries, c bits of a query's fingerprint that are not 0.

// Explainer is a Task with scores that are sums over the support set, so that it can state what they
// are made of exactly.
type Explainer interface {
	Task
	// Explain takes apart the scores of queries [Q].
	Explain(queries *Batch, s *ops.Scope) []Explanation
}

// Explanation is what the log-odds of a query are made of. The shares of support molecules and Rest
// add up to them; the shares of bits are a part of those of the support molecules.
type Explanation struct {
	LogOdds float64   // of being active
	Support []float64 // [N] what each support molecule adds
	Bits    []float64 // [c] what each bit of the query's fingerprint adds, in the order of [data.Batch]'s
	Parts   []Part    // of the kernel: what each adds to the shares of support molecules together
	Rest    float64   // what the model expects of the molecule in any assay, and of any molecule in this one
	Known   []KnownLabel
}

// Part is what one part of the kernel adds.
type Part struct {
	Name  string  `json:"name"`
	Share float64 `json:"share"`
}

// KnownLabel is a label that a molecule has in a training task, as the model keeps it.
type KnownLabel struct {
	Task   int32 // its place among the training tasks
	Active bool
}

// Explain takes apart the scores of queries, without a support set in their batch. It may run beside
// Score.
func (a *Adapted) Explain(queries *data.Batch) (all []Explanation, err error) {
	t, can := a.task.(Explainer)
	if !can || queries.Support != 0 {
		return nil, fmt.Errorf("explain: a model of model.method=%s and a batch with %d support molecules", a.model.spec.Name, queries.Support)
	}
	err = ops.WithoutGrad(func() error {
		return a.model.passOn(queries, a.statesFor(queries), func(b *Batch, s *ops.Scope) { all = t.Explain(b, s) })
	})
	if err != nil {
		return nil, fmt.Errorf("explain: %w", err)
	}
	return all, nil
}
