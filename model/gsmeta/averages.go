package gsmeta

import (
	"slices"

	"github.com/sugarme/gotch/ts"

	"pacia/model/shared/inner"
	"pacia/ops"
)

// averages are statistics of one support set that replace running averages, which stay
// unchanged.
type averages ops.List

// renew replaces tensors by new ones of 0 and adds these to a.
func (a *averages) renew(s *ops.Scope, all ...**ts.Tensor) {
	for _, t := range all {
		list := inner.Keep(s)(ops.ListLike(ops.List{*t}, false))
		*a, *t = append(*a, list...), list[0]
	}
}

// fill sets the averages to the statistics of the single pass that updated them. That pass moved
// them from 0 by a tenth of these.
func (a averages) fill(s *ops.Scope) { s.Check(ops.List(a).Add(10, ops.List(a), 0)) }

// normalised returns the states of a graph of the support alone, normalised by its own statistics
// and without dropout, and graphs with these statistics in place of running averages.
func (m *Learner) normalised(t propertyTask, s *ops.Scope) (states *ts.Tensor, graphs *propertyGraphs) {
	own, all := m.graphs, averages{}
	own.before, own.dropout = 0, 0
	own.layers = slices.Clone(m.graphs.layers)
	for i := range own.layers {
		l := &own.layers[i]
		for k := range l.pair {
			all.renew(s, &l.pair[k].Mean, &l.pair[k].Var)
		}
		all.renew(s, &l.norm.Mean, &l.norm.Var)
	}
	states, _ = s.Keep2(own.of(t, ops.Mode{Training: true}))
	all.fill(s)
	return states, &own
}
