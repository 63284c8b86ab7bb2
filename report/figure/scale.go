package figure

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Scale maps values to colours. Its ends do not depend on the values, so that small
// differences look small.
type Scale struct {
	Name      string
	Low, High float64
	Diverging bool // white in the middle, with a different hue on each side
}

// Cosine is the scale of cosine similarities.
var Cosine = Scale{"cosine similarity", -1, 1, true}

// Colours of scales, from low to high: ColorBrewer's Blues and RdBu, which
// colour-blind readers can distinguish.
var (
	blues    = []color.RGBA{{247, 251, 255, 255}, {198, 219, 239, 255}, {107, 174, 214, 255}, {33, 113, 181, 255}, {8, 48, 107, 255}}
	redsBlue = []color.RGBA{{103, 0, 31, 255}, {178, 24, 43, 255}, {214, 96, 77, 255}, {244, 165, 130, 255}, {253, 219, 199, 255}, {247, 247, 247, 255},
		{209, 229, 240, 255}, {146, 197, 222, 255}, {67, 147, 195, 255}, {33, 102, 172, 255}, {5, 48, 97, 255}}
)

// colour returns the colour of a value. Values beyond the ends have the colours of the ends.
func (s Scale) colour(v float64) color.RGBA {
	stops := blues
	if s.Diverging {
		stops = redsBlue
	}
	at := min(1, max(0, (v-s.Low)/(s.High-s.Low))) * float64(len(stops)-1)
	k := min(int(at), len(stops)-2)
	mix := func(a, b uint8) uint8 { return uint8(math.Round(float64(a) + (at-float64(k))*(float64(b)-float64(a)))) }
	a, b := stops[k], stops[k+1]
	return color.RGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 255}
}

// ink returns a colour of text that is readable on the colour of a value.
func (s Scale) ink(v float64) color.Color {
	c := s.colour(v)
	if 299*int(c.R)+587*int(c.G)+114*int(c.B) < 140_000 { // luma of 140 of 255
		return color.White
	}
	return color.Black
}

// draw draws the scale at the bottom, with the values of its ends and, for a
// diverging scale, of the middle.
func (s Scale) draw(c draw.Canvas) {
	const wide, high, steps = 2.4 * vg.Inch, textSize, 64
	style := face(textSize)
	style.YAlign = text.YCenter
	y, x := c.Min.Y+1.6*textSize, c.Min.X
	c.FillText(style, vg.Point{X: x, Y: y}, s.Name)
	x += style.Width(s.Name) + 12
	for k := range steps {
		from := x + wide*vg.Length(k)/steps
		fill(c, vg.Rectangle{Min: vg.Point{X: from, Y: y - high/2}, Max: vg.Point{X: from + wide/steps + 0.3, Y: y + high/2}}, s.colour(s.Low+(s.High-s.Low)*float64(k)/(steps-1)))
	}
	style.XAlign, style.YAlign = text.XCenter, text.YTop
	marks := []float64{s.Low, s.High}
	if s.Diverging {
		marks = slices.Insert(marks, 1, (s.Low+s.High)/2)
	}
	for _, v := range marks {
		c.FillText(style, vg.Point{X: x + wide*vg.Length((v-s.Low)/(s.High-s.Low)), Y: y - high/2 - 2}, tidy(math.Round(100*v)/100))
	}
}
