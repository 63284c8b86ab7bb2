package model

import (
	"errors"
	"fmt"
	"math"
	"sync"

	"github.com/sugarme/gotch/ts"

	"pacia/cuda"
	"pacia/data"
	"pacia/internal/each"
	"pacia/ops"
)

// Adapted is a model adapted to one task. The results of its support set stay on the
// device.
type Adapted struct {
	model   *Model // the adapted model, or its tuned copy
	task    Task
	support int
	scope   ops.Scope

	mutex sync.Mutex
	table *stateCache // of its states; nil before the first batch, and without a table
}

// Support returns the number of support molecules.
func (a *Adapted) Support() int { return a.support }

// Device returns where queries are scored.
func (a *Adapted) Device() ops.Device { return a.model.Device() }

// Drop releases the task's tensors.
func (a *Adapted) Drop() {
	if a.table != nil {
		a.model.cache.give()
		a.table = nil
	}
	a.scope.Drop()
}

// Adapt adapts the model to the support set of one task: one forward pass, after the
// gradient steps of Tune for a method that makes them. The model itself does not
// change. If a GPU has too little memory for this beside other work, Adapt repeats it
// alone.
func (m *Model) Adapt(support *data.Batch) (*Adapted, error) {
	if support.Tasks != 1 || support.Support == 0 || len(support.QueryMol) != 0 {
		return nil, fmt.Errorf("adapt: a batch of %d tasks, %d support molecules and %d queries is not the support set of one task",
			support.Tasks, support.Support, len(support.QueryMol))
	}
	if len(support.SupportValue) > 0 && !m.Traits().Measures {
		return nil, fmt.Errorf("adapt: %s learns labels, and the support set has values", m.spec.Name)
	}
	var a *Adapted
	adapt := func() error {
		a = &Adapted{model: m, support: support.Support}
		err := m.tuned(support, a)
		if err == nil {
			err = a.adapt(support)
		}
		if err != nil {
			a.Drop()
		}
		return err
	}
	err := ops.Concurrently(m.set.Device, adapt)
	if errors.Is(err, ops.ErrOutOfMemory) && m.set.Device != ops.CPU {
		err = ops.Exclusively(m.set.Device, adapt)
	}
	if err != nil {
		return nil, fmt.Errorf("adapt: %w", err)
	}
	return a, nil
}

func (a *Adapted) adapt(support *data.Batch) error {
	return ops.WithoutGrad(func() error {
		err := a.scope.Run(func() { a.task = a.model.method.Adapt(a.model.batch(support, &a.scope), &a.scope) })
		if err != nil || a.Device() == ops.CPU {
			return err
		}
		// Queries may be scored on other threads. Their streams do not wait for this
		// one's.
		return cuda.Synchronize(int(a.Device()))
	})
}

// Prepare does the part of Score that takes no tensors; see [Model.Prepare].
func (a *Adapted) Prepare(queries *data.Batch) { a.model.Prepare(queries) }

// EnableUncertainty adds uncertainties to later scores, and reports whether the method can estimate
// them. It must not run concurrently with Score.
func (a *Adapted) EnableUncertainty() (bool, error) {
	if !a.model.spec.Traits.Uncertainty {
		return false, nil
	}
	t := a.task.(UncertaintyScorer)
	err := ops.WithoutGrad(func() error { return a.scope.Run(func() { t.EnableUncertainty(&a.scope) }) })
	return err == nil, err
}

// A Score is what models compute for a query. A number that they do not compute is 0.
type Score struct {
	Probability float32 // that the query is active (Eq. 20)
	LogOdds     float32 // logarithm of its odds, which differ where probabilities are rounded to 1
	Depth       int32   // 1 to L_rel, at which its relation graph was read
	Uncertainty float32 // 0 to 1; 0 if not enabled, or if the method cannot estimate it
	Spread      float32 // of the members of an ensemble; 0 of a single model
	Potency     Potency // zero if labels were learnt
}

// Scored holds the scores of Q queries.
type Scored []Score

// Probabilities returns the probabilities [Q].
func (s Scored) Probabilities() []float32 {
	return each.Of(s, func(one Score) float32 { return one.Probability })
}

// Depths returns the depths [Q].
func (s Scored) Depths() []int32 { return each.Of(s, func(one Score) int32 { return one.Depth }) }

// Score returns for each query the probability that it is active and the
// depth, 1 to L_rel, at which its relation graph was read.
func (a *Adapted) Score(queries *data.Batch) (prob []float32, depth []int32, err error) {
	scored, err := a.ScoreAll(queries)
	return scored.Probabilities(), scored.Depths(), err
}

// ScoreAll is like Score but returns all outputs of the model.
func (a *Adapted) ScoreAll(queries *data.Batch) (scored Scored, err error) {
	if queries.Support != 0 {
		return scored, fmt.Errorf("score: the batch holds %d support molecules beside its queries", queries.Support)
	}
	err = ops.WithoutGrad(func() error {
		return a.model.passOn(queries, a.statesFor(queries), func(b *Batch, s *ops.Scope) {
			var failed error
			scores := a.task.Score(b, s)
			scored, failed = scores.read(len(queries.QueryMol))
			s.Check(failed)
		})
	})
	if err != nil {
		return nil, fmt.Errorf("score: %w", err)
	}
	return scored, nil
}

// read returns the scores of the queries: P(active) (Eq. 20), its log-odds, the depth of the largest p, and what the
// method adds.
func (s Scores) read(queries int) (Scored, error) {
	probability, logOdds, err := Probabilities(s.Logits)
	if err != nil {
		return nil, err
	}
	if n := len(probability); n != queries {
		return nil, fmt.Errorf("%d scores of %d queries", n, queries)
	}
	var p []float32
	if s.P != nil {
		if p, err = ops.Read(s.P); err != nil {
			return nil, err
		}
	}
	scored := make(Scored, queries)
	for q, depth := range Depths(p, queries, s.Layers) {
		scored[q] = Score{Probability: probability[q], LogOdds: logOdds[q], Depth: depth}
		if s.Uncertainty != nil {
			scored[q].Uncertainty = s.Uncertainty[q]
		}
		if s.Potency != nil {
			scored[q].Potency = s.Potency[q]
		}
	}
	return scored, nil
}

// Probabilities turns logits [..., 2] into P(active) (Eq. 20) and its log-odds.
func Probabilities(logits *ts.Tensor) (prob, logOdds []float32, err error) {
	l, err := ops.ReadAs[float64](logits) // in float32, two large logits would be equal
	if err != nil {
		return nil, nil, err
	}
	prob, logOdds = make([]float32, len(l)/2), make([]float32, len(l)/2)
	for q := range prob {
		prob[q] = float32(1 / (1 + math.Exp(l[2*q]-l[2*q+1])))
		logOdds[q] = float32(l[2*q+1] - l[2*q])
	}
	return prob, logOdds, nil
}

// Depths returns for each query the number, from 1, of the largest entry of p
// [Q, L], the first of equal ones (Eq. 13); without p, L.
func Depths(p []float32, queries, layers int) []int32 {
	depth := make([]int32, queries)
	for q := range depth {
		depth[q] = int32(layers)
		if p == nil {
			continue
		}
		row, best := p[q*layers:(q+1)*layers], 0
		for i, v := range row {
			if v > row[best] {
				best = i
			}
		}
		depth[q] = int32(best + 1)
	}
	return depth
}
