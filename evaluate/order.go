package evaluate

import (
	"cmp"
	"math"
	"slices"

	"pacia/internal/each"
	"pacia/model"
)

// Order returns numbers [Q] that order queries like their log-odds. They are the probabilities,
// without their rounding: of queries with the same probability, such as 1, one with lower
// log-odds has a slightly smaller number.
func Order(s model.Scored) []float64 {
	order, by := each.As[float64](s.Probabilities()), each.Order[int](len(s))
	slices.SortFunc(by, func(a, b int) int {
		return cmp.Or(cmp.Compare(s[b].Probability, s[a].Probability), cmp.Compare(s[b].LogOdds, s[a].LogOdds))
	})
	for i := 1; i < len(by); i++ {
		before, q := by[i-1], by[i]
		switch {
		case s[q].Probability != s[before].Probability:
		case s[q].LogOdds == s[before].LogOdds:
			order[q] = order[before]
		default:
			order[q] = math.Nextafter(order[before], -1)
		}
	}
	return order
}

// together returns the mean of probabilities that are given by their log-odds, as log-odds.
func together(n int, of func(i int) float32) float32 {
	var active, inactive float64
	for i := range n {
		z := float64(of(i))
		active, inactive = active+1/(1+math.Exp(-z)), inactive+1/(1+math.Exp(z))
	}
	return float32(math.Log(active) - math.Log(inactive))
}

// Selective returns the log-odds of p₀ Π (1 − p_k), from those of p₀ and of each p_k.
func Selective(wanted float32, unwanted []float32) float32 {
	all := logOf(float64(wanted))
	for _, z := range unwanted {
		all += logOf(-float64(z))
	}
	return float32(all - math.Log(-math.Expm1(all)))
}

// logOf returns log p of the log-odds of p.
func logOf(z float64) float64 {
	if z < 0 {
		return z - math.Log1p(math.Exp(z))
	}
	return -math.Log1p(math.Exp(-z))
}
