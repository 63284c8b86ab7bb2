package half

import (
	"math"
	"testing"
)

// TestKeepsEveryNumber takes all 65,536 patterns of float16 to float32 and back.
func TestKeepsEveryNumber(t *testing.T) {
	for h := range 1 << 16 {
		v := Float(uint16(h))
		back := Bits(v)
		if back != uint16(h) && (!math.IsNaN(float64(v)) || back&0x7c00 != 0x7c00 || back&0x3ff == 0) {
			t.Fatalf("%#04x is read as %g and written as %#04x", h, v, back)
		}
	}
}

// TestRoundsToTheNearest compares with the two float16 on either side of a number:
// at each, half way to the next (the even one is right), and just beside that.
func TestRoundsToTheNearest(t *testing.T) {
	for h := uint16(0); h < Infinity-1; h++ {
		low, high := Float(h), Float(h+1)
		middle := (low + high) / 2 // exact: one bit more than float16 has
		even := h + h&1
		below, above := math.Nextafter32(middle, low), math.Nextafter32(middle, high)
		for _, c := range []struct {
			v    float32
			want uint16
		}{{middle, even}, {below, h}, {above, h + 1}, {-middle, even | 0x8000}} {
			if got := Bits(c.v); got != c.want {
				t.Fatalf("%g, between %g and %g, becomes %g, not %g", c.v, low, high, Float(got), Float(c.want))
			}
		}
	}
}

// TestIsWhatIEEESays: values of the standard's binary16, and of numbers beyond.
func TestIsWhatIEEESays(t *testing.T) {
	for v, want := range map[float32]uint16{
		0: 0, 1: 0x3c00, -2: 0xc000, 65504: 0x7bff, 0.33325195: 0x3555, 6.1035156e-05: 0x0400, 5.9604645e-08: 0x0001,
		65519.996: 0x7bff, 65520: Infinity, math.MaxFloat32: Infinity, math.SmallestNonzeroFloat32: 0,
		float32(math.Inf(-1)): 0xfc00,
	} {
		if got := Bits(v); got != want {
			t.Errorf("%g becomes %#04x, want %#04x", v, got, want)
		}
	}
}
