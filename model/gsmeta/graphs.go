package gsmeta

import (
	"slices"

	"github.com/sugarme/gotch/ts"

	"pacia/data"
	"pacia/gnn"
	"pacia/internal/each"
	"pacia/model"
	"pacia/model/shared/descent"
	"pacia/ops"
)

// Legend: N support molecules, M queries, P = 1 + A properties of a graph, the target first, d width
// of a vector.

// episode is one of a training step, or, without queries, the support set of a test task.
type episode struct {
	support, queries *data.Batch // queries with labels, as a support set has them; nil: none
	place            int         // of the target among the training tasks; −1: a test task
	auxiliary        []int       // places of the other properties
}

// properties are the target's [1, d] and the others [A, d]; nil: none.
func (m *gsmeta) properties(e episode, s *ops.Scope) (target, others *ts.Tensor) {
	target = m.target
	if e.place >= 0 {
		target = m.rows([]int{e.place}, s)
	}
	if len(e.auxiliary) > 0 {
		others = m.rows(e.auxiliary, s)
	}
	return target, others
}

func (m *gsmeta) rows(places []int, s *ops.Scope) *ts.Tensor {
	index := each.As[int32](places)
	return s.Keep(ops.Rows(m.all, s.Keep(ops.Vector(index, m.Set.Device))))
}

// encoded is a batch of labelled molecules: vectors [n, d], and the types of their edges [n, P].
type encoded struct {
	batch          *model.Batch
	vectors, types *ts.Tensor
	stats          []*gnn.Stats
	known          bool // some edge has a label of a training task
}

// encode encodes the support of b. Its labels are edges to the target where they are shown.
func (m *gsmeta) encode(b *model.Batch, auxiliary []int, shown bool, mode ops.Mode, s *ops.Scope) encoded {
	read, stats := m.Encode(b, mode, nil, s)
	var labels []uint8
	if shown {
		labels = b.Host.SupportLabel
	}
	e := encoded{batch: b, vectors: read.Of(b.SupportMol, s), stats: stats}
	e.types, e.known = m.edges(b.Host, b.Host.SupportMol, labels, auxiliary, s)
	return e
}

// Keys of a pass: those of the encoder's dropout on support and queries, and of the graphs'.
const (
	siteSupport = 2000 + iota
	siteQueries
	siteGraphs
)

// supportLoss is the mean cross entropy of the support molecules, in a graph without queries.
func (m *gsmeta) supportLoss(e episode, mode ops.Mode, s *ops.Scope) *ts.Tensor {
	x := m.encode(m.Place(e.support, s), e.auxiliary, true, mode.Site(siteSupport), s)
	logits, _ := s.Keep2(m.graphs.Of(m.given(e, x, s), mode.Site(siteGraphs)))
	return m.entropy(logits, x.batch, s)
}

// queryLoss is that of the queries, in a graph each, and the vector [d] of these graphs.
func (m *gsmeta) queryLoss(e episode, mode ops.Mode, s *ops.Scope) (loss, vector *ts.Tensor) {
	x := m.encode(m.Place(e.support, s), e.auxiliary, true, mode.Site(siteSupport), s)
	q := m.encode(m.Place(e.queries, s), e.auxiliary, false, mode.Site(siteQueries), s)
	t := m.given(e, x, s)
	t.Query, t.Asked = q.vectors, q.types
	logits, vector := s.Keep2(m.graphs.Of(t, mode.Site(siteGraphs)))
	return m.entropy(logits, q.batch, s), vector
}

// given is the part of a graph without queries.
func (m *gsmeta) given(e episode, x encoded, s *ops.Scope) ops.PropertyTask {
	t := ops.PropertyTask{Support: x.vectors, Known: x.types, Shots: e.support.Shots}
	t.Target, t.Others = m.properties(e, s)
	return t
}

