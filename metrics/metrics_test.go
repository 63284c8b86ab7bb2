package metrics_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"pacia/metrics"
)

func TestSmallCases(t *testing.T) {
	nan := math.NaN()
	for _, tt := range []struct {
		name    string
		labels  []uint8
		scores  []float64
		roc, ap float64
	}{
		{"perfect", []uint8{0, 0, 1, 1}, []float64{1, 2, 3, 4}, 1, 1},
		{"reversed", []uint8{1, 1, 0, 0}, []float64{1, 2, 3, 4}, 0, (1./3 + 2./4) / 2},
		{"all tied", []uint8{1, 0, 0, 0}, []float64{5, 5, 5, 5}, 0.5, 0.25},
		{"half tied", []uint8{1, 0, 0}, []float64{1, 1, 0}, 0.75, 0.5},
		{"infinite", []uint8{1, 0}, []float64{math.Inf(1), math.Inf(-1)}, 1, 1},
		{"actives only", []uint8{1, 1}, []float64{1, 2}, nan, 1},
		{"inactives only", []uint8{0, 0}, []float64{1, 2}, nan, nan},
		{"nothing", nil, nil, nan, nan},
		{"not a number", []uint8{0, 1}, []float64{nan, 2}, nan, nan},
	} {
		if got := metrics.ROCAUC(tt.labels, tt.scores); !same(got, tt.roc) {
			t.Errorf("%s: ROC-AUC %v, want %v", tt.name, got, tt.roc)
		}
		if got := metrics.AveragePrecision(tt.labels, tt.scores); !same(got, tt.ap) {
			t.Errorf("%s: average precision %v, want %v", tt.name, got, tt.ap)
		}
	}
}

// TestROCAUCCountsPairs compares the rank formula with the definition: the share of
// (active, inactive) pairs in the right order.
func TestROCAUCCountsPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for trial := range 200 {
		n := 2 + r.IntN(60)
		levels := 1 + r.IntN(20) // few levels make many ties
		labels, scores, negated := make([]uint8, n), make([]float32, n), make([]float32, n)
		for i := range n {
			labels[i], scores[i] = uint8(r.IntN(2)), float32(r.IntN(levels))
			negated[i] = -scores[i]
		}
		labels[0], labels[1] = 0, 1
		want, got := pairs(labels, scores), metrics.ROCAUC(labels, scores)
		if math.Abs(got-want) > 1e-14 {
			t.Fatalf("trial %d: %v by ranks, %v by pairs\nlabels %v\nscores %v", trial, got, want, labels, scores)
		}
		if mirror := metrics.ROCAUC(labels, negated); math.Abs(got+mirror-1) > 1e-14 {
			t.Fatalf("trial %d: %v and %v of the negated scores do not sum to 1", trial, got, mirror)
		}
	}
}

func pairs(labels []uint8, scores []float32) float64 {
	var right, all float64
	for i, a := range labels {
		for j, b := range labels {
			if a != 1 || b != 0 {
				continue
			}
			all++
			switch {
			case scores[i] > scores[j]:
				right++
			case scores[i] == scores[j]:
				right += 0.5
			}
		}
	}
	return right / all
}

func same(a, b float64) bool {
	return math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) < 1e-15
}
