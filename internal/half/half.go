// Package half converts between float32 and the bits of IEEE 754's binary16: a
// sign, 5 bits of exponent, 10 of fraction.
package half

import "math"

// Infinity is that of binary16: all bits of the exponent, none of the fraction.
const Infinity = 0x7c00

// Bits rounds to the nearest binary16, halves to the even one.
func Bits(v float32) uint16 {
	bits := math.Float32bits(v)
	sign := uint16(bits>>16) & 0x8000
	magnitude := bits &^ (1 << 31)
	const (
		infinity = 0xff << 23
		normal   = (127 - 14) << 23 // 2⁻¹⁴, the least number with all 11 bits
		rebias   = (127 - 15) << 23 // from one exponent's offset to the other's
	)
	switch {
	case magnitude > infinity: // not a number: it stays one
		return sign | Infinity | 0x200
	case magnitude >= normal:
		// Of the 23 bits of the fraction 10 stay. A carry out of them is the next
		// exponent, as it should be.
		rounded := (magnitude - rebias + 0xfff + magnitude>>13&1) >> 13
		return sign | uint16(min(rounded, Infinity))
	default:
		// Below, binary16 counts in steps of 2⁻²⁴; the product is exact.
		return sign | uint16(math.RoundToEven(float64(math.Float32frombits(magnitude))*(1<<24)))
	}
}

// Float returns the number of which h are the bits.
func Float(h uint16) float32 {
	exponent, fraction := int(h>>10&0x1f), float64(h&0x3ff)
	var v float64
	switch exponent {
	case 0:
		v = fraction / (1 << 24)
	case 0x1f:
		if v = math.Inf(1); fraction != 0 {
			v = math.NaN()
		}
	default:
		v = math.Ldexp(1+fraction/1024, exponent-15)
	}
	return float32(math.Copysign(v, 1-2*float64(h>>15)))
}
