package label

// Measured is what an assay measured of a molecule, on a scale on which actives are larger
// ([Scale]).
type Measured struct {
	Value float64
	Side  int8 // 0: it is Value; −1: it is below Value; 1: it is above
}

// Side is that of a value behind a sign, which is <, > or another one.
func Side(sign byte) int8 {
	switch sign {
	case '<':
		return -1
	case '>':
		return 1
	}
	return 0
}

// Opposite is the measurement on the scale that is turned round.
func (m Measured) Opposite() Measured { return Measured{-m.Value, -m.Side} }
