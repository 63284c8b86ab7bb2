package metrics

import (
	"cmp"
	"math"
	"slices"

	"pacia/internal/each"
)

// SignedRank returns the two-sided p-value of Wilcoxon's signed-rank test (Wilcoxon:
// Individual Comparisons by Ranking Methods, 1945) of the hypothesis that differences are
// symmetric about 0. Differences of 0 are left out, and equal absolute values have their mean
// rank. The sum of ranks is assumed to be normal, without continuity correction. The p-value
// is NaN if all differences are 0.
func SignedRank(differences []float64) float64 {
	d := slices.DeleteFunc(slices.Clone(differences), func(v float64) bool { return v == 0 })
	n := float64(len(d))
	if n == 0 {
		return math.NaN()
	}
	slices.SortFunc(d, func(a, b float64) int { return cmp.Compare(math.Abs(a), math.Abs(b)) })
	positive, ties := 0.0, 0.0
	for i := 0; i < len(d); {
		k := i + 1
		for k < len(d) && math.Abs(d[k]) == math.Abs(d[i]) {
			k++
		}
		rank, equal := float64(i+1+k)/2, float64(k-i)
		ties += equal * (equal*equal - 1)
		for ; i < k; i++ {
			if d[i] > 0 {
				positive += rank
			}
		}
	}
	variance := n*(n+1)*(2*n+1)/24 - ties/48
	return math.Erfc(math.Abs(positive-n*(n+1)/4) / math.Sqrt(2*variance))
}

// Holm adjusts the p-values of several tests (Holm: A Simple Sequentially Rejective Multiple
// Test Procedure, 1979). Adjusted values of at most α are significant at a family-wise error
// rate of α.
func Holm(p []float64) []float64 {
	order := each.Order[int](len(p))
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	adjusted, most := make([]float64, len(p)), 0.0
	for k, i := range order {
		most = max(most, min(1, p[i]*float64(len(p)-k)))
		adjusted[i] = most
	}
	return adjusted
}
