// Package metrics measures how well scores rank active molecules before inactive
// ones, and how well they classify molecules. All figures, including the treatment of
// ties, agree with scikit-learn.
package metrics

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Score is the type of a prediction.
type Score interface{ ~float32 | ~float64 }

// ROCAUC returns the area under the receiver operating characteristic: the
// probability that a random active molecule (label not 0) has a larger score
// than a random inactive one, a tie counting one half. It is the statistic of
// Mann and Whitney by mid-ranks,
//
//	AUC = (Σ rank of actives − P(P+1)/2) / (P·N),
//
// with P actives and N inactives. It is NaN if a class is missing or a score is
// NaN.
func ROCAUC[S Score](labels []uint8, scores []S) float64 {
	sameLength(labels, scores)
	order, ok := ascending(scores)
	if !ok {
		return math.NaN()
	}
	// Twice the rank sum: mid-ranks are halves, and integers stay exact.
	var twice, actives int64
	for first := 0; first < len(order); {
		end := tieEnd(order, scores, first)
		for _, i := range order[first:end] {
			if labels[i] != 0 {
				actives++
				twice += int64(first + 1 + end) // ranks first+1 to end
			}
		}
		first = end
	}
	inactives := int64(len(labels)) - actives
	if actives == 0 || inactives == 0 {
		return math.NaN()
	}
	return float64(twice-actives*(actives+1)) / 2 / float64(actives*inactives)
}

// AveragePrecision returns Σ (R_n − R_{n−1}) P_n over the distinct scores,
// beginning with the largest. P_n and R_n are precision and recall if all molecules
// with at least the n-th score are predicted to be active. It is NaN without active
// molecules, or if a score is NaN.
func AveragePrecision[S Score](labels []uint8, scores []S) float64 {
	sameLength(labels, scores)
	order, ok := ascending(scores)
	if !ok {
		return math.NaN()
	}
	slices.Reverse(order)
	var actives int
	var sum float64
	for first := 0; first < len(order); {
		end := tieEnd(order, scores, first)
		before := actives
		for _, i := range order[first:end] {
			if labels[i] != 0 {
				actives++
			}
		}
		sum += float64(actives-before) * float64(actives) / float64(end)
		first = end
	}
	if actives == 0 {
		return math.NaN()
	}
	return sum / float64(actives)
}

// ascending returns the indices of scores from the smallest to the largest. ok is
// false if a score is NaN.
func ascending[S Score](scores []S) (order []int32, ok bool) {
	order = make([]int32, len(scores))
	for i, s := range scores {
		if math.IsNaN(float64(s)) {
			return nil, false
		}
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int { return cmp.Compare(scores[a], scores[b]) })
	return order, true
}

func sameLength[S Score](labels []uint8, scores []S) {
	if len(labels) != len(scores) {
		panic(fmt.Sprintf("metrics: %d labels for %d scores", len(labels), len(scores)))
	}
}

// tieEnd returns the end of the block of equal scores that starts at first.
func tieEnd[S Score](order []int32, scores []S, first int) int {
	end := first + 1
	for end < len(order) && scores[order[end]] == scores[order[first]] {
		end++
	}
	return end
}
