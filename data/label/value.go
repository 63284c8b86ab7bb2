package label

// Measured is what an assay measured of a molecule, on a scale on which actives are larger
// ([Scale]).
type Measured struct {
	Value float64
	Side  int8 // 0: it is Value; −1: it is below Value; 1: it is above
}

// Opposite is the measurement on the scale that is turned round.
func (m Measured) Opposite() Measured { return Measured{-m.Value, -m.Side} }
