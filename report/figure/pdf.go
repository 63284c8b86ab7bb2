package figure

import (
	"math"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgpdf"
)

// outlinedPDF is a PDF in which texts are outlines of their letters, as in the SVG. Fonts of vgpdf have the letters of
// Western Europe alone, not Δ nor ≥. Arcs are curves, because vgpdf interrupts a path by transformations for them,
// which the format forbids.
type outlinedPDF struct{ *vgpdf.Canvas }

// Fill implements vg.Canvas.
func (c outlinedPDF) Fill(p vg.Path) { c.Canvas.Fill(curved(p)) }

// Stroke implements vg.Canvas.
func (c outlinedPDF) Stroke(p vg.Path) { c.Canvas.Stroke(curved(p)) }

// FillString implements vg.Canvas.
func (c outlinedPDF) FillString(face font.Face, at vg.Point, words string) {
	var path vg.Path
	var buffer sfnt.Buffer
	for i, r := range words {
		glyph, err := face.Face.GlyphIndex(&buffer, r)
		if err != nil {
			continue
		}
		segments, err := face.Face.LoadGlyph(&buffer, glyph, fixed.I(em), nil)
		if err != nil {
			continue
		}
		path = append(path, letter(segments, at.Add(vg.Point{X: face.Width(words[:i])}), face.Font.Size/em)...)
	}
	if len(path) > 0 {
		c.Canvas.Fill(path)
	}
}

// letter returns the outline of a letter. The vertical axis of segments points down.
func letter(segments sfnt.Segments, at vg.Point, scale vg.Length) (path vg.Path) {
	place := func(p fixed.Point26_6) vg.Point {
		return at.Add(vg.Point{X: scale * vg.Length(p.X) / 64, Y: -scale * vg.Length(p.Y) / 64})
	}
	for _, s := range segments {
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			if len(path) > 0 {
				path.Close()
			}
			path.Move(place(s.Args[0]))
		case sfnt.SegmentOpLineTo:
			path.Line(place(s.Args[0]))
		case sfnt.SegmentOpQuadTo:
			path.QuadTo(place(s.Args[0]), place(s.Args[1]))
		case sfnt.SegmentOpCubeTo:
			path.CubeTo(place(s.Args[0]), place(s.Args[1]), place(s.Args[2]))
		}
	}
	if len(path) > 0 {
		path.Close()
	}
	return path
}

// curved returns a path with Bézier curves in place of arcs, an eighth of a circle each.
func curved(p vg.Path) (path vg.Path) {
	for _, part := range p {
		if part.Type != vg.ArcComp {
			path = append(path, part)
			continue
		}
		place := func(angle, radius float64) vg.Point {
			return vg.Point{X: vg.Length(radius * math.Cos(angle)), Y: vg.Length(radius * math.Sin(angle))}
		}
		r := float64(part.Radius)
		pieces := math.Ceil(math.Abs(part.Angle) / (math.Pi / 4))
		step := part.Angle / max(1, pieces)
		handle := r * 4 / 3 * math.Tan(step/4)
		path.Line(part.Pos.Add(place(part.Start, r)))
		for k := range int(pieces) {
			from := part.Start + float64(k)*step
			to := from + step
			path.CubeTo(part.Pos.Add(place(from, r)).Add(place(from+math.Pi/2, handle)),
				part.Pos.Add(place(to, r)).Sub(place(to+math.Pi/2, handle)), part.Pos.Add(place(to, r)))
		}
	}
	return path
}
