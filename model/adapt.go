package model

import (
	"fmt"
	"math"

	"github.com/sugarme/gotch/ts"

	"pacia/cuda"
	"pacia/data"
	"pacia/ops"
)

// Adapted is a model adapted to one task: what its support set gave, kept on
// the device.
type Adapted struct {
	mods    []modulation
	support *ts.Tensor // [N, d_R] nodes
	labels  *ts.Tensor // [N]
	n, k    int
	kept    scope
	own     *Model // fine-tuned on the support set, or nil
}

// Support returns the number of support molecules.
func (a *Adapted) Support() int { return a.n }

// Drop releases what the task gave.
func (a *Adapted) Drop() {
	a.kept.drop()
	if a.own != nil {
		a.own.Drop()
	}
}

// Adapt takes in the support set of one task: one forward pass, and before that
// the gradient steps of Tune where model.method is not pacia. The model stays as
// it is.
func (m *Model) Adapt(support *data.Batch) (*Adapted, error) {
	if support.Tasks != 1 || support.Support == 0 || len(support.QueryMol) != 0 {
		return nil, fmt.Errorf("adapt: a batch of %d tasks, %d support molecules and %d queries is not the support set of one task",
			support.Tasks, support.Support, len(support.QueryMol))
	}
	if m.config.Method != PACIA {
		if a, err := m.fineTune(support); a != nil || err != nil {
			return a, err
		}
	}
	a := &Adapted{n: support.Support, k: support.Shots}
	err := ops.WithoutGrad(func() error {
		b, err := m.newBatch(support)
		if err != nil {
			return err
		}
		defer b.drop()
		h, mods, err := m.encode(b, ops.Mode{}, nil, &a.kept, nil)
		if err != nil {
			return err
		}
		a.mods = mods
		if _, a.support, err = m.project(h, b, b.supportMol, &a.kept); err != nil {
			return err
		}
		a.labels, b.supportLabel = b.supportLabel, nil
		if _, err = a.kept.keep(a.labels, nil); err != nil || m.set.Device == ops.CPU {
			return err
		}
		// Queries may be scored on other threads, whose streams do not wait for
		// this one's.
		return cuda.Synchronize(int(m.set.Device))
	})
	if err != nil {
		a.Drop()
		return nil, fmt.Errorf("adapt: %w", err)
	}
	return a, nil
}

// Score returns for each query the probability that it is active and the
// depth, 1 to L_rel, at which its relation graph was read.
func (m *Model) Score(a *Adapted, queries *data.Batch) (prob []float32, depth []int32, err error) {
	if queries.Support != 0 {
		return nil, nil, fmt.Errorf("score: the batch holds %d support molecules beside its queries", queries.Support)
	}
	if a.own != nil {
		m = a.own
	}
	err = ops.WithoutGrad(func() error {
		b, err := m.newBatch(queries)
		if err != nil {
			return err
		}
		defer b.drop()
		var s scope
		defer s.drop()
		logits, p, err := m.score(a, b, &s)
		if err != nil {
			return err
		}
		prob, depth, err = read(logits, p, len(queries.QueryMol), max(1, len(m.layout.relation)))
		return err
	})
	if err != nil {
		return nil, nil, fmt.Errorf("score: %w", err)
	}
	return prob, depth, nil
}

func (m *Model) score(a *Adapted, b *batch, s *scope) (logits, p *ts.Tensor, err error) {
	h, _, err := m.encode(b, ops.Mode{}, a.mods, s, nil)
	if err != nil {
		return nil, nil, err
	}
	if m.heads != nil {
		logits, err = m.heads.logits(h, b, b.queryMol, nil, s)
		return logits, nil, err
	}
	_, query, err := m.project(h, b, b.queryMol, s)
	if err != nil {
		return nil, nil, err
	}
	layers, scores, err := m.relate(graphs{
		start:  ops.Nodes{Support: a.support, Query: query, Task: b.queryTask},
		labels: a.labels, support: a.n, k: a.k,
	}, ops.Mode{}, s, nil)
	if err != nil {
		return nil, nil, err
	}
	return m.decide(layers, scores, a.labels, b.queryTask, a.n, s)
}

// read turns logits [Q, 1, 2] into P(active) (Eq. 17) and p [Q, L] into the
// number of its largest entry.
func read(logits, p *ts.Tensor, queries, layers int) (prob []float32, depth []int32, err error) {
	l, err := ops.Read(logits)
	if err != nil {
		return nil, nil, err
	}
	var scores []float32
	if p != nil {
		if scores, err = ops.Read(p); err != nil {
			return nil, nil, err
		}
	}
	prob, depth = make([]float32, queries), make([]int32, queries)
	for q := range prob {
		prob[q] = float32(1 / (1 + math.Exp(float64(l[2*q])-float64(l[2*q+1]))))
		depth[q] = int32(layers)
		if p != nil {
			depth[q] = int32(1 + argmax(scores[q*layers:(q+1)*layers]))
		}
	}
	return prob, depth, nil
}

// argmax is the first of the largest.
func argmax(x []float32) int {
	best := 0
	for i, v := range x {
		if v > x[best] {
			best = i
		}
	}
	return best
}
