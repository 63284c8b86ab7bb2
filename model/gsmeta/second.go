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
	adapted := 0
	for i, p := range t.Set.Trained() {
		if ofSelector(p) {
			continue
		}
		if t.Consolidate.Of(p) {
			s.Check(ops.List{to[i]}.Copy(ops.List{after[adapted]}))
			apart, from = append(apart, to[i]), append(from, t.start[adapted])
		}
		adapted++
	}
	s.Check(apart.Add(1, from, -1))
	norm := ops.Try(apart.Norm()).In(s)
	if norm > 0 {
		s.Check(apart.Add(weight/norm, apart, 0))
	}
	return weight * norm
}

// distance is that of both sides of a difference of gradients from the parameters. In single
// precision it lies where rounding and curvature disturb alike: a thousandth of the product.
func (t *step) distance() float64 {
	if t.Set.Float64 {
		return 4e-6
	}
	return 1e-2
}

// product is ∇²L_S(φ_i)·v of an episode's support, by gradients on both sides of φ_i with the same
// masks of dropout. The running averages stay.
func (t *step) product(e, i int, v ops.List, s *ops.Scope) ops.List {
	all := ops.List(params.Tensors(t.Set.Trained()))
	out := descent.Keep(s)(ops.ListLike(all, true))
	norm := ops.Try(v.Norm()).In(s)
	if norm == 0 {
		return out
	}
	before := descent.Keep(s)(t.averages().Clone())
	rho := t.distance() / norm
	for _, side := range []float64{1, -1} {
		s.Check(t.parameters().Copy(t.paths[e][i]))
		s.Check(all.Add(1, v, side*rho))
		s.Check(ops.InScope(func(pass *ops.Scope) { pass.Check(ops.Backward(t.supportLoss(t.episodes[e], t.of(e, i), pass))) }))
		s.Check(out.AddGradients(1, all, side/(2*rho)))
		s.Check(ops.ForgetGradients(all))
	}
	s.Check(t.averages().Copy(before))
	return out
}
