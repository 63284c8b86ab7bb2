package pacia

import (
	"github.com/sugarme/gotch/ts"

	"pacia/model"
	"pacia/model/shared/predictor"
	"pacia/ops"
)

// Legend: N support molecules of one task, Q queries, n = N+1 nodes of a
// graph, L layers of the relation graph, d' and d_R widths of molecules' vectors and of
// nodes.

// view holds a task's support set and queries after the encoder.
type view struct {
	supportMean, queryMean   *ts.Tensor // [N, d'], [Q, d']
	supportNodes, queryNodes *ts.Tensor // [N, d_R], [Q, d_R]
}

func (p *pacia) view(support, queries *model.Batch, s *ops.Scope) (v view) {
	read, mods := p.encode(support, ops.Mode{}, nil, s)
	v.supportMean = read.Of(support.SupportMol, s)
	v.supportNodes = p.Project(v.supportMean, s)
	read, _ = p.encode(queries, ops.Mode{}, mods, s)
	v.queryMean = read.Of(queries.QueryMol, s)
	v.queryNodes = p.Project(v.queryMean, s)
	return v
}

// Inspect runs the model on a task and returns all intermediate results, or the readings alone.
func (p *pacia) Inspect(support, queries *model.Batch, depths bool, s *ops.Scope) *model.Inspection {
	v := p.view(support, queries, s)
	g := predictor.GraphsOf(support, v.supportNodes, queries, v.queryNodes)
	r := p.relate(g, ops.Mode{}, !depths, s)
	i := &model.Inspection{
		Support: support.Host.Support, Queries: len(queries.Host.QueryMol), Layers: p.Layers,
		Readings: p.readings(r, g, len(queries.Host.QueryMol), s),
	}
	if depths {
		return i
	}
	plain := *p
	plain.task = nil
	before := plain.view(support, queries, s)
	i.PlainSupport, i.PlainQuery = numbers(before.supportMean, s), numbers(before.queryMean, s)
	i.TaskSupport, i.TaskQuery = numbers(v.supportMean, s), numbers(v.queryMean, s)
	for l := range r.layers {
		i.Nodes = append(i.Nodes, numbers(r.layers[l], s))
		i.Adjacency = append(i.Adjacency, numbers(r.adjacency[l], s))
	}
	i.Width, i.NodeWidth, i.Modulated = len(i.PlainSupport)/i.Support, p.Width, p.task != nil
	return i
}

// readings classifies the queries after each layer.
func (p *pacia) readings(r relation, g predictor.Graphs, queries int, s *ops.Scope) model.Readings {
	var read model.Readings
	if len(r.scores) > 0 {
		_, all := s.Keep2(ops.Mix(r.layers, r.scores, nil, true))
		read.P = numbers(all, s)
	}
	probability, _, err := model.Probabilities(p.Logits(r.layers, g, s))
	s.Check(err)
	read.Probability = probability
	read.Depth = model.Depths(read.P, queries, p.Layers)
	return read
}

func numbers(t *ts.Tensor, s *ops.Scope) []float32 {
	v := ops.Try(ops.Read(t)).In(s)
	return v
}
