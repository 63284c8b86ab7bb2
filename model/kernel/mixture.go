package kernel

import "math"

// The weight of the Tanimoto coefficient beside the learnt kernel goes by the mean
// coefficient u of the support molecules, two at a time. On FS-Mol's validation tasks
// (u from 0.16 on), it helps above 0.3, where molecules are close analogues, and costs
// below; on assays of ToxCast (u to 0.13), whose molecules have nothing in common, it is
// most of what helps. docs/model.md has the figures.
const (
	least  = 0.5 // of the weight
	most   = 6
	apart  = 0.145 // below this u the weight goes up,
	alike  = 0.31  // and above this one
	spread = 0.01  // within about this much
)

// weight is t for a support set of mean coefficient u.
func weight(u float64) float64 {
	return least + (most-least)*(logistic((apart-u)/spread)+logistic((u-alike)/spread))
}

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// meanOf is the mean of the entries of a symmetric matrix [n, n] beside its diagonal,
// and 0 for a single molecule.
func meanOf(k [][]float64) float64 {
	sum, n := 0.0, len(k)
	for i := range k {
		for j := range i {
			sum += k[i][j]
		}
	}
	return sum / math.Max(1, float64(n*(n-1)/2))
}
