package serve

import (
	"math"

	"pacia/data/label"
	"pacia/model"
	"pacia/screen/ranking"
)

// A potency is a predicted value with an interval that should contain four of five measurements. An end of
// the interval outside the measurable range is nil.
type potency struct {
	Value float64  `json:"value"`
	Low   *float64 `json:"low,omitempty"`
	High  *float64 `json:"high,omitempty"`
}

// potenciesOf returns a prediction on the scale on which it was learnt and, if that scale is logarithmic, in
// the unit of the measurements.
func potenciesOf(p model.Potency, scale *label.Scale) (own, predicted *potency) {
	made := func(ends [3]float64) *potency {
		v := &potency{Value: ends[0]}
		if !math.IsInf(ends[1], 0) {
			v.Low = &ends[1]
		}
		if !math.IsInf(ends[2], 0) {
			v.High = &ends[2]
		}
		return v
	}
	own = made([3]float64{float64(p.Value), float64(p.Low), float64(p.High)})
	if scale.Log {
		predicted = made(ranking.Measured(p, scale))
	}
	return own, predicted
}
