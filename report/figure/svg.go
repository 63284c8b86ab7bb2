package figure

import (
	"bytes"
	"fmt"
	"html"
	"regexp"
	"strconv"

	"gonum.org/v1/plot/vg"
)

var textElement = regexp.MustCompile(`<text ([^>]*font-size:([0-9.]+)px")>([^<]*)</text>`)

// portable makes a picture look alike where the font is missing: it names those
// that have the same widths, and fixes the length of each text for all others, so
// that none is cut off.
func portable(svg []byte) []byte {
	svg = bytes.ReplaceAll(svg, []byte("font-family:Liberation Sans"), []byte("font-family:'Liberation Sans',Arial,Helvetica,sans-serif"))
	return textElement.ReplaceAllFunc(svg, func(element []byte) []byte {
		m := textElement.FindSubmatch(element)
		size, err := strconv.ParseFloat(string(m[2]), 64)
		if err != nil || len(m[3]) == 0 {
			return element
		}
		length := face(vg.Length(size)).Width(html.UnescapeString(string(m[3])))
		return fmt.Appendf(nil, `<text textLength="%.2f" lengthAdjust="spacingAndGlyphs" %s>%s</text>`, length.Points(), m[1], m[3])
	})
}
