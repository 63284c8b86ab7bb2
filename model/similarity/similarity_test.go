package similarity

import (
	"math"
	"testing"

	"pacia/harness/modeltest"
	"pacia/model"
)

// ranked returns P(active) of queries, for molecules of both classes.
func ranked(t *testing.T, inactive, active, queries [][]uint16) []float64 {
	t.Helper()
	modeltest.Locked(t, 1)
	all := append(append(append([][]uint16{}, inactive...), active...), queries...)
	return modeltest.Ranked(t, Spec, modeltest.Small(t, Spec, model.Paper), modeltest.FingerprintStore(all...), len(inactive), len(active))
}

// p returns P(active) for the Tanimoto coefficients with the nearest molecule of each class.
func p(inactive, active float64) float64 { return 1 / (1 + math.Exp(inactive-active)) }

// TestScores compares with coefficients calculated by hand.
func TestScores(t *testing.T) {
	inactive, active := [][]uint16{{2, 1}, {0, 0, 0, 5}}, [][]uint16{{0, 1, 3}, {0, 0, 3}, {0, 0, 0, 0, 1}}
	got := ranked(t, inactive, active, [][]uint16{
		{0, 0, 3},       // an active one
		{0, 1, 3},       // an active one, and 1 of 6 in common with an inactive one
		{2, 1},          // an inactive one, and 1 of 6 in common with an active one
		{0, 0, 0, 1},    // 1 of 5 in common with an inactive one alone
		{0, 1},          // 1 of 3, 1 of 4
		{0, 0, 0, 0, 0}, // nothing in common with any
	})
	modeltest.Near(t, "P(active)", got, []float64{p(0, 1), p(1./6, 1), p(1, 1./6), p(1./5, 0), p(1./3, 1./4), 0.5}, modeltest.Float32ULP)
}

// TestCorners: one molecule per class; equal molecules with both labels; and molecules
// without any count, which resemble only each other.
func TestCorners(t *testing.T) {
	for _, tt := range []struct {
		name                      string
		inactive, active, queries [][]uint16
		want                      []float64
	}{
		{"one a class", [][]uint16{{1}}, [][]uint16{{0, 1}}, [][]uint16{{1}, {0, 1}, {1, 1}}, []float64{p(1, 0), p(0, 1), 0.5}},
		{"both labels", [][]uint16{{1, 2}, {3}}, [][]uint16{{1, 2}}, [][]uint16{{1, 2}, {1}, {3}}, []float64{0.5, 0.5, p(1, 1./5)}},
		{"no counts", [][]uint16{{}}, [][]uint16{{1}}, [][]uint16{{}, {1}, {0, 1}}, []float64{p(1, 0), p(0, 1), 0.5}},
	} {
		got := ranked(t, tt.inactive, tt.active, tt.queries)
		modeltest.Near(t, tt.name, got, tt.want, modeltest.Float32ULP)
	}
}

// TestWithoutFingerprints: molecules without fingerprints are an error.
func TestWithoutFingerprints(t *testing.T) {
	modeltest.Locked(t, 1)
	m := modeltest.New(t, Spec, modeltest.Small(t, Spec, model.Paper), model.Options{})
	b := *modeltest.Support(t, modeltest.RandomStore(1, 4), modeltest.Task(0, 2, 0))
	b.Fingerprints.Ptr = nil
	_, err := m.Adapt(&b)
	modeltest.Fails(t, err, "without fingerprints", "molecule.FingerprintsOnly")
}

// TestExplain: the nearest molecules have their coefficients as shares, which are split among the
// common bits.
func TestExplain(t *testing.T) {
	modeltest.Locked(t, 1)
	store := modeltest.FingerprintStore(
		[]uint16{2, 1}, []uint16{0, 0, 0, 5}, []uint16{0, 1, 3}, []uint16{0, 0, 3}, []uint16{0, 1, 3}, []uint16{0, 0, 0, 0, 1})
	m := modeltest.New(t, Spec, modeltest.Small(t, Spec, model.Paper), model.Options{})
	a := modeltest.Adapt(t, m, store, modeltest.Task(0, 2, 0))
	all := modeltest.Explained(t, m, a, store, []int32{4, 5})
	modeltest.Near(t, "shares", all[0].Support, []float64{-1. / 6, 0, 1, 0}, 1e-15)
	modeltest.Near(t, "bits", all[0].Bits, []float64{1./4 - 1./6, 3. / 4}, 1e-15)
	modeltest.Near(t, "shares of a molecule like none", all[1].Support, []float64{0, 0, 0, 0}, 0)
}
