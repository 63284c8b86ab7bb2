package model

import (
	"fmt"

	"github.com/sugarme/gotch/ts"

	"pacia/data"
	"pacia/ops"
)

// Legend: N support molecules of one task, Q queries, n = N+1 nodes of a
// graph, L layers of the relation graph, d and d_R widths of atoms and nodes.

// Inspection is the stages that molecules of one task go through when a trained
// model is used, as plain numbers, row-major.
type Inspection struct {
	Support, Queries, Layers int // N, Q, L
	Width, NodeWidth         int // d, d_R

	PlainSupport, PlainQuery []float32   // [N, d], [Q, d] embeddings (Eq. 2) of the encoder without its modulations
	TaskSupport, TaskQuery   []float32   // [N, d], [Q, d] embeddings of the encoder adapted to the task (Eqs. 5 to 7)
	Nodes                    [][]float32 // [L][Q, n, d_R] after each relation layer (Eq. 4), the query last
	Adjacency                [][]float32 // [L][Q, n, n] a_ij of each relation layer (Eq. 3), 0 but for a node's K nearest; rows not yet normalised
	Readings
}

// Readings is how queries are classified after each relation layer.
type Readings struct {
	Probability []float32 // [Q, L] P(active), were the graph read after that layer (Eq. 17)
	P           []float32 // [Q, L] plausibility of each depth (Eq. 8); nil where depth is not adapted
	Depth       []int32   // [Q] the depth chosen (Eq. 12), 1 to L
}

// Inspect shows a task's support set and some of its queries to the model as
// Adapt and Score do, and returns every stage.
func (m *Model) Inspect(support, queries *data.Batch) (*Inspection, error) {
	i := &Inspection{Support: support.Support, Queries: len(queries.QueryMol), Layers: len(m.layout.relation)}
	err := m.inspect(support, queries, func(v *view, s *scope) error {
		plain, layout := *m, *m.layout
		layout.task = nil
		plain.layout = &layout
		before, err := plain.encodeTask(v.support, v.queries, s)
		if err != nil {
			return err
		}
		var trace Trace
		layers, scores, err := m.relate(v.graphs(), ops.Mode{}, s, &trace)
		if err != nil {
			return err
		}
		if i.Readings, err = m.readings(v, layers, scores, s); err != nil {
			return err
		}
		i.PlainSupport, i.PlainQuery = read32(&err, before.supportMean), read32(&err, before.queryMean)
		i.TaskSupport, i.TaskQuery = read32(&err, v.supportMean), read32(&err, v.queryMean)
		for l, nodes := range layers {
			i.Nodes = append(i.Nodes, read32(&err, nodes))
			i.Adjacency = append(i.Adjacency, single(trace.Adjacency[l]))
		}
		if err == nil {
			err = trace.Err
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	i.Width, i.NodeWidth = len(i.PlainSupport)/i.Support, len(i.Nodes[0])/(i.Queries*(i.Support+1))
	return i, nil
}

// ReadDepths classifies queries of a task after each relation layer.
func (m *Model) ReadDepths(support, queries *data.Batch) (r Readings, err error) {
	err = m.inspect(support, queries, func(v *view, s *scope) error {
		layers, scores, err := m.relate(v.graphs(), ops.Mode{}, s, nil)
		if err != nil {
			return err
		}
		r, err = m.readings(v, layers, scores, s)
		return err
	})
	return r, err
}

// view is a task's support set and queries behind the encoder.
type view struct {
	support, queries         *batch
	supportMean, queryMean   *ts.Tensor // [N, d], [Q, d]
	supportNodes, queryNodes *ts.Tensor // [N, d_R], [Q, d_R]
}

func (v *view) graphs() graphs {
	return graphs{
		start:  ops.Nodes{Support: v.supportNodes, Query: v.queryNodes, Task: v.queries.queryTask},
		labels: v.support.supportLabel, support: v.support.host.Support, k: v.support.host.Shots,
	}
}

// inspect encodes support and queries and hands them on.
func (m *Model) inspect(support, queries *data.Batch, use func(*view, *scope) error) error {
	if support.Tasks != 1 || support.Support == 0 || len(support.QueryMol) != 0 || queries.Support != 0 || len(queries.QueryMol) == 0 {
		return fmt.Errorf("inspect: batches of %d and %d support molecules, %d and %d queries are not the support set and the queries of one task",
			support.Support, queries.Support, len(support.QueryMol), len(queries.QueryMol))
	}
	err := ops.WithoutGrad(func() error {
		s, err := m.newBatch(support)
		if err != nil {
			return err
		}
		defer s.drop()
		q, err := m.newBatch(queries)
		if err != nil {
			return err
		}
		defer q.drop()
		var kept scope
		defer kept.drop()
		v, err := m.encodeTask(s, q, &kept)
		if err != nil {
			return err
		}
		return use(v, &kept)
	})
	if err != nil {
		return fmt.Errorf("inspect: %w", err)
	}
	return nil
}

func (m *Model) encodeTask(support, queries *batch, s *scope) (*view, error) {
	v := &view{support: support, queries: queries}
	h, mods, err := m.encode(support, ops.Mode{}, nil, s, nil)
	if err != nil {
		return nil, err
	}
	if v.supportMean, v.supportNodes, err = m.project(h, support, support.supportMol, s); err != nil {
		return nil, err
	}
	if h, _, err = m.encode(queries, ops.Mode{}, mods, s, nil); err != nil {
		return nil, err
	}
	v.queryMean, v.queryNodes, err = m.project(h, queries, queries.queryMol, s)
	return v, err
}

// readings classifies the queries after each layer.
func (m *Model) readings(v *view, layers, scores []*ts.Tensor, s *scope) (r Readings, err error) {
	queries, depths := len(v.queries.host.QueryMol), len(layers)
	var p *ts.Tensor
	if len(scores) > 0 {
		mixture, all, err := ops.Mix(layers, scores, nil, true)
		if err != nil {
			return r, err
		}
		s.tensors = append(s.tensors, mixture, all)
		p = all
	}
	logits, err := s.keep(m.layout.classifier.Logits(layers, v.support.supportLabel, v.queries.queryTask, v.support.host.Support))
	if err != nil {
		return r, err
	}
	if r.Probability, _, err = read(logits, nil, queries*depths, 1); err != nil {
		return r, err
	}
	if p != nil {
		r.P = read32(&err, p)
	}
	for q := range queries {
		depth := int32(depths)
		if r.P != nil {
			depth = int32(1 + argmax(r.P[q*depths:(q+1)*depths]))
		}
		r.Depth = append(r.Depth, depth)
	}
	return r, err
}

// read32 reads a tensor unless an error came before.
func read32(err *error, t *ts.Tensor) (values []float32) {
	if *err == nil {
		values, *err = ops.ReadAs[float32](t)
	}
	return values
}

func single(x []float64) []float32 {
	y := make([]float32, len(x))
	for i, v := range x {
		y[i] = float32(v)
	}
	return y
}
