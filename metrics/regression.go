package metrics

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// Spearman returns the rank correlation ρ of two lists of as many values, equal ones at the mean of
// their ranks; NaN where all values of a list are equal.
func Spearman(a, b []float64) float64 {
	return stat.Correlation(ranksOf(a), ranksOf(b), nil)
}

// ranksOf are the ranks of values, from 0.
func ranksOf(values []float64) []float64 {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(values[i], values[j]) })
	ranks := make([]float64, len(values))
	for first := 0; first < len(order); {
		end := first
		for end < len(order) && values[order[end]] == values[order[first]] {
			end++
		}
		for _, i := range order[first:end] {
			ranks[i] = float64(first+end-1) / 2
		}
		first = end
	}
	return ranks
}

// R2 returns R²_os = 1 − Σ (v − v̂)² / Σ (v − v̄)² of predicted values v̂, with v̄ the mean of the
// support set: below 0, that mean predicts better (Chen, Tripp and Hernández-Lobato:
// ADKF-IFT, ICLR 2023).
func R2(values, predicted []float64, mean float64) float64 {
	var own, of float64
	for i, v := range values {
		own += (v - predicted[i]) * (v - predicted[i])
		of += (v - mean) * (v - mean)
	}
	if of == 0 {
		return math.NaN()
	}
	return 1 - own/of
}
