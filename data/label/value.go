package label

// Measured is an assay's measurement of a molecule, on a scale on which actives have larger values
// ([Scale]).
type Measured struct {
	Value float64
	Side  int8 // 0: equal to Value; −1: below Value; 1: above Value
}

// Side returns the side of a value after a sign: −1 for <, 1 for >, 0 for any other.
func Side(sign byte) int8 {
	switch sign {
	case '<':
		return -1
	case '>':
		return 1
	}
	return 0
}

// Opposite returns the measurement on the negated scale.
func (m Measured) Opposite() Measured { return Measured{-m.Value, -m.Side} }
