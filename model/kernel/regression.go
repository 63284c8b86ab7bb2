package kernel

import (
	"errors"

	"gonum.org/v1/gonum/mat"

	"pacia/data"
	"pacia/internal/each"
	"pacia/model/shared/potency"
	"pacia/ops"
)

var errSingular = errors.New("the kernel matrix of the support molecules is singular or not finite")

// regression returns the weights α [n] of support molecules with the kernel k [n, n] and
// the targets y [n], with (K + σ² I) α = y, and the Cholesky factor of K + σ² I.
func regression(k [][]float64, targets []float64, noise float64) ([]float64, *mat.Cholesky, error) {
	n := len(targets)
	y, kernel := mat.NewVecDense(n, targets), mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i {
			kernel.SetSym(i, j, k[i][j])
		}
		kernel.SetSym(i, i, k[i][i]+noise)
	}
	var l mat.Cholesky
	var alpha mat.VecDense
	if !l.Factorize(kernel) || l.SolveVecTo(&alpha, y) != nil {
		return nil, nil, errSingular
	}
	return alpha.RawVector().Data, &l, nil
}

// balanced returns the targets of labels: n/2n₁ for each active and −n/2n₀ for each inactive molecule.
// Both classes then have the same weight, and with much noise a score is the difference of the class
// means of the kernel.
func balanced(labels []uint8) []float64 {
	of := [2]float64{}
	for _, label := range labels {
		of[label]++
	}
	return each.Of(labels, func(label uint8) float64 { return float64(len(labels)) / (2 * of[label]) * (2*float64(label) - 1) })
}

// measured learns values in place of labels (package potency). The expectation for a molecule in any
// assay is the mean of the process, and is subtracted from its value. Its coefficient is 1, because values
// are potencies.
func (t *task) measured(m molecules, values []data.Measured, labels []uint8, s *ops.Scope) {
	n := len(values)
	t.coefficient = 1
	expected := t.allExpected(m)
	for _, e := range expected {
		t.usual += e / float64(n)
	}
	t.fit = potency.New(values, labels)
	targets := make([]float64, n)
	for i, u := range t.fit.Targets {
		targets[i] = u - (expected[i] - t.usual)
	}
	t.past = t.kernel.past.recollect(m.past, targets)
	var err error
	whole, _ := t.joined(m)
	t.alpha, t.factor, err = regression(whole, targets, potency.Noise)
	s.Check(err)
	precision := ops.Try(diagonal(t.factor)).In(s)
	t.fit.Widen(t.alpha, precision)
}

// diagonal returns the diagonal of the inverse of the matrix with this Cholesky factor.
func diagonal(factor *mat.Cholesky) ([]float64, error) {
	var inverse mat.SymDense
	if err := factor.InverseTo(&inverse); err != nil && !errors.As(err, new(mat.Condition)) {
		return nil, errSingular
	}
	of := make([]float64, inverse.SymmetricDim())
	for i := range of {
		of[i] = inverse.At(i, i)
	}
	return of, nil
}
