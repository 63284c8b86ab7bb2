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
	logits, err := ops.New([]float64{-600 - apart, -600, 1, -1, 0, 20, 0, 21}, []int64{4, 1, 2}, ops.CPU)
	if err != nil {
		t.Fatal(err)
	}
	defer ops.Drop(logits)
	got, odds, err := model.Probabilities(logits)
	if err != nil {
		t.Fatal(err)
	}
	// From about 17 on, probabilities are 1, and log-odds still differ.
	for i, z := range []float64{apart, -2, 20, 21} {
		if math.Abs(float64(odds[i])-z) > 1e-7 {
			t.Errorf("the log-odds of molecule %d are %v, want %v", i, odds[i], z)
		}
		if want := 1 / (1 + math.Exp(-z)); math.Abs(float64(got[i])-want) > 1e-7 {
			t.Errorf("P(active) of molecule %d is %v, want %v", i, got[i], want)
		}
	}
}
