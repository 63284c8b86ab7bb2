package metrics_test

import (
	"math"
	"testing"

	"pacia/metrics"
)

// TestClassifyConventions covers a case that the fixture lacks: a class that is
// missing among labels or predictions.
func TestClassifyConventions(t *testing.T) {
	nan := math.NaN()
	for _, tt := range []struct {
		name   string
		labels []uint8
		scores []float32
		want   metrics.Classes
	}{
		{"the threshold is active", []uint8{1, 0}, []float32{0.5, 0.49999}, metrics.Classes{1, 1, 1, 1, 1}},
		{"no predicted active", []uint8{1, 0, 0, 0}, []float32{0, 0, 0, 0}, metrics.Classes{0.75, 0.5, 1, 0, 0}},
		{"no active", []uint8{0, 0, 0, 0}, []float32{1, 0, 0, 0}, metrics.Classes{0.75, 0.75, 0, 1, 0}},
		{"neither actives nor predicted ones", []uint8{0, 0}, []float32{0, 0}, metrics.Classes{1, 1, 1, 1, 1}},
		{"no inactive", []uint8{1, 1}, []float32{1, 0}, metrics.Classes{0.5, 0.5, 1, 0.5, 2. / 3}},
		{"any label but 0 is active", []uint8{255, 0}, []float32{1, 1}, metrics.Classes{0.5, 0.5, 0.5, 1, 2. / 3}},
		{"not a number", []uint8{1, 0}, []float32{1, float32(nan)}, metrics.Classes{nan, nan, nan, nan, nan}},
		{"nothing", nil, nil, metrics.Classes{nan, nan, nan, nan, nan}},
	} {
		got := metrics.Classify(tt.labels, tt.scores)
		if !same(got.Accuracy, tt.want.Accuracy) || !same(got.BalancedAccuracy, tt.want.BalancedAccuracy) ||
			!same(got.Precision, tt.want.Precision) || !same(got.Recall, tt.want.Recall) || !same(got.F1, tt.want.F1) {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
	}
}

func TestDeltaAUPRC(t *testing.T) {
	if got := metrics.DeltaAUPRC([]uint8{1, 0, 0, 1}, []float32{4, 3, 2, 1}); !same(got, (1+2./4)/2-0.5) {
		t.Errorf("got %v, want 0.25", got)
	}
	if got := metrics.DeltaAUPRC([]uint8{0, 0}, []float32{1, 2}); !math.IsNaN(got) {
		t.Errorf("without an active: %v, want NaN", got)
	}
	if got := metrics.ActiveShare(nil); !math.IsNaN(got) {
		t.Errorf("share of actives among none: %v, want NaN", got)
	}
}
