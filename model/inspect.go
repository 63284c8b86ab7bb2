package model

import (
	"fmt"

	"pacia/data"
	"pacia/ops"
)

// Legend: N support molecules of one task, Q queries, n = N+1 nodes of a
// graph, L layers of the relation graph, d' and d_R widths of molecules' vectors and of
// nodes.

// Inspection holds the intermediate results of a trained model for molecules of one
// task, row-major.
type Inspection struct {
	Support, Queries, Layers int  // N, Q, L
	Width, NodeWidth         int  // d', d_R
	Modulated                bool // the encoder is adapted to the task

	PlainSupport, PlainQuery []float32   // [N, d'], [Q, d'] embeddings (Eq. 2) of the encoder without its modulations
	TaskSupport, TaskQuery   []float32   // [N, d'], [Q, d'] embeddings of the encoder adapted to the task (Eqs. 6, 9 and 10)
	Nodes                    [][]float32 // [L][Q, n, d_R] after each relation layer (Eq. 5), the query last
	Adjacency                [][]float32 // [L][Q, n, n] a_ij of each relation layer (Eq. 4), 0 except for a node's K nearest; before rows are normalised
	Readings
}

// Readings holds the classification of queries after each relation layer.
type Readings struct {
	Probability []float32 // [Q, L] P(active) if the graph were read after that layer (Eq. 20)
	P           []float32 // [Q, L] plausibility of each depth (Eqs. 7 and 11); nil if depth is not adapted
	Depth       []int32   // [Q] the depth chosen (Eq. 13), 1 to L
}

// Inspect runs the model on a task's support set and some of its queries as Adapt
// and Score do, and returns all intermediate results.
func (m *Model) Inspect(support, queries *data.Batch) (*Inspection, error) {
	return m.inspect(support, queries, false)
}

// ReadDepths classifies queries of a task after each relation layer.
func (m *Model) ReadDepths(support, queries *data.Batch) (Readings, error) {
	i, err := m.inspect(support, queries, true)
	if err != nil {
		return Readings{}, err
	}
	return i.Readings, nil
}

func (m *Model) inspect(support, queries *data.Batch, depths bool) (i *Inspection, err error) {
	inspector, ok := m.method.(Inspector)
	if !ok {
		return nil, fmt.Errorf("inspect: a model of model.method=%s has no stages", m.config.Method)
	}
	if support.Tasks != 1 || support.Support == 0 || len(support.QueryMol) != 0 || queries.Support != 0 || len(queries.QueryMol) == 0 {
		return nil, fmt.Errorf("inspect: batches of %d and %d support molecules, %d and %d queries are not the support set and the queries of one task",
			support.Support, queries.Support, len(support.QueryMol), len(queries.QueryMol))
	}
	err = ops.WithoutGrad(func() error {
		return m.pass(support, func(b *Batch, s *ops.Scope) {
			i = inspector.Inspect(b, m.batch(queries, s), depths, s)
		})
	})
	if err != nil {
		return nil, fmt.Errorf("inspect: %w", err)
	}
	return i, nil
}
