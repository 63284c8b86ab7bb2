package figure

import "math"

// A Measure is the quantity that the figures of a section measure.
type Measure struct {
	Name      string // on axes, after the name of the set measured on
	Chance    float64
	Low, High float64 // no value is beyond
}

// The measures of runs.
var (
	ROCAUC     = Measure{Name: "ROC-AUC", Chance: 0.5, High: 1}
	DeltaAUPRC = Measure{Name: "ΔAUPRC", Low: -1, High: 1}
)

// axis gives round ends with some air around values from low to high, within the range
// of the measure.
func (m Measure) axis(low, high float64) (from, to float64) {
	from, to = round(low, high)
	return max(from, m.Low), min(to, m.High)
}

// round gives ends with some air.
func round(low, high float64) (from, to float64) {
	step := 0.05
	switch {
	case high-low < 0.04:
		step = 0.01
	case high-low < 0.1:
		step = 0.02
	}
	return math.Floor(low/step-0.2) * step, math.Ceil(high/step+0.2) * step
}
