package gsmeta

import (
	"github.com/sugarme/gotch/ts"

	"pacia/data"
	"pacia/gnn"
	"pacia/internal/each"
	"pacia/model"
	"pacia/ops"
)

// Legend: N support molecules, M queries, P = 1 + A properties of a graph, the target first, d width
// of a vector.

// episode is an episode of a training step or, without queries, the support set of a test task.
type episode struct {
	support, queries *data.Batch // queries: labelled like a support set, or nil
	place            int         // of the target among the training tasks; −1: a test task
	auxiliary        []int       // places of the other properties
}

// properties returns the vectors of the target [1, d] and of the other properties [A, d], or nil for none.
func (m *Learner) properties(e episode, s *ops.Scope) (target, others *ts.Tensor) {
	target = m.target
	if e.place >= 0 {
		target = m.rows([]int{e.place}, s)
	}
	if len(e.auxiliary) > 0 {
		others = m.rows(e.auxiliary, s)
	}
	return target, others
}

func (m *Learner) rows(places []int, s *ops.Scope) *ts.Tensor {
	index := each.As[int32](places)
	return s.Keep(ops.Rows(m.all, s.Keep(ops.Vector(index, m.Set.Device))))
}

// encoded is a batch of molecules with vectors [n, d] and types of their edges [n, P].
type encoded struct {
	batch          *model.Batch
	vectors, types *ts.Tensor
	stats          []*gnn.Stats
	known          bool // some edge has a label of a training task
}

// of returns the molecules with their states.
func (e *encoded) of(states *ts.Tensor) Molecules {
	return Molecules{Batch: e.batch, Host: e.batch.Host.SupportMol, Which: e.batch.SupportMol, Vectors: e.vectors, States: states}
}

// encode encodes the support of b. Its labels become edges to the target. With queries, its
// molecules are queries, and there are no such edges.
func (m *Learner) encode(b *model.Batch, auxiliary []int, queries bool, mode ops.Mode, s *ops.Scope) encoded {
	read, stats := m.Encode(b, mode, nil, s)
	e := encoded{batch: b, vectors: read.Of(b.SupportMol, s), stats: stats}
	if queries {
		e.types = m.queryTypes(b.Host, b.Host.SupportMol, auxiliary, s)
	} else {
		e.types, e.known = m.edges(b.Host, b.Host.SupportMol, b.Host.SupportLabel, auxiliary, s)
	}
	return e
}

// Keys of the dropout of a pass: of the encoder on support and queries, of the graphs, and the first key
// of the network.
const (
	siteSupport = 2000 + iota
	siteQueries
	siteGraphs
	siteNetwork
)

// supportLoss returns the mean cross entropy of the support molecules, in a graph without queries.
func (m *Learner) supportLoss(e episode, mode ops.Mode, s *ops.Scope) *ts.Tensor {
	x := m.encode(m.Place(e.support, s), e.auxiliary, false, mode.Site(siteSupport), s)
	states, _ := s.Keep2(m.graphs.of(m.given(e, x, s), mode.Site(siteGraphs)))
	return m.entropy(m.network.Logits(x.of(states), mode.Site(siteNetwork), s), x.batch, s)
}

// queryLoss returns the mean cross entropy of the queries, each in its own graph, and the vector [d]
// of these graphs.
func (m *Learner) queryLoss(e episode, mode ops.Mode, s *ops.Scope) (loss, vector *ts.Tensor) {
	x := m.encode(m.Place(e.support, s), e.auxiliary, false, mode.Site(siteSupport), s)
	q := m.encode(m.Place(e.queries, s), e.auxiliary, true, mode.Site(siteQueries), s)
	t := m.given(e, x, s)
	t.query, t.asked = q.vectors, q.types
	states, vector := s.Keep2(m.graphs.of(t, mode.Site(siteGraphs)))
	return m.entropy(m.network.Logits(q.of(states), mode.Site(siteNetwork), s), q.batch, s), vector
}

// given returns the part of a graph without queries.
func (m *Learner) given(e episode, x encoded, s *ops.Scope) propertyTask {
	t := propertyTask{support: x.vectors, known: x.types, shots: e.support.Shots}
	t.target, t.others = m.properties(e, s)
	return t
}

// entropy returns the mean cross entropy of logits [n, 1, 2] of the support of a batch.
func (m *Learner) entropy(logits *ts.Tensor, b *model.Batch, s *ops.Scope) *ts.Tensor {
	n := b.Host.Support
	weights := make([]float64, n)
	for i := range weights {
		weights[i] = 1 / float64(n)
	}
	return s.KeepLoss(ops.Loss(logits, b.SupportLabel, m.Vector(weights, s), nil, ops.LossLast, 1)).Loss
}

// Loss returns the loss of a support set alone in evaluation mode, which the steps of a test task
// minimise.
func (m *Learner) Loss(b *model.Batch, _ ops.Mode, s *ops.Scope) *ts.Tensor {
	e := m.tested(b.Host)
	x := m.encode(m.Place(e.support, s), e.auxiliary, false, ops.Mode{}, s)
	t := m.given(e, x, s)
	if m.own {
		states, _ := m.normalised(t, s)
		logits, _ := m.network.Own(x.of(states), s)
		return m.entropy(logits, x.batch, s)
	}
	states, _ := s.Keep2(m.graphs.of(t, ops.Mode{}))
	return m.entropy(m.network.Logits(x.of(states), ops.Mode{}, s), x.batch, s)
}

// tested returns the support set of a test task with its auxiliary training tasks, which do not depend
// on the queries.
func (m *Learner) tested(support *data.Batch) episode {
	return episode{support: support, place: -1, auxiliary: m.auxiliary(-1, m.Set.Seed)}
}

// task is the result of adapting to a support set.
type task struct {
	*Learner
	auxiliary []int
	stats     []*gnn.Stats
	given     propertyTask
	graphs    *propertyGraphs
	network   Network
}

// Adapt encodes the support set and relates it in a graph without queries.
func (m *Learner) Adapt(support *model.Batch, s *ops.Scope) model.Task {
	e := m.tested(support.Host)
	x := m.encode(support, e.auxiliary, false, ops.Mode{}, s)
	if !x.known && !m.memory.None() {
		warnUnknown()
	}
	t := &task{m, e.auxiliary, x.stats, m.given(e, x, s), &m.graphs, m.network}
	if m.own {
		var states *ts.Tensor
		states, t.graphs = m.normalised(t.given, s)
		_, t.network = m.network.Own(x.of(states), s)
	}
	return t
}

// Score returns the logits [M, 1, 2]. The edges of a query are its labels of training tasks.
func (t *task) Score(queries *model.Batch, s *ops.Scope) model.Scores {
	read, _ := t.Encode(queries, ops.Mode{}, t.stats, s)
	of := t.given
	of.query = read.Of(queries.QueryMol, s)
	of.asked = t.queryTypes(queries.Host, queries.Host.QueryMol, t.auxiliary, s)
	states, _ := s.Keep2(t.graphs.of(of, ops.Mode{}))
	m := Molecules{Batch: queries, Host: queries.Host.QueryMol, Which: queries.QueryMol, Vectors: of.query, States: states}
	return model.Scores{Logits: t.network.Logits(m, ops.Mode{}, s), Layers: 1}
}
