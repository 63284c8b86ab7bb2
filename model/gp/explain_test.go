package gp

import (
	"math"
	"testing"

	"pacia/model"
	"pacia/model/modeltest"
)

// TestExplain: the shares add up to the log-odds, and the shares of bits to those of support molecules.
func TestExplain(t *testing.T) {
	modeltest.Locked(t, 1)
	store := modeltest.FingerprintStore(
		[]uint16{2, 1}, []uint16{0, 0, 0, 5}, []uint16{0, 1, 3}, []uint16{0, 0, 3}, []uint16{0, 1, 3}, []uint16{0, 0, 0, 0, 1})
	m := modeltest.New(t, Spec, modeltest.Small(t, Spec, model.Paper), model.Options{})
	a := modeltest.Adapt(t, m, store, modeltest.Task(0, 2, 0))
	for q, e := range modeltest.Explained(t, m, a, store, []int32{0, 4, 5}) {
		if bits, support := modeltest.Sum(e.Bits), modeltest.Sum(e.Support); math.Abs(bits-support) > 1e-12 {
			t.Errorf("query %d: the bits have the share %v, the support molecules %v", q, bits, support)
		}
	}
}
