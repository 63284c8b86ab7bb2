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

// through makes of v = ∇L(φ_K) the gradient by φ_0, v_t = v_{t+1} − α ∇²L_S(φ_t) v_{t+1}, where the
// order is 2, together with that of a share of the consolidation, which it returns.
func (t *step) through(e int, v, after ops.List, share float64, s *ops.Scope) (penalty float64) {
	if t.Adaptation.Order < 2 {
		return 0
	}
	pulled := descent.Keep(s)(ops.ListLike(v, true)) // by φ_K; by φ_0 it is the opposite
	penalty = t.pull(pulled, after, share*t.Consolidate.Weight, s)
	s.Check(v.Add(1, pulled, 1))
	for i := len(t.paths[e]) - 1; i >= 0; i-- {
		s.Check(v.Add(1, t.product(e, i, v, s), -t.Adaptation.Rate))
	}
	s.Check(v.Add(1, pulled, -1))
	return penalty
}

// pull leaves the gradient of weight·‖φ_K − φ_0‖ by φ_K in to, which is 0, and returns that penalty.
func (t *step) pull(to, after ops.List, weight float64, s *ops.Scope) float64 {
	if weight == 0 {
		return 0
	}
	var apart, from ops.List
	for i, p := range t.adapted() {
		if t.Consolidate.Of(p) {
			s.Check(to[i : i+1].Copy(after[i : i+1]))
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

// product is ∇²L_S(φ_i)·v of an episode's support, by gradients on both sides of φ_i with the same
// masks of dropout, on a copy of the network in double precision. In single precision the two sides
// would have to be so far from each other that kinks decide what their difference is.
func (t *step) product(e, i int, v ops.List, s *ops.Scope) ops.List {
	d := t.double
	all := d.parameters()
	out := descent.Keep(s)(ops.ListLike(all, true))
	norm := ops.Try(v.Norm()).In(s)
	if norm == 0 {
		return out
	}
	rho := distance / norm
	for _, side := range []float64{1, -1} {
		s.Check(all.Copy(t.paths[e][i]))
		s.Check(all.Add(1, v, side*rho))
		s.Check(ops.InScope(func(pass *ops.Scope) { pass.Check(ops.Backward(d.supportLoss(t.episodes[e], t.of(e, i), pass))) }))
		s.Check(out.AddGradients(1, all, side/(2*rho)))
		s.Check(ops.ForgetGradients(all))
	}
	return out
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
