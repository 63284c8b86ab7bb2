package label

import (
	"fmt"
	"math"
	"strings"

	"pacia/internal/badinput"
)

// A Rule says which measured values are active: those below a threshold, or those
// above it. The threshold itself is inactive.
type Rule struct {
	above     bool
	threshold float64
	unit      unit // of the threshold, and of values without one; no dimension: not named
	text      string
}

// NewRule returns the rule of --active-below or --active-above, of which one is to be
// empty, with --unit; nil where both are empty. The threshold may carry its unit, too.
func NewRule(below, above, unitName string) (*Rule, error) {
	flag, text := "--active-below", below
	switch {
	case below != "" && above != "":
		return nil, &badinput.Error{What: "--active-below and --active-above exclude each other", Fix: "write one of them"}
	case above != "":
		flag, text = "--active-above", above
	case below == "" && unitName != "":
		return nil, &badinput.Error{What: "--unit is that of a threshold", Fix: "write --active-below or --active-above, too"}
	case below == "":
		return nil, nil
	}
	m, err := parseMeasurement(text, ',')
	if err != nil || m.sign != '=' {
		return nil, &badinput.Error{What: flag + " " + text + " is no threshold", Fix: "write a number, such as 1"}
	}
	named, known := parseUnit(unitName)
	switch {
	case !known:
		return nil, &badinput.Error{What: "--unit " + unitName + " is not known", Fix: "write M, mM, uM, nM, pM, mg/l, ug/ml, g/l or %"}
	case m.unit.of != "" && named.of != "" && m.unit != named:
		return nil, &badinput.Error{What: flag + " " + text + " names another unit than --unit " + unitName, Fix: "leave out --unit"}
	case named.of == "":
		named = m.unit
	}
	side := strings.TrimPrefix(flag, "--active-")
	number := strings.TrimSpace(text[:numberLength(text)])
	return &Rule{above: above != "", threshold: m.value, unit: named, text: strings.TrimSpace(side + " " + number + " " + named.name)}, nil
}

// String is such as "below 1 uM".
func (r *Rule) String() string { return r.text }

// decide compares a value, whose unit is known, with the threshold.
func (r *Rule) decide(m measurement, u unit) (Verdict, error) {
	value, threshold := m.value, r.threshold
	if r.unit.of != "" {
		if u.of != r.unit.of {
			return 0, fmt.Errorf("the unit %s cannot be compared with the threshold's, %s", u.name, r.unit.name)
		}
		value, threshold = value*u.factor, threshold*r.unit.factor
	}
	equal := math.Abs(value-threshold) <= 1e-9*math.Max(math.Abs(value), math.Abs(threshold)) // 1000 nM and 1 µM
	below := !equal && value < threshold
	if r.above {
		below = !equal && value > threshold
		m.sign = map[byte]byte{'<': '>', '>': '<', '=': '='}[m.sign]
	}
	// From here on active is what lies below.
	switch {
	case m.sign == '<' && (below || equal && !m.orEq), m.sign == '=' && below:
		return Active, nil
	case m.sign == '>' && !below, m.sign == '=':
		return Inactive, nil
	}
	return Undecided, nil
}
