package gsmeta

import (
	"pacia/gnn/params"
	"pacia/model/shared/inner"
	"pacia/ops"
)

// Legend: K inner steps, φ_0 … φ_K the parameters before and after each.

// Consolidation is a penalty on changes of some parameters by inner steps, weight·‖φ_K − φ_0‖. It
// needs second-order gradients: in first order, φ_K changes as φ_0 does.
type Consolidation struct {
	Weight float64
	Of     func(p params.Parameter) bool
}

// through takes the gradients of the parameters φ_K back through the inner steps, and adds the gradient by φ_0 to
// the sum. It includes a share of the consolidation, and returns that penalty.
func (t *step) through(e int, share float64, s *ops.Scope) (penalty float64) {
	v := inner.Gradients(t.parameters(), true, s)
	pulled := inner.Keep(s)(ops.ListLike(v, true)) // gradient by φ_K; the one by φ_0 is its negative
	penalty = t.pull(pulled, share*t.Consolidate.Weight, s)
	s.Check(v.Add(1, pulled, 1))
	t.paths[e].Through(v, t.twin.parameters(), distance, func(pass int) { t.slope(e, pass, t.twin, s) }, s)
	s.Check(v.Add(1, pulled, -1))
	s.Check(t.ofAdapted(t.Sum).Add(1, v, 1))
	return penalty
}

// pull writes the gradient of weight·‖φ_K − φ_0‖ by φ_K, the current parameters, to the list to, which must
// be 0, and returns that penalty.
func (t *step) pull(to ops.List, weight float64, s *ops.Scope) float64 {
	if weight == 0 {
		return 0
	}
	var apart, from ops.List
	for i, p := range t.adapted() {
		if t.Consolidate.Of(p) {
			s.Check(to[i : i+1].Copy(ops.List{p.Tensor}))
			apart, from = append(apart, to[i]), append(from, t.Start[i])
		}
	}
	s.Check(apart.Add(1, from, -1))
	norm := ops.Try(apart.Norm()).In(s)
	if norm > 0 {
		s.Check(apart.Add(weight/norm, apart, 0))
	}
	return weight * norm
}

// distance is the distance of both sides of a difference from the parameters, in double precision. It
// is so small that a ReLU rarely changes sides. Both sides have the same dropout masks.
const distance = 4e-6

// double returns a copy of the network in double precision.
func (m *Learner) double(s *ops.Scope) *Learner {
	d := ops.Try(m.Double()).In(s)
	s.Own(d.Drop)
	l := d.Method().(interface{ learner() *Learner }).learner()
	if l.all == nil {
		l.addProperties(m.tasks)
	}
	s.Check(l.Set.Err())
	s.Check(m.memory.read(m.tasks))
	l.memory.known = m.memory.known
	return l
}

func (m *Learner) learner() *Learner { return m }
