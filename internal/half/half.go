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

// Float returns the number with the bits h.
func Float(h uint16) float32 {
	sign, magnitude := uint32(h&0x8000)<<16, uint32(h&^0x8000)
	switch {
	case magnitude >= Infinity: // or not a number
		return math.Float32frombits(sign | 0xff<<23 | magnitude&0x3ff<<13)
	case magnitude >= 1<<10:
		return math.Float32frombits(sign | (magnitude+(127-15)<<10)<<13)
	default:
		return math.Float32frombits(sign | math.Float32bits(float32(magnitude)/(1<<24)))
	}
}
