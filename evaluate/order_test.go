package evaluate

import (
	"math"
	"slices"
	"testing"

	"pacia/model"
)

// TestOrder: queries with the same probability are ordered by their log-odds, and equal ones stay equal.
func TestOrder(t *testing.T) {
	var s model.Scored
	for _, one := range [][2]float32{{1, 20}, {0.5, 0}, {1, 25}, {1, 18}, {0, -200}, {1, 25}, {0, -150}} {
		s = append(s, model.Score{Probability: one[0], LogOdds: one[1]})
	}
	got := Order(s)
	by := []int{0, 1, 2, 3, 4, 5, 6}
	slices.SortStableFunc(by, func(a, b int) int {
		switch {
		case got[a] > got[b]:
			return -1
		case got[a] < got[b]:
			return 1
		}
		return 0
	})
	if want := []int{2, 5, 0, 3, 1, 6, 4}; !slices.Equal(by, want) || got[2] != got[5] {
		t.Errorf("%v has the order %v, want %v", got, by, want)
	}
	for q, p := range s.Probabilities() {
		if float32(got[q]) != p && p > 0 {
			t.Errorf("query %d: %v is not %v but for rounding", q, got[q], p)
		}
	}
	for q := range s {
		s[q].LogOdds = 0
	}
	if got := Order(s); got[0] != 1 || got[3] != 1 || got[1] != 0.5 {
		t.Errorf("without log-odds: %v", got)
	}
}

// TestLogOdds compares the log-odds of a mean and of a selectivity with those of the probabilities, and where
// these are rounded to 1, with the odds by hand.
func TestLogOdds(t *testing.T) {
	odds := func(p float64) float64 { return math.Log(p / (1 - p)) }
	p := func(z float64) float64 { return 1 / (1 + math.Exp(-z)) }
	members := func(z ...float32) float64 { return float64(together(len(z), func(i int) float32 { return z[i] })) }
	for _, tt := range []struct{ got, want float64 }{
		{members(1, -2, 0.5), odds((p(1) + p(-2) + p(0.5)) / 3)},
		{members(30, 30), 30},
		{members(30, 40), 30 + math.Ln2}, // half of the smaller chance of being inactive
		{float64(Selective(1, []float32{-2, 0.5})), odds(p(1) * p(2) * p(-0.5))},
		{float64(Selective(30, []float32{-40})), 30},
		{float64(Selective(-30, []float32{-40})), -30},
		{float64(Selective(30, []float32{-30})), 30 - math.Ln2},
	} {
		if math.Abs(tt.got-tt.want) > 1e-4 {
			t.Errorf("log-odds %v, want %v", tt.got, tt.want)
		}
	}
}
