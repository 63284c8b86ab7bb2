package gp

import (
	"math"
	"testing"

	"pacia/harness/modeltest"
	"pacia/model"
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

// TestExplainWithoutNoise: with little noise, probabilities are 0 or 1 and the shares stay finite.
func TestExplainWithoutNoise(t *testing.T) {
	modeltest.Locked(t, 1)
	store := modeltest.FingerprintStore([]uint16{2, 1}, []uint16{0, 0, 0, 5}, []uint16{0, 1, 3}, []uint16{0, 0, 3, 1})
	c := modeltest.SmallWith(t, Spec, func(s *Settings) { s.Noise = 1e-6 })
	m := modeltest.New(t, Spec, c, model.Options{})
	a := modeltest.Adapt(t, m, store, modeltest.Task(0, 2, 0))
	for q, e := range modeltest.Explained(t, m, a, store, []int32{0, 1, 2, 3}) {
		if z := e.LogOdds; math.IsNaN(z) || math.IsInf(z, 0) || math.Abs(z) < 1000 {
			t.Errorf("query %d: the log-odds are %v, want finite ones beyond 1000", q, z)
		}
	}
}

// TestLogNormal compares with values of arbitrary precision, and both forms where they meet.
func TestLogNormal(t *testing.T) {
	for _, tt := range []struct{ z, want float64 }{
		{0, -math.Ln2}, {-10, -53.23128515051247}, {-40, -804.6084420137538}, {-1000, -500007.8266948121},
	} {
		if got := logNormal(tt.z); math.Abs(got-tt.want) > 1e-13*math.Abs(tt.want) {
			t.Errorf("log Φ(%v) is %v, want %v", tt.z, got, tt.want)
		}
	}
	if a, b := logNormal(-30), logNormal(math.Nextafter(-30, 0)); math.Abs(a-b) > 1e-11 {
		t.Errorf("at −30 both forms differ by %v", a-b)
	}
}
