package serve

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
)

var colour = regexp.MustCompile(`#[0-9A-Fa-f]{6}\b`)

// onDark replaces the colours of a drawing by colours for a dark background: letters and bonds
// keep their hue, and dark parts become light.
func onDark(svg []byte) []byte {
	return colour.ReplaceAllFunc(svg, func(c []byte) []byte {
		v, err := strconv.ParseUint(string(c[1:]), 16, 32)
		if err != nil {
			return c // impossible: the pattern matches six hexadecimal digits
		}
		var part [3]float64
		for i := range part {
			part[i] = float64(v>>(16-8*i)&0xff) / 255
		}
		// White is added to the colour: more of it, the lower its luminance (Rec. 709).
		luminance := 0.2126*part[0] + 0.7152*part[1] + 0.0722*part[2]
		white := 0.85*(1-luminance) - 0.3*(max(part[0], part[1], part[2])-min(part[0], part[1], part[2]))
		for i := range part {
			part[i] = 255 * math.Min(1, part[i]*(1-white)+white)
		}
		return fmt.Appendf(nil, "#%02X%02X%02X", int(part[0]), int(part[1]), int(part[2]))
	})
}