// entropy is the mean cross entropy of logits [n, 1, 2] of the support of a batch.
func (m *gsmeta) entropy(logits *ts.Tensor, b *model.Batch, s *ops.Scope) *ts.Tensor {
	n := b.Host.Support
	weights := make([]float64, n)
	for i := range weights {
		weights[i] = 1 / float64(n)
	}
	return s.KeepLoss(ops.Loss(logits, b.SupportLabel, m.Vector(weights, s), nil, ops.LossLast, 1)).Loss
}

// Loss is that of a support set alone in evaluation mode, which a test task's steps go down.
func (m *gsmeta) Loss(b *model.Batch, _ ops.Mode, s *ops.Scope) *ts.Tensor {
	e := m.tested(b.Host)
	x := m.encode(m.Place(e.support, s), e.auxiliary, true, ops.Mode{}, s)
	t := m.given(e, x, s)
	if m.own {
		logits, _ := m.normalised(t, s)
		return m.entropy(logits, x.batch, s)
	}
	logits, _ := s.Keep2(m.graphs.Of(t, ops.Mode{}))
	return m.entropy(logits, x.batch, s)
}

// normalised are the logits of a graph of the support alone by its own statistics, without
// dropout, and graphs with these in place of running averages, which stay.
func (m *gsmeta) normalised(t ops.PropertyTask, s *ops.Scope) (logits *ts.Tensor, own *ops.PropertyGraphs) {
	graphs := m.graphs
	graphs.Before, graphs.Dropout = 0, 0
	graphs.Layers = slices.Clone(m.graphs.Layers)
	var averages ops.List
	empty := func(like *ts.Tensor) *ts.Tensor {
		list := descent.Keep(s)(ops.ListLike(ops.List{like}, false))
		averages = append(averages, list...)
		return list[0]
	}
	for i := range graphs.Layers {
		l := &graphs.Layers[i]
		for k := range l.Pair {
			l.Pair[k].Mean, l.Pair[k].Var = empty(l.Pair[k].Mean), empty(l.Pair[k].Var)
		}
		l.Norm.Mean, l.Norm.Var = empty(l.Norm.Mean), empty(l.Norm.Var)
	}
	graphs.Hidden.Mean, graphs.Hidden.Var = empty(graphs.Hidden.Mean), empty(graphs.Hidden.Var)
	logits, _ = s.Keep2(graphs.Of(t, ops.Mode{Training: true}))
	// A pass moved the averages from 0 by a tenth of the statistics.
	s.Check(averages.Add(10, averages, 0))
	return logits, &graphs
}

// tested is the support set of a test task, with training tasks beside it that do not depend on
// what is asked.
func (m *gsmeta) tested(support *data.Batch) episode {
	return episode{support: support, place: -1, auxiliary: m.auxiliary(-1, m.Set.Seed)}
}

// task is the result of adapting to a support set.
type task struct {
	*gsmeta
	auxiliary []int
	stats     []*gnn.Stats
	given     ops.PropertyTask
	graphs    *ops.PropertyGraphs
}

func (m *gsmeta) Adapt(support *model.Batch, s *ops.Scope) model.Task {
	e := m.tested(support.Host)
	x := m.encode(support, e.auxiliary, true, ops.Mode{}, s)
	if !x.known && !m.memory.None() {
		tell()
	}
	t := &task{m, e.auxiliary, x.stats, m.given(e, x, s), &m.graphs}
	if m.own {
		_, t.graphs = m.normalised(t.given, s)
	}
	return t
}

// Score returns the logits [M, 1, 2]. The edges of a query are its labels of training tasks.
func (t *task) Score(queries *model.Batch, s *ops.Scope) model.Scores {
	read, _ := t.Encode(queries, ops.Mode{}, t.stats, s)
	of := t.given
	of.Query = read.Of(queries.QueryMol, s)
	of.Asked, _ = t.edges(queries.Host, queries.Host.QueryMol, nil, t.auxiliary, s)
	logits, _ := s.Keep2(t.graphs.Of(of, ops.Mode{}))
	return model.Scores{Logits: logits, Layers: 1}
}
