package similarity

import (
	"cmp"
	"slices"
)

// neighbours is the number of nearest molecules whose values are averaged: of 1, 3, 5 and 10 the best for
// 64 molecules on FS-Mol's validation assays (docs/lab/potency.md).
const neighbours = 5

// apart is a small weight for molecules without common bits, so that the sum of weights is not 0.
const apart = 1e-9

// nearby returns the support molecules with the largest of these Tanimoto coefficients [N], without
// coefficients below 0, and the sum of their weights.
func nearby(near []float64) (molecules []int, weight float64) {
	for i, c := range near {
		if c >= 0 {
			molecules = append(molecules, i)
		}
	}
	slices.SortStableFunc(molecules, func(i, j int) int { return cmp.Compare(near[j], near[i]) })
	molecules = molecules[:min(neighbours, len(molecules))]
	for _, i := range molecules {
		weight += near[i] + apart
	}
	return molecules, weight
}

// value returns the mean value of the nearby molecules, weighted by similarity.
func (t *task) value(near []float64) (mean float64) {
	molecules, weight := nearby(near)
	for _, i := range molecules {
		mean += (near[i] + apart) / weight * t.values[i].Value
	}
	return mean
}

// shares sets share [N] to the shares of the nearby molecules in a score, and by [N] to the factors of
// their coefficients. It returns the score.
func (t *task) shares(near, share, by []float64) (score float64) {
	molecules, weight := nearby(near)
	for _, i := range molecules {
		by[i] = t.fit.Logit(t.values[i].Value) / weight
		share[i] = by[i] * (near[i] + apart)
		score += share[i]
	}
	return score
}
