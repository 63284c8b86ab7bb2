package figure

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Kind is a kind of molecule in a figure of one task.
type Kind struct{ Active, Query bool }

func (k Kind) colour() color.RGBA {
	if k.Active {
		return palette[1]
	}
	return palette[0]
}

func (k Kind) glyph() draw.GlyphStyle {
	if k.Query {
		return draw.GlyphStyle{Color: k.colour(), Radius: 2.5, Shape: draw.RingGlyph{}}
	}
	if k.Active {
		return draw.GlyphStyle{Color: k.colour(), Radius: 4.5, Shape: draw.PyramidGlyph{}}
	}
	return draw.GlyphStyle{Color: k.colour(), Radius: 4, Shape: draw.CircleGlyph{}}
}

func (k Kind) String() string {
	name := "support, "
	if k.Query {
		name = "query, "
	}
	if k.Active {
		return name + "active"
	}
	return name + "inactive"
}

// A Map holds the places of molecules in a plane.
type Map struct {
	Title string
	Note  string // text below the plane
	X, Y  []float64
	Kinds []Kind
	Marks []Mark
}

// A Mark is a molecule whose name is shown.
type Mark struct {
	At   int
	Name string
}

// Maps draws planes, two in a row. They have no axes, because these would be
// meaningless.
func Maps(maps []Map) (Picture, error) {
	const title, note = 1.6 * titleSize, 1.6 * textSize
	wide := (width - 3*margin) / 2
	rows := (len(maps) + 1) / 2
	l := kinds(maps)
	legendHigh := l.Rectangle(draw.Canvas{}).Size().Y
	return render(width, vg.Length(rows)*(wide*0.8+title+note+margin)+legendHigh+2*margin, func(c draw.Canvas) {
		high := (c.Max.Y - c.Min.Y - legendHigh - margin) / vg.Length(rows)
		for i, m := range maps {
			left := c.Min.X + vg.Length(i%2)*(wide+margin)
			top := c.Max.Y - vg.Length(i/2)*high
			box := vg.Rectangle{Min: vg.Point{X: left, Y: top - high + margin + note}, Max: vg.Point{X: left + wide, Y: top - title}}
			c.FillText(face(titleSize), vg.Point{X: left, Y: top - titleSize}, fitting(face(titleSize), m.Title, wide))
			m.draw(c, box)
			c.FillText(face(textSize), vg.Point{X: left, Y: box.Min.Y - 1.2*textSize}, fitting(face(textSize), m.Note, wide))
		}
		l.Draw(draw.Crop(c, 0, 0, 0, legendHigh-(c.Max.Y-c.Min.Y)))
	})
}

func kinds(maps []Map) *legend {
	l := newLegend()
	for _, k := range []Kind{{false, false}, {true, false}, {false, true}, {true, true}} {
		if slices.ContainsFunc(maps, func(m Map) bool { return slices.Contains(m.Kinds, k) }) {
			l.Add(k.String(), &plotter.Scatter{GlyphStyle: k.glyph()})
		}
	}
	return l
}

func (m Map) draw(c draw.Canvas, box vg.Rectangle) {
	frame(c, box)
	inner := 10 * vg.Points(1)
	place := func(v, low, high float64, from, to vg.Length) vg.Length {
		if high <= low {
			return (from + to) / 2
		}
		return from + inner + vg.Length((v-low)/(high-low))*(to-from-2*inner)
	}
	at := make([]vg.Point, len(m.X))
	lowX, highX := ends(m.X)
	lowY, highY := ends(m.Y)
	for i := range at {
		at[i] = vg.Point{X: place(m.X[i], lowX, highX, box.Min.X, box.Max.X), Y: place(m.Y[i], lowY, highY, box.Min.Y, box.Max.Y)}
	}
	for _, query := range []bool{true, false} { // support molecules last, on top
		for i, k := range m.Kinds {
			if k.Query == query {
				c.DrawGlyph(k.glyph(), at[i])
			}
		}
	}
	m.names(c, at, box)
}

func frame(c draw.Canvas, box vg.Rectangle) {
	c.SetLineStyle(draw.LineStyle{Color: grey, Width: 0.7})
	c.Stroke(box.Path())
}

func ends(values []float64) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, v := range values {
		low, high = min(low, v), max(high, v)
	}
	return low, high
}
