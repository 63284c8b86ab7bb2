package figure

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Sizes of marked molecules, in points.
const (
	glyphReach = 5 // of a molecule, and radius of the ring around a marked one
	textHigh   = 0.8 * textSize
	air        = 2 // between a name and the frame
)

// names circles the marked molecules and writes their names where they cover no other molecule and no other name, or as
// few as possible. A line leads to a name that is not beside its molecule.
func (m Map) names(c draw.Canvas, at []vg.Point, box vg.Rectangle) {
	var taken []vg.Rectangle
	for _, p := range at {
		reach := vg.Point{X: glyphReach, Y: glyphReach}
		taken = append(taken, vg.Rectangle{Min: p.Sub(reach), Max: p.Add(reach)})
	}
	style := face(textSize)
	for _, v := range m.Marks {
		c.DrawGlyph(draw.GlyphStyle{Color: color.Black, Radius: glyphReach, Shape: draw.RingGlyph{}}, at[v.At])
	}
	for _, v := range m.Marks {
		place, towards, away := free(at[v.At], vg.Point{X: style.Width(v.Name), Y: textHigh}, box, taken)
		if away > nearest {
			from, to := at[v.At].Add(towards.Scale(glyphReach)), at[v.At].Add(towards.Scale(away-1))
			c.StrokeLine2(draw.LineStyle{Color: color.Black, Width: 0.5}, from.X, from.Y, to.X, to.Y)
		}
		c.FillText(style, place.Min, v.Name)
		taken = append(taken, place)
	}
}

// nearest is the distance of a name that stands beside its molecule, from the middle of the molecule.
const nearest = glyphReach + 2

// free returns the place of a name of some size near a point, its direction from there, of length 1, and its distance.
func free(at, size vg.Point, box vg.Rectangle, taken []vg.Rectangle) (place vg.Rectangle, towards vg.Point, away vg.Length) {
	least := math.Inf(1)
	for _, distance := range []vg.Length{nearest, 2 * nearest, 3 * nearest, 5 * nearest} {
		const directions = 16
		for k := range directions {
			turn := 2 * math.Pi * float64(k) / directions
			to := vg.Point{X: vg.Length(math.Cos(turn)), Y: vg.Length(math.Sin(turn))}
			// The middle of the name is in this direction, behind its edge.
			middle := at.Add(to.Scale(distance)).Add(vg.Point{X: to.X * size.X / 2, Y: to.Y * size.Y / 2})
			r := vg.Rectangle{Min: middle.Sub(size.Scale(0.5)), Max: middle.Add(size.Scale(0.5))}
			if r.Min.X < box.Min.X+air || r.Min.Y < box.Min.Y+air || r.Max.X > box.Max.X-air || r.Max.Y > box.Max.Y-air {
				continue
			}
			covered := 0.0
			for _, t := range taken {
				covered += common(r, t)
			}
			if covered < least {
				least, place, towards, away = covered, r, to, distance
			}
		}
	}
	return place, towards, away
}

// common returns the area that two rectangles have in common.
func common(a, b vg.Rectangle) float64 {
	wide := min(a.Max.X, b.Max.X) - max(a.Min.X, b.Min.X)
	high := min(a.Max.Y, b.Max.Y) - max(a.Min.Y, b.Min.Y)
	return float64(max(0, wide) * max(0, high))
}
