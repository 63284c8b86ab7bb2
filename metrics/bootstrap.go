package metrics

import (
	"math"
	"math/rand/v2"
	"slices"
)

// resamples is the number of resamples of a bootstrap. With another seed than the fixed one,
// the ends of the interval would change by about a hundredth of its length.
const resamples = 10_000

// Bootstrap returns the ends of the percentile interval of the mean of values. It draws
// len(values) values with replacement, resamples times, and a share of the means of these
// draws lies between the ends (Efron, Annals of Statistics 7, 1979). The interval lies within
// the range of values. It is an interval of the mean over all tasks, from which values are a
// sample, and is too narrow with few values. The ends are NaN for fewer than two values, and
// if a value is NaN. Lists of the same length have the same draws.
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
	// Summation rounds: the mean of equal values may differ from them.
	least, most := slices.Min(values), slices.Max(values)
	within := func(v float64) float64 { return min(most, max(least, v)) }
	return within(means[outside]), within(means[resamples-1-outside])
}
