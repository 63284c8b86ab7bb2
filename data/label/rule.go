package label

import (
	"fmt"
	"math"
	"strings"

	"pacia/internal/badinput"
)

// A Rule defines which measured values are active: those below a threshold, or those
// above it. A value equal to the threshold is inactive.
type Rule struct {
	above     bool
	threshold float64
	unit      unit // of the threshold, and of values without one; no dimension: not given
	number    string
	text      string
}

// NewRule returns the rule that --active-below or --active-above defines, with --unit. At most one of
// below and above may be given; without both, the rule is nil. The threshold may also contain its unit.
// decimal is the character of --decimal, 0 without it.
func NewRule(below, above, unitName string, decimal byte) (*Rule, error) {
	flag, text := "--active-below", below
	switch {
	case below != "" && above != "":
		return nil, &badinput.Error{What: "--active-below and --active-above exclude each other", Fix: "write one of them"}
	case above != "":
		flag, text = "--active-above", above
	case below == "" && unitName != "":
		return nil, &badinput.Error{What: "--unit is that of a threshold", Fix: "also write --active-below or --active-above"}
	case below == "":
		return nil, nil
	}
	m, ok := parseMeasurement(text, decimal == ',')
	if !ok || m.sign != '=' {
		return nil, &badinput.Error{What: flag + " " + badinput.Quote(text) + " is not a threshold", Fix: "write a number, such as 1"}
	}
	if decimal == 0 && (m.form == EitherComma || m.form == EitherPoint) {
		return nil, ambiguous(flag, text)
	}
	named, isKnown := parseUnit(unitName)
	switch {
	case !isKnown:
		return nil, &badinput.Error{What: "--unit " + unitName + " is not known", Fix: "write " + knownUnits}
	case m.unit.dimension != "" && named.dimension != "" && !m.unit.same(named):
		return nil, &badinput.Error{What: flag + " " + text + " names another unit than --unit " + unitName, Fix: "leave out --unit"}
	case named.dimension == "":
		named = m.unit
	}
	number := strings.TrimSpace(text[:numberLength(text)])
	side := strings.TrimPrefix(flag, "--active-")
	return &Rule{above: above != "", threshold: m.value, unit: named, number: number, text: strings.TrimSpace(side + " " + number + " " + named.name)}, nil
}

// ambiguous returns the error for a threshold such as 1,000; it shows both readings.
func ambiguous(flag, text string) error {
	number := strings.TrimSpace(text[:numberLength(text)])
	small, _ := parseNumber(number, strings.Contains(number, ","))
	large, _ := parseNumber(number, !strings.Contains(number, ","))
	return &badinput.Error{What: fmt.Sprintf("%s %s may be %v or %v", flag, text, small, large), Fix: fmt.Sprintf("write %v or %v", small, large)}
}

// String returns the rule as text, such as "below 1 uM".
func (r *Rule) String() string { return r.text }

// Threshold returns the threshold in the unit of the rule.
func (r *Rule) Threshold() float64 { return r.threshold }

// decide compares a value in unit u with the threshold.
func (r *Rule) decide(m measurement, u unit) Verdict {
	value, threshold := m.value, r.threshold
	if r.unit.dimension != "" {
		value, threshold = value*u.factor, threshold*r.unit.factor
	}
	equal := math.Abs(value-threshold) <= 1e-9*math.Max(math.Abs(value), math.Abs(threshold)) // 1000 nM and 1 µM
	below := !equal && value < threshold
	if r.above {
		below = !equal && value > threshold
		m.sign = map[byte]byte{'<': '>', '>': '<', '=': '='}[m.sign]
	}
	// From here on, active means below.
	switch {
	case m.sign == '<' && (below || equal && !m.orEq), m.sign == '=' && below:
		return Active
	case m.sign == '>' && !below, m.sign == '=':
		return Inactive
	}
	return Undecided
}

// wrongSide returns a warning if actives of this type of measurement are usually on the other side of the
// threshold, or an empty string.
func (r *Rule) wrongSide(name string, usual side) string {
	switch {
	case usual == above && !r.above:
		return fmt.Sprintf("active is %s: actives have usually large values of %s, which is --active-above %s", r, badinput.Quote(name), r.number)
	case usual == below && r.above:
		return fmt.Sprintf("active is %s: actives have usually small values of %s, which is --active-below %s", r, badinput.Quote(name), r.number)
	}
	return ""
}
