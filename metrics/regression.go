package metrics

import (
	"math"

	"gonum.org/v1/gonum/stat"
)

// Spearman returns the rank correlation ρ of two lists of equal length. Equal values have the mean of
// their ranks. It is NaN if all values of a list are equal, or if a value is NaN.
func Spearman(a, b []float64) float64 {
	ranksA, okA := ranksOf(a)
	ranksB, okB := ranksOf(b)
	if !okA || !okB {
		return math.NaN()
	}
	return stat.Correlation(ranksA, ranksB, nil)
}

// ranksOf returns the ranks of values, from 0. ok is false if a value is NaN.
func ranksOf(values []float64) (ranks []float64, ok bool) {
	order, ok := ascending(values)
	ranks = make([]float64, len(order))
	for first := 0; first < len(order); {
		end := tieEnd(order, values, first)
		for _, i := range order[first:end] {
			ranks[i] = float64(first+end-1) / 2
		}
		first = end
	}
	return ranks, ok
}

// R2 returns R²_os = 1 − Σ (v − v̂)² / Σ (v − v̄)² of predicted values v̂, with v̄ the mean of the
// support set (Chen, Tripp and Hernández-Lobato: ADKF-IFT, ICLR 2023). It is below 0 if that mean
// predicts better, and NaN if all values are equal to it.
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
