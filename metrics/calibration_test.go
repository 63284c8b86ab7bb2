package metrics

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestCalibrate recovers the slope and the offset from which labels were drawn.
func TestCalibrate(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	want := Calibration{Slope: 2.5, Offset: -0.7}
	var all []Graded
	for range 200_000 {
		g := Graded{Score: r.NormFloat64(), Prior: r.NormFloat64(), Weight: 0.5 + r.Float64()}
		if r.Float64() < want.Probability(g) {
			g.Label = 1
		}
		all = append(all, g)
	}
	got, err := Calibrate(all)
	if err != nil || math.Abs(got.Slope-want.Slope) > 0.05 || math.Abs(got.Offset-want.Offset) > 0.03 {
		t.Errorf("%+v (%v), want about %+v", got, err, want)
	}
	bins, ece := Reliability(all, got, 10)
	if len(bins) != 10 || ece > 0.01 {
		t.Errorf("%d bins, error %v; want 10, and less than 0.01", len(bins), ece)
	}
	if _, over := Reliability(all, Calibration{Slope: 8}, 10); over < 0.05 {
		t.Errorf("overconfident scores have an error of %v, want more", over)
	}
}

// TestCalibrateScales checks that the scale and the origin of scores do not matter: scores that a small slope
// of an earlier calibration flattened need a large one now.
func TestCalibrateScales(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var all []Graded
	for range 1000 {
		g := Graded{Score: r.NormFloat64(), Prior: r.NormFloat64(), Weight: 1}
		if r.Float64() < (Calibration{Slope: 2.5, Offset: -0.7}).Probability(g) {
			g.Label = 1
		}
		all = append(all, g)
	}
	want, err := Calibrate(all)
	if err != nil {
		t.Fatal(err)
	}
	for _, scale := range []float64{1e-5, 0.001, 1, 1e5} {
		const origin = 3
		for i := range all {
			all[i].Score = scale * (all[i].Score + origin)
		}
		got, err := Calibrate(all)
		offset := want.Offset - origin*want.Slope
		if err != nil || math.Abs(got.Slope*scale/want.Slope-1) > 1e-6 || math.Abs(got.Offset/offset-1) > 1e-6 {
			t.Errorf("%+v of scores times %v (%v), want %v times less than %v, and the offset %v", got, scale, err, scale, want.Slope, offset)
		}
		for i := range all {
			all[i].Score = all[i].Score/scale - origin
		}
	}
}

// TestCalibrateRefuses checks that scores without a best slope are refused.
func TestCalibrateRefuses(t *testing.T) {
	for name, all := range map[string][]Graded{
		"alike":     {{Score: 1, Label: 1, Weight: 1}, {Score: 1, Weight: 1}},
		"no fault":  {{Score: 1, Label: 1, Weight: 1}, {Score: -1, Weight: 1}},
		"no scores": nil,
	} {
		if c, err := Calibrate(all); err == nil {
			t.Errorf("%s: %+v, want an error", name, c)
		}
	}
}

// TestReliability compares with values computed by hand: half of the molecules of 0.25 and all of
// those of 0.9 are active.
func TestReliability(t *testing.T) {
	logit := func(p float64) float64 { return math.Log(p / (1 - p)) }
	bins, ece := Reliability([]Graded{
		{Score: logit(0.25), Label: 1, Weight: 1}, {Score: logit(0.25), Weight: 1}, {Score: logit(0.9), Label: 1, Weight: 2},
	}, Calibration{Slope: 1}, 5)
	if len(bins) != 2 || math.Abs(bins[0].Active-0.5) > 1e-12 || math.Abs(bins[1].Share-0.5) > 1e-12 || math.Abs(ece-(0.25+0.1)/2) > 1e-12 {
		t.Errorf("bins %+v, error %v; want 0.175", bins, ece)
	}
	if bins, ece := Reliability(nil, Calibration{Slope: 1}, 5); len(bins) > 0 || !math.IsNaN(ece) {
		t.Errorf("without molecules: bins %+v, error %v; want none, and NaN", bins, ece)
	}
}
