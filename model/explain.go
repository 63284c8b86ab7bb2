package model

import (
	"fmt"

	"pacia/data"
	"pacia/ops"
)

// Legend: N support molecules, Q queries, c bits of a query's fingerprint that are not 0.

// Explainer is a Task with scores that are sums over the support set, so that it can split them
// exactly.
type Explainer interface {
	Task
	// Explain splits the scores of queries [Q].
	Explain(queries *Batch, s *ops.Scope) []Explanation
}

// Explanation splits the log-odds of a query. The shares of support molecules and Rest add up to the
// log-odds. The shares of bits are a part of the shares of the support molecules.
type Explanation struct {
	LogOdds float64   // of being active
	Support []float64 // [N] share of each support molecule
	Bits    []float64 // [c] share of each bit of the query's fingerprint, in the order of [data.Batch]
	Parts   []Part    // total share of each part of the kernel
	Rest    float64   // expectation for the molecule in any assay, and for any molecule in this assay
	Known   []KnownLabel
	Past    []PastLabel // the labels in past assays with the largest absolute shares, in descending order
	Hits    float64     // the part of Rest that is due to how often the molecule was active in past assays
}

// Part is the share of one part of the kernel.
type Part struct {
	Name  string  `json:"name"`
	Share float64 `json:"share"`
}

// KnownLabel is a label that a molecule has in a training task, as the model keeps it.
type KnownLabel struct {
	Task   int32 // its place among the training tasks
	Active bool
}

// PastLabel is a label that a molecule has in a past assay of a user.
type PastLabel struct {
	Assay  int // its place among the past assays
	Active bool
	Share  float64 // of the log-odds, by the likeness of the molecule's labels to those of support molecules
}

// Explain splits the scores of queries, in a batch without a support set. It may run concurrently
// with Score.
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
