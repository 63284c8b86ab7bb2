package kernel

import (
	"errors"

	"github.com/sugarme/gotch/ts"
	"gonum.org/v1/gonum/mat"

	"pacia/ops"
)

// Legend: N support molecules, Q queries, d width of a molecule's vector, K [N, N] kernel of the
// support molecules, k [N] kernel of a query with them.

// The labels are modelled as noisy values of a function. Without a support set its variance at a
// molecule x is k(x, x). With one, a Gaussian process with noise of variance σ² has the variance
//
//	v = k(x, x) − kᵀ (K + σ² I)⁻¹ k
//
// The uncertainty of x is √(v / k(x, x)). It is 1 if no support molecule resembles x, and falls
// with the number of support molecules and their similarity to x. It does not depend on their
// labels. docs/trust.md reports how useful it is in practice.

// posterior holds the part of a support set that uncertainties need.
type posterior struct {
	units   []*ts.Tensor // of each member [d, N]: √u a_i x̂_i / members
	inverse *ts.Tensor   // [N, N] (L⁻¹)ᵀ, with L Lᵀ = K + σ² I
}

// EnableUncertainty adds uncertainties to the task's scores.
func (t *task) EnableUncertainty(s *ops.Scope) {
	n := int64(len(t.alpha))
	var factor, inverse mat.TriDense
	t.factor.LTo(&factor)
	if err := inverse.InverseTri(&factor); err != nil && !errors.As(err, new(mat.Condition)) {
		s.Check(errSingular)
	}
	turned := make([]float64, 0, n*n)
	for i := range int(n) {
		for j := range int(n) {
			turned = append(turned, inverse.At(j, i))
		}
	}
	open := &posterior{inverse: s.Keep(ops.New(turned, []int64{n, n}, ops.CPU))}
	for _, x := range t.support.units {
		d := len(x) / int(n)
		units := make([]float32, len(x))
		for i := range int(n) {
			weight := float32(t.learntWeight[i] / float64(t.Members))
			for c, v := range x[i*d : (i+1)*d] {
				units[c*int(n)+i] = weight * v
			}
		}
		open.units = append(open.units, s.Keep(ops.New(units, []int64{int64(d), n}, ops.CPU)))
	}
	t.open = open
	for _, of := range []*task{t.bare, t.apartFromPast} {
		if of != nil {
			of.EnableUncertainty(s)
		}
	}
}

// variances returns v and k(x, x) of the molecules m [Q], which were scored.
func (t *task) variances(m molecules, s *ops.Scope) (left, self []float64) {
	if len(m.counts) == 0 {
		return nil, nil
	}
	q, n := int64(len(m.counts)), int64(len(t.alpha))
	k := make([]float64, q*n) // [Q, N]
	for i, x := range m.units {
		place := s.Keep(ops.New(x, []int64{q, int64(len(x)) / q}, ops.CPU))
		products := ops.Try(ops.Read(s.Keep(ops.Matmul(place, t.open.units[i])))).In(s)
		for at, v := range products {
			k[at] += float64(v)
		}
	}
	left, self = make([]float64, q), make([]float64, q)
	for i := range self {
		learnt, structure := t.weights(m.known[i].entries != nil)
		self[i] = learnt*learnt + structure*structure*(1+t.shares.vectors*vectorSimilarity(m.vector(i), m.vector(i)))
		if m.known[i].entries != nil {
			self[i]++ // the cosine of its known labels with themselves
		}
		self[i] += t.past.self(m.recalled(i))
		cosines, pasts, similar := t.terms(i)
		for j, v := range k[i*int(n) : (i+1)*int(n)] {
			k[i*int(n)+j] = learnt*v + cosines[j] + pasts[j] + similar[j]
		}
	}
	solved := ops.Try(ops.ReadAs[float64](s.Keep(ops.Matmul(s.Keep(ops.New(k, []int64{q, n}, ops.CPU)), t.open.inverse)))).In(s)
	for i := range left {
		explained := 0.0
		for _, v := range solved[i*int(n) : (i+1)*int(n)] {
			explained += v * v
		}
		left[i] = max(0, self[i]-explained)
	}
	return left, self
}
