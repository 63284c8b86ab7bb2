package figure

import (
	"math"

	"pacia/metrics"
)

// A Measure is the metric of the figures of a section.
type Measure struct {
	Name      string // on axes, after the name of the set of tasks
	Chance    float64
	Low, High float64 // range of possible values
}

// MeasureOf returns a metric as a measure.
func MeasureOf(m metrics.Metric) Measure { return Measure{m.Title, m.Chance, m.Low, m.High} }

// axis returns round ends of an axis for values from low to high, with a margin and within the range
// of the measure.
func (m Measure) axis(low, high float64) (from, to float64) {
	from, to = round(low, high)
	return max(from, m.Low), min(to, m.High)
}

// round returns round ends with a margin.
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
