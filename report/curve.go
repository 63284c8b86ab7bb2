package report

import (
	"cmp"
	"slices"

	"pacia/internal/each"
)

// curves holds the ROC curve and the precision-recall curve of one task, with a point for each threshold in
// descending order. The first threshold is above all scores. Molecules with equal scores share one.
type curves struct {
	fpr, tpr, precision []float64 // precision[0], without positive predictions, is 1 by definition
	active              float64   // share of actives
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
