package figure

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A polygon is a filled glyph, given by its corners on a circle of radius 1.
type polygon []vg.Point

// corners returns a regular polygon with n corners. The first one is at the top, rotated by turn (1 is a full
// turn).
func corners(n int, turn float64) (p polygon) {
	for k := range n {
		at := 2 * math.Pi * (float64(k)/float64(n) + turn)
		p = append(p, vg.Point{X: vg.Length(math.Sin(at)), Y: vg.Length(math.Cos(at))})
	}
	return p
}

// DrawGlyph implements draw.GlyphDrawer.
func (p polygon) DrawGlyph(c *draw.Canvas, style draw.GlyphStyle, at vg.Point) {
	const larger = 1.25 // scale with which a polygon looks as large as a circle
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

// shapes are the filled glyphs for means of series; rings are seeds.
var shapes = []draw.GlyphDrawer{draw.CircleGlyph{}, corners(4, 0.125), corners(3, 0), corners(4, 0), corners(3, 0.5), corners(6, 0)}

// glyphOf returns the glyph for means of series i.
func glyphOf(i int, radius vg.Length) draw.GlyphStyle {
	return draw.GlyphStyle{Color: palette[i%len(palette)], Radius: radius, Shape: shapes[i%len(shapes)]}
}

// faded returns a colour with opacity alpha.
func faded(c color.Color, alpha uint8) color.Color {
	r, g, b, _ := c.RGBA()
	return color.NRGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), alpha}
}
