package metrics

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// ExpectedHits are how many actives to expect among the first molecules of a ranking.
type ExpectedHits struct {
	First    int     `json:"first"`    // molecules
	Expected float64 `json:"expected"` // actives among them
	Low      int     `json:"low"`      // of the interval that holds the number in four of five assays
	High     int     `json:"high"`
}

// shift is the standard deviation of what the log-odds of an assay's molecules are off by
// together, chosen on FS-Mol's validation assays (docs/lab/potency.md). Without it, intervals of
// the first 50 hold 0.42 of the numbers.
const shift = 0.7

// shifts are quantiles of a normal distribution, of equal weight.
const shifts = 21

// ExpectHits returns how many molecules with these probabilities are expected to be active. Their
// number has the mean of Poisson binomial distributions, one for each shift of all log-odds.
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

// poissonBinomial returns how probable each number of actives is, of molecules with these
// probabilities after their log-odds were shifted.
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

// quantile returns the smallest number that is not exceeded with a probability of at least level.
func quantile(shares []float64, level float64) int {
	sum := 0.0
	for n, share := range shares {
		if sum += share; sum >= level {
			return n
		}
	}
	return len(shares) - 1
}
