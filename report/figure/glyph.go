package figure

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A polygon is a filled glyph: its corners, of a circle of radius 1.
type polygon []vg.Point

// corners are those of a polygon with n of them, the first one turned so far from the
// top, in parts of a turn.
func corners(n int, turn float64) (p polygon) {
	for k := range n {
		at := 2 * math.Pi * (float64(k)/float64(n) + turn)
		p = append(p, vg.Point{X: vg.Length(math.Sin(at)), Y: vg.Length(math.Cos(at))})
	}
	return p
}

// DrawGlyph implements draw.GlyphDrawer.
func (p polygon) DrawGlyph(c *draw.Canvas, style draw.GlyphStyle, at vg.Point) {
	const larger = 1.25 // than a circle of one radius, to look as large
	var path vg.Path
	for i, corner := range p {
		place := at.Add(corner.Scale(larger * style.Radius))
		if i == 0 {
			path.Move(place)
		} else {
			path.Line(place)
		}
	}
	path.Close()
	c.SetColor(style.Color)
	c.Fill(path)
}

// shapes are those of the means of series, all filled: rings are seeds.
var shapes = []draw.GlyphDrawer{draw.CircleGlyph{}, corners(4, 0.125), corners(3, 0), corners(4, 0), corners(3, 0.5), corners(6, 0)}

// glyphOf is that of the means of series i.
func glyphOf(i int, radius vg.Length) draw.GlyphStyle {
	return draw.GlyphStyle{Color: palette[i%len(palette)], Radius: radius, Shape: shapes[i%len(shapes)]}
}

// faded is a colour that lets the background through.
func faded(c color.Color, alpha uint8) color.Color {
	r, g, b, _ := c.RGBA()
	return color.NRGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), alpha}
}
