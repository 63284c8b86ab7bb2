package similarity

import (
	"cmp"
	"slices"
)

// neighbours are those whose values count: of 1, 3, 5 and 10 the best for 64 molecules on FS-Mol's
// validation assays (docs/lab/potency.md).
const neighbours = 5

// apart keeps molecules alike that have nothing in common with any.
const apart = 1e-9

// nearby are the support molecules with the largest of these Tanimoto coefficients [N], those below
// 0 left out, and the sum of their weights.
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

// value is the mean of the values of those nearby, each as often as it is similar.
func (t *task) value(near []float64) (mean float64) {
	molecules, weight := nearby(near)
	for _, i := range molecules {
		mean += (near[i] + apart) / weight * t.values[i].Value
	}
	return mean
}

// shares sets the shares [N] that those nearby have in a score, and what their coefficients are
// multiplied with in it [N]. It returns the score.
func (t *task) shares(near, share, by []float64) (score float64) {
	molecules, weight := nearby(near)
	for _, i := range molecules {
		by[i] = t.fit.Logit(t.values[i].Value) / weight
		share[i] = by[i] * (near[i] + apart)
		score += share[i]
	}
	return score
}
