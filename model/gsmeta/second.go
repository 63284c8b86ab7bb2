package gsmeta

import (
	"pacia/gnn/params"
	"pacia/model/shared/descent"
	"pacia/ops"
)

// Legend: K inner steps, φ_0 … φ_K the parameters before and after each.

// Consolidation is a penalty on changes of some parameters by inner steps, weight·‖φ_K − φ_0‖. It
// needs second-order gradients: in first order, φ_K changes as φ_0 does.
type Consolidation struct {
	Weight float64
	Of     func(p params.Parameter) bool
}

// through takes the gradients v_K = ∇L(φ_K) of the parameters back through the inner steps,
// v_t = v_{t+1} − α ∇²L_S(φ_t) v_{t+1}, and adds the gradient v_0 by φ_0 to sum. It includes a share of
// the consolidation, and returns that penalty.
func (t *step) through(e int, sum ops.List, share float64, s *ops.Scope) (penalty float64) {
	v := descent.Keep(s)(ops.ListLike(t.parameters(), true))
	s.Check(v.AddGradients(0, t.parameters(), 1))
	pulled := descent.Keep(s)(ops.ListLike(v, true)) // gradient by φ_K; the one by φ_0 is its negative
	penalty = t.pull(pulled, share*t.Consolidate.Weight, s)
	s.Check(v.Add(1, pulled, 1))
	for i := len(t.paths[e]) - 1; i >= 0; i-- {
		s.Check(v.Add(1, t.product(e, i, v, s), -t.Adaptation.Rate))
	}
	s.Check(v.Add(1, pulled, -1))
	s.Check(t.ofAdapted(sum).Add(1, v, 1))
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
			apart, from = append(apart, to[i]), append(from, t.start[i])
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
// is so small that a ReLU rarely changes sides.
const distance = 4e-6

// product returns ∇²L_S(φ_i)·v of an episode's support, on a copy of the network in double precision.
// Both sides of the difference have the same dropout masks.
func (t *step) product(e, i int, v ops.List, s *ops.Scope) ops.List {
	return descent.Product(t.double.parameters(), t.paths[e][i], v, distance, func() {
		s.Check(ops.InScope(func(pass *ops.Scope) { pass.Check(ops.Backward(t.double.supportLoss(t.episodes[e], t.of(e, i), pass))) }))
	}, s)
}

// twin returns a copy of the network in double precision.
func (m *Learner) twin(s *ops.Scope) *Learner {
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
