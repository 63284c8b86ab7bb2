package kernel

import (
	"errors"

	"gonum.org/v1/gonum/mat"
)

var errSingular = errors.New("the kernel matrix of the support molecules holds what is not a number")

// regression returns the weights α [n] of support molecules with the kernel k [n, n]
// and their labels: (K + σ² I) α = y; and the Cholesky factor of K + σ² I. A class counts as
// much as the other, however many molecules it has: y is n/2n₁ for each active and −n/2n₀ for
// each inactive one, so that with much noise a score is the difference of the class means of
// the kernel.
func regression(k [][]float64, labels []uint8, noise float64) ([]float64, *mat.Cholesky, error) {
	n := len(labels)
	of := [2]float64{}
	for _, label := range labels {
		of[label]++
	}
	y, kernel := mat.NewVecDense(n, nil), mat.NewSymDense(n, nil)
	for i, label := range labels {
		y.SetVec(i, float64(n)/(2*of[label])*(2*float64(label)-1))
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
