package figure

import (
	"slices"
	"testing"
)

// TestIntervalsBesideEachOther: intervals of several responses at a value do not hide each other, and stay nearer to it than
// to the next value.
func TestIntervalsBesideEachOther(t *testing.T) {
	lines := []Response{{X: []float64{1, 2, 40}}, {X: []float64{1, 2, 40}}, {X: []float64{1, 2, 40}}}
	for _, rate := range []bool{false, true} {
		x := axisOf(lines, rate)
		var at []float64
		for _, v := range x.values {
			for i := range lines {
				at = append(at, x.place(v)+x.aside(i, len(lines)))
			}
		}
		if !slices.IsSorted(at) || len(slices.Compact(slices.Clone(at))) != 9 {
			t.Errorf("rate %v: places %v", rate, at)
		}
	}
	if x := axisOf([]Response{{X: []float64{3}}, {X: []float64{3}}}, false); x.aside(0, 2) == x.aside(1, 2) || x.aside(0, 1) != 0 {
		t.Error("two responses at one value are at one place, or a single one is aside")
	}
}

// TestPrecisionBeginsWithAnActive: a curve of precision and recall begins at the first active molecule, not at (0, 0).
func TestPrecisionBeginsWithAnActive(t *testing.T) {
	r := Ranked{FPR: []float64{0, 0.5, 0.5, 1}, TPR: []float64{0, 0, 1, 1}, Precision: []float64{1, 0, 0.5, 1.0 / 3}}
	r.place(0)
	if len(r.precision) != 2 || r.precision[0].X != 1 || r.precision[0].Y != 0.5 || len(r.roc) != 4 {
		t.Errorf("precision %v, ROC %v", r.precision, r.roc)
	}
}
