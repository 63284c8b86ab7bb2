package model_test

import (
	"math"
	"testing"

	"pacia/model"
	"pacia/ops"
)

// TestProbabilitiesOfLargeLogits: the difference of two float64 logits keeps their digits.
func TestProbabilitiesOfLargeLogits(t *testing.T) {
	const apart = 2e-5 // float32 has steps of 6e-5 there
	logits, err := ops.New([]float64{-600 - apart, -600, 1, -1}, []int64{2, 1, 2}, ops.CPU)
	if err != nil {
		t.Fatal(err)
	}
	defer ops.Drop(logits)
	got, err := model.Probabilities(logits)
	if err != nil {
		t.Fatal(err)
	}
	for i, z := range []float64{apart, -2} {
		if want := 1 / (1 + math.Exp(-z)); math.Abs(float64(got[i])-want) > 1e-7 {
			t.Errorf("P(active) of molecule %d is %v, want %v", i, got[i], want)
		}
	}
}
