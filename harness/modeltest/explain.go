package modeltest

import (
	"math"
	"testing"

	"pacia/data/molecule"
	"pacia/model"
)

// Explained returns the explanations of queries. It checks that the shares add up to the log-odds, and
// that these match the probability.
func Explained(t testing.TB, m *model.Model, a *model.Adapted, s *molecule.Store, rows []int32) []model.Explanation {
	t.Helper()
	batch := Readable(m, Queries(t, s, rows))
	all := from(a.Explain(batch)).or(t)
	prob, _, err := a.Score(batch)
	if err != nil {
		t.Fatal(err)
	}
	for q, e := range all {
		sum := e.Rest
		for _, share := range e.Support {
			sum += share
		}
		if math.Abs(sum-e.LogOdds) > 1e-5 {
			t.Errorf("query %d: the shares add up to %v, the log-odds are %v", q, sum, e.LogOdds)
		}
		parts := 0.0
		for _, p := range e.Parts {
			parts += p.Share
		}
		if len(e.Parts) > 0 && math.Abs(parts+e.Rest-e.LogOdds) > 1e-5 {
			t.Errorf("query %d: the parts of the kernel add up to %v, the shares to %v", q, parts, e.LogOdds-e.Rest)
		}
		if p := 1 / (1 + math.Exp(-e.LogOdds)); math.Abs(p-float64(prob[q])) > 1e-5 {
			t.Errorf("query %d: log-odds %v give the probability %v, want %v", q, e.LogOdds, p, prob[q])
		}
	}
	return all
}

// Sum returns the sum of numbers.
func Sum(v []float64) (sum float64) {
	for _, x := range v {
		sum += x
	}
	return sum
}
