package metrics

import (
	"math"
	"slices"
)

// Usual parameters of early enrichment.
const (
	EarlyShare = 0.01 // share of the molecules for the enrichment factor
	EarlyAlpha = 20   // α of BEDROC: the first 8 % contribute 80 % of it
	EarlyFirst = 100  // number of molecules that a screen may measure
)

// Enrichment holds figures of the actives among the first molecules of a ranking.
type Enrichment struct {
	Factor    float64 // EF 1 %
	BEDROC    float64 // of α = 20
	Hits      float64 // among the first 100, or all if there are fewer
	Molecules int
	Actives   int
}

// EnrichmentOf returns the figures of scores.
func EnrichmentOf[S Score](labels []uint8, scores []S) Enrichment {
	e := Enrichment{Factor: EnrichmentFactor(labels, scores, EarlyShare), BEDROC: BEDROC(labels, scores, EarlyAlpha), Hits: Hits(labels, scores, EarlyFirst), Molecules: len(labels)}
	for _, l := range labels {
		if l != 0 {
			e.Actives++
		}
	}
	return e
}

// Hits returns the number of actives among the first n molecules by score, or among all if
// there are fewer. If equal scores extend beyond the n-th place, it is the mean over all
// their orders. It is NaN if a score is NaN.
func Hits[S Score](labels []uint8, scores []S, n int) float64 {
	var hits float64
	ok := blocks(labels, scores, func(first, end, actives int) {
		if taken := min(end, n) - first; taken > 0 {
			hits += float64(actives) * float64(taken) / float64(end-first)
		}
	})
	if !ok {
		return math.NaN()
	}
	return hits
}

// EnrichmentFactor returns the share of actives among the first ⌈share·N⌉ of N molecules,
// divided by the share of actives among all: 1 for random scores. Ties count as in [Hits].
// It is NaN without actives, or if a score is NaN.
func EnrichmentFactor[S Score](labels []uint8, scores []S, share float64) float64 {
	n, all := len(labels), Hits(labels, scores, len(labels))
	if all == 0 {
		return math.NaN()
	}
	first := int(math.Ceil(share * float64(n)))
	return Hits(labels, scores, first) / float64(first) / (all / float64(n))
}

// BEDROC returns the Boltzmann-enhanced discrimination of the ROC of Truchon and Bayly
// (J. Chem. Inf. Model. 47, 2007, 488): with the ranks r of the n actives of N molecules
// and R = n/N,
//
//	RIE = (1/n) Σ e^(−α r/N) / ((1/N) (1 − e^−α) / (e^(α/N) − 1)),
//	BEDROC = (RIE − RIEmin) / (RIEmax − RIEmin),
//	RIEmin = (1 − e^(αR)) / (R (1 − e^α)),  RIEmax = (1 − e^(−αR)) / (R (1 − e^−α)),
//
// from 0, all actives last, to 1, all first. Each of several equal scores has the mean of
// their terms. It is NaN if a class is missing or a score is NaN.
func BEDROC[S Score](labels []uint8, scores []S, alpha float64) float64 {
	n := float64(len(labels))
	var sum, count float64
	ok := blocks(labels, scores, func(first, end, actives int) {
		count += float64(actives)
		var terms float64
		for r := first + 1; r <= end; r++ {
			terms += math.Exp(-alpha * float64(r) / n)
		}
		sum += float64(actives) * terms / float64(end-first)
	})
	if !ok || count == 0 || count == n {
		return math.NaN()
	}
	share := count / n
	rie := sum / count / (1 / n * (1 - math.Exp(-alpha)) / math.Expm1(alpha/n))
	least := (1 - math.Exp(alpha*share)) / (share * (1 - math.Exp(alpha)))
	most := (1 - math.Exp(-alpha*share)) / (share * (1 - math.Exp(-alpha)))
	return (rie - least) / (most - least)
}

// blocks visits the blocks of equal scores, beginning with the largest: the places from first
// to end, and the number of actives among them. ok is false if a score is NaN.
func blocks[S Score](labels []uint8, scores []S, visit func(first, end, actives int)) (ok bool) {
	sameLength(labels, scores)
	order, ok := ascending(scores)
	if !ok {
		return false
	}
	slices.Reverse(order)
	for first := 0; first < len(order); {
		end, actives := tieEnd(order, scores, first), 0
		for _, i := range order[first:end] {
			if labels[i] != 0 {
				actives++
			}
		}
		visit(first, end, actives)
		first = end
	}
	return true
}
