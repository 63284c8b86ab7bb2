package potency

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"pacia/data"
	"pacia/internal/each"
	"pacia/model"
)

// Plain is for methods that predict values directly. All intervals have the same width, which covers
// four of five errors on support molecules left out.
type Plain struct {
	centre, spread float64 // between the classes; of the values
	half           float64 // of an interval
	bounds
}

// NewPlain returns the Plain of measured values of molecules with labels. missed are the errors on
// molecules left out, in any order.
func NewPlain(values []data.Measured, labels []uint8, missed []float64) *Plain {
	all := plain(values)
	return &Plain{centre: between(all, labels), spread: stat.PopStdDev(all, nil), half: errorBound(missed), bounds: boundsOf(values)}
}

// plain returns the values, ignoring whether they are bounds.
func plain(values []data.Measured) []float64 {
	return each.Of(values, func(v data.Measured) float64 { return v.Value })
}

// errorBound returns a size that four of five errors of a sample and one further molecule do not exceed. Without
// errors it is infinite.
func errorBound(missed []float64) float64 {
	n := len(missed)
	if n == 0 {
		return math.Inf(1)
	}
	return slices.Sorted(slices.Values(missed))[min(n, int(math.Ceil(holds*float64(n+1))))-1]
}

// Logit returns a logit that rises with the value. It is 0 in the middle between the classes.
func (p *Plain) Logit(value float64) float64 { return (value - p.centre) / max(p.spread, 1e-6) }

// All returns the potency of molecules with these values.
func (p *Plain) All(values []float64) []model.Potency {
	return each.Of(values, func(value float64) model.Potency { return p.potency(value, p.half) })
}

// bounds are the values beyond which an assay measures nothing.
type bounds struct{ low, high float64 }

func boundsOf(values []data.Measured) bounds {
	b := bounds{math.Inf(-1), math.Inf(1)}
	for _, v := range values {
		switch {
		case v.Side < 0:
			b.low = max(b.low, v.Value)
		case v.Side > 0:
			b.high = min(b.high, v.Value)
		}
	}
	return b
}

// potency returns a value with an interval of half on both sides, open beyond the bounds.
func (b bounds) potency(value, half float64) model.Potency {
	low, high := value-half, value+half
	if low <= b.low {
		low = math.Inf(-1)
	}
	if high >= b.high {
		high = math.Inf(1)
	}
	return model.Potency{Value: float32(value), Low: float32(low), High: float32(high)}
}
