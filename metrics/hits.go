package metrics

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// ExpectedHits is the number of actives to expect among the first molecules of a ranking.
type ExpectedHits struct {
	First    int     `json:"first"`    // molecules
	Expected float64 `json:"expected"` // actives among them
	Low      int     `json:"low"`      // lower end of an interval that contains the number in four of five assays
	High     int     `json:"high"`
}

// shift is the standard deviation, over assays, of the common error of the log-odds of an assay's
// molecules. It was chosen on FS-Mol's validation assays (docs/lab/potency.md). Without it, intervals
// of the first 50 contain a share of 0.42 of the numbers.
const shift = 0.7

// shifts is the number of quantiles of a normal distribution, with equal weights.
const shifts = 21

// ExpectHits returns the number of molecules with these probabilities that are expected to be active.
// Its distribution is the mean of Poisson binomial distributions, one for each shift of all log-odds.
func ExpectHits(probabilities []float64) ExpectedHits {
	n := len(probabilities)
	h, all := ExpectedHits{First: n}, make([]float64, n+1)
	for _, p := range probabilities {
		h.Expected += p
	}
	for k := range shifts {
		off := shift * distuv.UnitNormal.Quantile((float64(k)+0.5)/shifts)
		for hits, share := range poissonBinomial(probabilities, off) {
			all[hits] += share / shifts
		}
	}
	h.Low, h.High = quantile(all, 0.1), quantile(all, 0.9)
	return h
}

// poissonBinomial returns the probability of each number of actives among molecules with these
// probabilities, after a shift of their log-odds by off.
func poissonBinomial(probabilities []float64, off float64) []float64 {
	share := make([]float64, len(probabilities)+1)
	share[0] = 1
	for n, p := range probabilities {
		if p > 0 && p < 1 {
			p = 1 / (1 + math.Exp(-math.Log(p/(1-p))-off))
		}
		for hits := n + 1; hits > 0; hits-- {
			share[hits] = share[hits]*(1-p) + share[hits-1]*p
		}
		share[0] *= 1 - p
	}
	return share
}

// quantile returns the smallest number whose cumulative probability is at least level.
func quantile(shares []float64, level float64) int {
	sum := 0.0
	for n, share := range shares {
		if sum += share; sum >= level {
			return n
		}
	}
	return len(shares) - 1
}
