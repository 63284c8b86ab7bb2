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

// appendPotency appends a predicted value and its interval to a line. If the scale is logarithmic, they follow
// again in the unit of the measurements. An open end is an empty cell.
func appendPotency(line []byte, p model.Potency, scale *label.Scale) []byte {
	ends := []float64{float64(p.Value), float64(p.Low), float64(p.High)}
	for _, v := range ends {
		line = appendNumber(line, v, 4)
	}
	if !scale.Log {
		return line
	}
	for _, v := range Measured(p, scale) {
		line = appendNumber(line, v, 3)
	}
	if united(scale) {
		line = append(append(line, ','), scale.Unit...)
	}
	return line
}

// united reports whether the ranked table has a column with the unit of predicted values.
func united(scale *label.Scale) bool { return scale.Log && scale.Unit != "" }

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

// appendNumber appends a cell with a number of significant digits; it is empty if v is not finite.
func appendNumber(line []byte, v float64, digits int) []byte {
	line = append(line, ',')
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return line
	}
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64)
	return strconv.AppendFloat(line, rounded, 'f', -1, 64)
}
