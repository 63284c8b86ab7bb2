package report

import (
	"cmp"
	"slices"

	"pacia/internal/each"
)

// curves of one task: an element for each threshold, from above the largest score
// down, molecules of equal scores together.
type curves struct {
	fpr, tpr, precision []float64 // precision[0] is that of calling nothing active: 1
	active              float64   // share of the molecules
}

func metricCurves(labels []uint8, scores []float32) curves {
	order := each.Order[int](len(scores))
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	positives := each.Count(labels, func(l uint8) bool { return l != 0 })
	negatives := len(labels) - positives
	c := curves{fpr: []float64{0}, tpr: []float64{0}, precision: []float64{1}, active: float64(positives) / float64(len(labels))}
	called, right := 0, 0
	for i, at := range order {
		called++
		if labels[at] != 0 {
			right++
		}
		if i+1 < len(order) && scores[order[i+1]] == scores[at] {
			continue
		}
		c.tpr = append(c.tpr, float64(right)/float64(positives))
		c.fpr = append(c.fpr, float64(called-right)/float64(negatives))
		c.precision = append(c.precision, float64(right)/float64(called))
	}
	return c
}
