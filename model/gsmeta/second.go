package gsmeta

import (
	"pacia/gnn/params"
	"pacia/model/shared/descent"
	"pacia/ops"
)

// Legend: K inner steps, φ_0 … φ_K the parameters before and after each.

// Consolidation is the penalty of inner steps on some parameters, weight·‖φ_K − φ_0‖. It needs
// gradients of the second order: to the first, φ_K moves as φ_0 does.
type Consolidation struct {
	Weight float64
	Of     func(p params.Parameter) bool
}

// through adds to sum the gradient by φ_0, v_t = v_{t+1} − α ∇²L_S(φ_t) v_{t+1}, of the gradients
// v_K = ∇L(φ_K) that the parameters have, together with that of a share of the consolidation, which
// it returns.
func (t *step) through(e int, sum ops.List, share float64, s *ops.Scope) (penalty float64) {
	v := descent.Keep(s)(ops.ListLike(t.parameters(), true))
	s.Check(v.AddGradients(0, t.parameters(), 1))
	pulled := descent.Keep(s)(ops.ListLike(v, true)) // by φ_K; by φ_0 it is the opposite
	penalty = t.pull(pulled, share*t.Consolidate.Weight, s)
	s.Check(v.Add(1, pulled, 1))
	for i := len(t.paths[e]) - 1; i >= 0; i-- {
		s.Check(v.Add(1, t.product(e, i, v, s), -t.Adaptation.Rate))
	}
	s.Check(v.Add(1, pulled, -1))
	s.Check(t.ofAdapted(sum).Add(1, v, 1))
	return penalty
}

// pull leaves the gradient of weight·‖φ_K − φ_0‖ by φ_K, the parameters, in to, which is 0, and
// returns that penalty.
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

// distance is how far both sides of a difference are from the parameters, in double precision: so
// near that no ReLU changes sides, as a rule.
const distance = 4e-6

// product is ∇²L_S(φ_i)·v of an episode's support, with the same masks of dropout on both sides, on a
// copy of the network in double precision.
func (t *step) product(e, i int, v ops.List, s *ops.Scope) ops.List {
	return descent.Product(t.double.parameters(), t.paths[e][i], v, distance, func() {
		s.Check(ops.InScope(func(pass *ops.Scope) { pass.Check(ops.Backward(t.double.supportLoss(t.episodes[e], t.of(e, i), pass))) }))
	}, s)
}

// twin is the network in double precision.
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
