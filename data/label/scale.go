package label

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"pacia/data/note"
	"pacia/internal/badinput"
)

// A Scale converts the measurements of a column to a scale on which actives have larger values. Concentrations
// become the negative logarithm of mol/l (a pIC50) or of g/l. All other values are unchanged, or negated if
// small values are active.
type Scale struct {
	Unit string // of the measurements; empty: none
	Log  bool

	factor float64 // of the unit
	falls  bool    // small values are active
}

// Scale returns the scale of the measurements to which a rule applies.
func (r *Rule) Scale() *Scale {
	s := &Scale{Unit: r.unit.name, Log: r.unit.dimension == "molar" || r.unit.dimension == "mass", factor: r.unit.factor, falls: !r.above}
	if !s.Log {
		s.factor = 1
	}
	return s
}

// Falls reports whether small measurements are active.
func (s *Scale) Falls() bool { return s.falls }

// To converts a value to the scale; false if it has no logarithm. side is −1 if the value is an
// upper bound, 1 if it is a lower bound, and 0 otherwise.
func (s *Scale) To(value float64, side int8) (Measured, bool) {
	m := Measured{Value: value, Side: side}
	if s.Log {
		m.Value = math.Log10(value * s.factor)
	}
	if s.falls {
		m = m.Opposite()
	}
	return m, !math.IsNaN(m.Value) && !math.IsInf(m.Value, 0)
}

// Positive makes the scale logarithmic, with a note, if small values of the column are active and the
// values have no unit, are all above 0, as an IC50 is, and are not logarithms already.
func (s *Scale) Positive(column string, r *Rule, values []float64) (n note.Note, changed bool) {
	if s.Log || parseName(column).log || !s.falls || r.unit.dimension != "" || slices.ContainsFunc(values, func(v float64) bool { return v <= 0 }) {
		return n, false
	}
	s.Log = true
	return note.Note{Text: "measurements are learnt as logarithms, as small ones are active and all are above 0", Switch: "--unit"}, true
}

// From converts a value on the scale back to a measurement. It is the inverse of To.
func (s *Scale) From(value float64) float64 {
	if s.falls {
		value = -value
	}
	if s.Log {
		return math.Pow(10, value) / s.factor
	}
	return value
}

// Name returns the name of values on the scale, such as pIC50 for a column "IC50 (nM)".
func (s *Scale) Name(column string) string {
	switch {
	case !s.Log && s.falls:
		return "−" + column
	case !s.Log:
		return column
	case s.Unit == "": // a pIC50 is of mol/l
		return "−log10 of " + column
	}
	if i := strings.IndexAny(column, "(["); i > 0 {
		column = strings.TrimSpace(column[:i])
	}
	return "p" + strings.TrimSuffix(column, " "+s.Unit)
}

// median returns a rule whose threshold is the median of the measurements, with a note of it. It returns an
// error if the column's name does not determine the side of actives, or if there are fewer than two measurements.
func (c *Column) median() (*Rule, note.Note, error) {
	info := c.info()
	if c.Types != nil && info.usual == either {
		first := *c
		if counted, err := first.countedType(&Reading{}); err == nil {
			of := parseName(counted)
			info.usual, info.log, info.vague = of.usual, of.log, of.vague
		}
	}
	if info.vague && c.ownUnit(info).dimension == "share" {
		return nil, note.Note{}, &badinput.Error{
			What: badinput.Quote(c.Name) + " holds per cent, which are not a potency, and small or large ones may be active",
			Fix:  "name another column, or write --active-below or --active-above with a threshold to learn them as they are",
		}
	}
	if info.usual == either {
		return nil, note.Note{}, &badinput.Error{
			What: "it is not known whether small or large values of " + badinput.Quote(c.Name) + " are active",
			Fix:  "write --active-below or --active-above with a threshold",
		}
	}
	first := *c
	first.Rule = &Rule{above: info.usual == above, unit: c.ownUnit(info)}
	r, err := first.Read()
	if err != nil {
		return nil, note.Note{}, err
	}
	values := slices.DeleteFunc(r.Values, math.IsNaN)
	if len(values) < 2 {
		return nil, note.Note{}, &badinput.Error{
			What: fmt.Sprintf("%s has %d measurements", badinput.Quote(c.Name), len(values)), Fix: "a support set needs two or more",
		}
	}
	slices.Sort(values)
	number := strconv.FormatFloat((values[(len(values)-1)/2]+values[len(values)/2])/2, 'g', 4, 64)
	rule := *first.Rule
	rule.number = number
	rule.threshold, _ = strconv.ParseFloat(number, 64)
	side := map[bool]string{false: "below", true: "above"}[rule.above]
	rule.text = strings.TrimSpace(side + " " + number + " " + rule.unit.name)
	return &rule, note.Note{Text: "active is " + rule.text + ", the median of the measurements", Switch: "--active-" + side}, nil
}

// ownUnit returns the unit of the measurements: from the user, the row below the header, the column's name, or
// the one that most cells have.
func (c *Column) ownUnit(info nameInfo) unit {
	for _, text := range []string{c.ValueUnit, c.Unit} {
		if u, ok := parseUnit(text); ok && u.dimension != "" {
			return u
		}
	}
	switch {
	case info.log: // the name's unit is that of the argument, as in -log10 IC50 (M)
		return unit{}
	case len(info.units) == 1:
		return info.units[0]
	}
	count, most := map[string]int{}, unit{}
	for i, cell := range c.Cells {
		m, ok := parseMeasurement(cell, false)
		if ok && m.unit.dimension == "" && c.Units != nil {
			m.unit = unitOf(c.Units[i])
		}
		if count[m.unit.name]++; ok && m.unit.dimension != "" && count[m.unit.name] > count[most.name] {
			most = m.unit
		}
	}
	return most
}
