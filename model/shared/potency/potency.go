package potency

import (
	"math"

	"gonum.org/v1/gonum/stat"

	"pacia/data"
	"pacia/model"
)

// Noise is σ², for kernels of 1 to 2.5 between a molecule and itself. It is the best of 0.2, 0.35, 0.5 and
// 0.7 on FS-Mol's validation assays. All of them are within 0.001 in ΔAUPRC.
const Noise = 0.5

// holds is the share of measurements in an interval.
const holds = 0.8

// Fit converts values to targets of a process, and its scores to values.
type Fit struct {
	Targets   []float64 // [N] u minus its mean
	Threshold float64   // mean of u; added to a score, so that 0 separates active from inactive

	values      []float64 // [N] v
	mean, ratio float64   // a value is mean + ratio · score
	bounds
	width float64 // of an interval, in standard deviations of the process
}

// New returns the fit of measured values, one or more, of molecules with labels.
func New(values []data.Measured, labels []uint8) *Fit {
	f := &Fit{Targets: make([]float64, len(values)), values: plain(values), bounds: boundsOf(values)}
	centre, half := between(f.values, labels), stat.PopStdDev(f.values, nil)/2
	for i, v := range f.values {
		f.Targets[i] = math.Atan2(v-centre, half) // also valid if all values are equal
	}
	f.mean = stat.Mean(f.values, nil)
	var spread float64
	f.Threshold, spread = stat.PopMeanStdDev(f.Targets, nil)
	for i := range f.Targets {
		f.Targets[i] -= f.Threshold
	}
	if spread > 0 {
		f.ratio = 2 * half / spread
	}
	return f
}

// between returns the middle between the largest value of an inactive molecule and the smallest
// value of an active one.
func between(values []float64, labels []uint8) float64 {
	inactive, active := math.Inf(-1), math.Inf(1)
	for i, v := range values {
		if labels[i] == 0 {
			inactive = max(inactive, v)
		} else {
			active = min(active, v)
		}
	}
	return (inactive + active) / 2
}

// Widen sets the width of intervals by α [N] of the process and the diagonal of (K + σ² I)⁻¹ [N].
func (f *Fit) Widen(alpha, precision []float64) {
	n := len(alpha)
	missed := make([]float64, n) // in standard deviations
	for i, a := range alpha {
		predicted := f.value(f.Targets[i] - a/precision[i])
		missed[i] = math.Abs(f.values[i]-predicted) * math.Sqrt(precision[i])
	}
	f.width = errorBound(missed)
}

func (f *Fit) value(score float64) float64 { return f.mean + f.ratio*score }

// All returns the potency of molecules [Q] with these scores and variances of the process,
// without noise.
func (f *Fit) All(scores, variances []float64) []model.Potency {
	all := make([]model.Potency, len(scores))
	for q, score := range scores {
		all[q] = f.potency(f.value(score), f.width*math.Sqrt(variances[q]+Noise))
	}
	return all
}
