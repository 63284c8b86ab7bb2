package metrics

import (
	"math"
	"math/rand/v2"
	"slices"
)

// resamples of a bootstrap: the ends of its interval then vary by about a hundredth of
// their distance with the seed, which is fixed.
const resamples = 10_000

// Bootstrap returns the ends of the percentile interval of the mean of values. It
// draws as many values again, with replacement, and a share of the means of these
// draws lies between the ends (Efron, Annals of Statistics 7, 1979). A mean of values
// never leaves their range, and so the interval does not. The interval is that of the
// mean over all tasks, from which values are a sample; with few values it is too
// narrow. Fewer than two values, or values that are not all numbers, have no interval:
// NaN. Lists of the same length are drawn alike.
func Bootstrap(values []float64, share float64) (low, high float64) {
	n := len(values)
	if n < 2 || slices.ContainsFunc(values, math.IsNaN) {
		return math.NaN(), math.NaN()
	}
	r := rand.New(rand.NewPCG(1, uint64(n)))
	means := make([]float64, resamples)
	for k := range means {
		var sum float64
		for range n {
			sum += values[r.IntN(n)]
		}
		means[k] = sum / float64(n)
	}
	slices.Sort(means)
	outside := int((1 - share) / 2 * resamples)
	// Summation rounds: equal values may have a mean beside them.
	least, most := slices.Min(values), slices.Max(values)
	within := func(v float64) float64 { return min(most, max(least, v)) }
	return within(means[outside]), within(means[resamples-1-outside])
}
