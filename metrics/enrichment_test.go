package metrics_test

import (
	"math"
	"testing"

	"pacia/metrics"
)

// TestEnrichmentAgreesWithRDKit compares with rdkit.ML.Scoring.Scoring of RDKit 2026.09.1
// (CalcEnrichment, CalcBEDROC), for rankings with actives at these places, counted from 0.
func TestEnrichmentAgreesWithRDKit(t *testing.T) {
	for _, tt := range []struct {
		n                 int
		actives           []int
		ef1, ef5, bedroc  float64
		hitsInTheFirst100 float64
	}{
		{10, []int{0, 2, 7}, 3.3333333333333335, 3.3333333333333335, 0.8826901954075098, 3},
		{1000, []int{0, 1, 5, 17, 40, 77, 130, 400, 650, 999}, 30, 10, 0.47355678199141976, 6},
		{250, []int{0, 3, 4, 60, 100}, 16.666666666666664, 11.538461538461538, 0.5879944792199885, 4},
	} {
		labels, scores := make([]uint8, tt.n), make([]float64, tt.n)
		for i := range scores {
			scores[i] = float64(-i)
		}
		for _, at := range tt.actives {
			labels[at] = 1
		}
		e := metrics.EnrichmentOf(labels, scores)
		for _, v := range []struct {
			name      string
			got, want float64
		}{
			{"EF 1 %", e.Factor, tt.ef1}, {"EF 5 %", metrics.EnrichmentFactor(labels, scores, 0.05), tt.ef5},
			{"BEDROC", e.BEDROC, tt.bedroc}, {"hits in the first 100", e.Hits, tt.hitsInTheFirst100},
		} {
			if math.Abs(v.got-v.want) > 1e-12 {
				t.Errorf("%d molecules: %s is %v, want %v", tt.n, v.name, v.got, v.want)
			}
		}
		if e.Molecules != tt.n || e.Actives != len(tt.actives) {
			t.Errorf("%d actives of %d, want %d of %d", e.Actives, e.Molecules, len(tt.actives), tt.n)
		}
	}
}

// Perfect and reversed rankings have the extreme values of BEDROC. Equal scores give the
// mean over all orders, which is 1 for EF.
func TestEnrichmentEndsAndTies(t *testing.T) {
	const n = 200
	labels, up, down, equal := make([]uint8, n), make([]float32, n), make([]float32, n), make([]float32, n)
	for i := range n {
		up[i], down[i] = float32(i), float32(-i)
		if i >= n-20 {
			labels[i] = 1
		}
	}
	if best, worst := metrics.BEDROC(labels, up, 20), metrics.BEDROC(labels, down, 20); math.Abs(best-1) > 1e-12 || math.Abs(worst) > 1e-12 {
		t.Errorf("BEDROC is %v of the best ranking and %v of the worst, want 1 and 0", best, worst)
	}
	if e := metrics.EnrichmentOf(labels, equal); math.Abs(e.Factor-1) > 1e-12 || math.Abs(e.Hits-10) > 1e-12 {
		t.Errorf("of equal scores EF is %v and %v of 20 actives are in the first 100 of 200, want 1 and 10", e.Factor, e.Hits)
	}
	// By hand: two of three molecules tie for the places 1 and 2, and one of them is active.
	if got := metrics.Hits([]uint8{1, 0, 0}, []float64{1, 1, 0}, 1); got != 0.5 {
		t.Errorf("%v hits in the first place that two share, want a half", got)
	}
	if got := metrics.EnrichmentFactor([]uint8{1, 0, 0}, []float64{1, 1, 0}, 0.01); math.Abs(got-1.5) > 1e-12 {
		t.Errorf("EF %v, want a half over a third", got)
	}
	for _, labels := range [][]uint8{{0, 0}, {1, 1}} {
		if got := metrics.BEDROC(labels, []float64{1, 2}, 20); !math.IsNaN(got) {
			t.Errorf("BEDROC of one class is %v", got)
		}
	}
	if got := metrics.EnrichmentFactor([]uint8{0, 0}, []float64{1, 2}, 0.01); !math.IsNaN(got) {
		t.Errorf("EF without an active is %v", got)
	}
	if got := metrics.Hits([]uint8{0, 1}, []float64{math.NaN(), 2}, 1); !math.IsNaN(got) {
		t.Errorf("hits of a score that is not a number: %v", got)
	}
}
