package ranking

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"pacia/data/label"
	"pacia/model"
)

func (s *Support) learnNumbers(values []float64, l label.Tasks) {
	s.Scale = s.Rule.Scale()
	if label.LogUnit(l.ValueUnit) {
		return
	}
	if n, ok := s.Scale.Positive(s.Column, s.Rule, values); ok {
		s.Notes = append(s.Notes, n)
	}
}

// valueOf returns the value of a molecule with label of, on the support set's scale: the median of the values
// of its rows. If all rows have bounds, it is the median bound. Without any value it is the threshold as a
// bound.
func (s *Support) valueOf(of uint8, rows ...Labelled) label.Measured {
	var exact, bounds []label.Measured
	for _, row := range rows {
		m, ok := s.Scale.To(row.Value, row.Side)
		switch {
		case ok && m.Side == 0:
			exact = append(exact, m)
		case ok:
			bounds = append(bounds, m)
		}
	}
	for _, all := range [][]label.Measured{exact, bounds} {
		if len(all) > 0 {
			slices.SortFunc(all, func(a, b label.Measured) int { return cmp.Compare(a.Value, b.Value) })
			low, high := all[(len(all)-1)/2], all[len(all)/2]
			return label.Measured{Value: (low.Value + high.Value) / 2, Side: low.Side}
		}
	}
	m, _ := s.Scale.To(s.Rule.Threshold(), 0)
	m.Side = int8(2*int(of) - 1)
	return m
}

// An interval is a predicted value with an interval that should contain four of five measurements. An end outside the
// measurable range is nil.
type interval struct {
	Value float64  `json:"value"`
	Low   *float64 `json:"low,omitempty"`
	High  *float64 `json:"high,omitempty"`
}

// intervalOf returns the value and the ends of an interval. Those outside the measurable range are infinite.
func intervalOf(ends [3]float64) *interval {
	v := &interval{Value: ends[0]}
	if !math.IsInf(ends[1], 0) {
		v.Low = &ends[1]
	}
	if !math.IsInf(ends[2], 0) {
		v.High = &ends[2]
	}
	return v
}

// Learnt returns a predicted value and the low and high ends of its interval on the scale on which it was learnt.
func Learnt(p model.Potency) [3]float64 {
	return [3]float64{float64(p.Value), float64(p.Low), float64(p.High)}
}

// predicted returns the function that appends a part of the prediction in the unit of the measurements: 0, the value; 1
// and 2, the ends of the interval.
func predicted(part int) func([]byte, *View, *Ranked) []byte {
	return func(to []byte, v *View, r *Ranked) []byte {
		return appendNumber(to, Measured(r.Potency, v.Scale)[part], 3)
	}
}

// Measured converts a predicted value and the low and high ends of its interval to the unit of the
// measurements. An open end is infinite.
func Measured(p model.Potency, scale *label.Scale) [3]float64 {
	low, high := float64(p.Low), float64(p.High)
	if scale.From(0) > scale.From(1) {
		low, high = high, low
	}
	all := [3]float64{scale.From(float64(p.Value)), scale.From(low), scale.From(high)}
	if math.IsInf(low, 0) {
		all[1] = math.Inf(-1)
	}
	if math.IsInf(high, 0) {
		all[2] = math.Inf(1)
	}
	return all
}

// appendNumber appends a number with this many significant digits; nothing if it is not finite.
func appendNumber(to []byte, v float64, digits int) []byte {
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return to
	}
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64)
	return strconv.AppendFloat(to, rounded, 'f', -1, 64)
}
