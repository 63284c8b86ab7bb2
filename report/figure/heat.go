package figure

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Heat is a matrix whose values are colours. NaN is no value.
type Heat struct {
	Title         string
	Values        [][]float64
	Rows, Columns []string // names; empty: none is written
	Breaks        []int    // lines stand before these rows and columns
	Text          [][]string
}

// heatColour goes from white over blue to dark blue, at from 0 to 1.
func heatColour(at float64) color.RGBA {
	stops := []color.RGBA{{247, 251, 255, 255}, {198, 219, 239, 255}, {107, 174, 214, 255}, {33, 113, 181, 255}, {8, 48, 107, 255}}
	at = min(1, max(0, at)) * float64(len(stops)-1)
	k := min(int(at), len(stops)-2)
	mix := func(a, b uint8) uint8 { return uint8(math.Round(float64(a) + (at-float64(k))*(float64(b)-float64(a)))) }
	a, b := stops[k], stops[k+1]
	return color.RGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 255}
}

// ink is what can be read on a heat colour.
func ink(at float64) color.Color {
	if at > 0.55 {
		return color.White
	}
	return color.Black
}

// Heats draws matrices, two in a row, with one scale for all of them from low to
// high, which is called by a name.
func Heats(heats []Heat, low, high float64, name string) (Picture, error) {
	const title = 1.6 * titleSize
	perRow := min(2, len(heats))
	wide := (width - 2*margin - margin*vg.Length(perRow-1)) / vg.Length(perRow)
	if perRow == 1 {
		wide = min(wide, square)
	}
	rows := (len(heats) + perRow - 1) / perRow
	side := wide
	if len(heats[0].Rows) > 0 { // named cells are as high as their text needs
		side = min(wide, vg.Length(len(heats[0].Rows))*0.5*vg.Inch+2*textSize)
	}
	const bar = 3.2 * textSize
	total := wide*vg.Length(perRow) + margin*vg.Length(perRow+1)
	return render(total, vg.Length(rows)*(side+title+margin)+bar+2*margin, func(c draw.Canvas) {
		for i, h := range heats {
			left := c.Min.X + vg.Length(i%perRow)*(wide+margin)
			top := c.Max.Y - vg.Length(i/perRow)*(side+title+margin)
			c.FillText(face(titleSize), vg.Point{X: left, Y: top - titleSize}, fitting(face(titleSize), h.Title, wide))
			h.draw(c, vg.Rectangle{Min: vg.Point{X: left, Y: top - title - side}, Max: vg.Point{X: left + wide, Y: top - title}}, low, high)
		}
		scale(c, low, high, name)
	})
}

func (h Heat) draw(c draw.Canvas, box vg.Rectangle, low, high float64) {
	style := face(textSize)
	style.XAlign, style.YAlign = text.XCenter, text.YCenter
	if len(h.Rows) > 0 {
		names := vg.Length(0)
		for _, n := range h.Rows {
			names = max(names, style.Width(n))
		}
		box.Min.X += names + textSize
		box.Min.Y += 2 * textSize
	}
	size := box.Size()
	w, t := size.X/vg.Length(len(h.Values[0])), size.Y/vg.Length(len(h.Values))
	for i, row := range h.Values {
		for j, v := range row {
			at := (v - low) / (high - low)
			cell := vg.Rectangle{
				Min: vg.Point{X: box.Min.X + vg.Length(j)*w, Y: box.Max.Y - vg.Length(i+1)*t},
				Max: vg.Point{X: box.Min.X + vg.Length(j+1)*w, Y: box.Max.Y - vg.Length(i)*t},
			}
			if math.IsNaN(v) {
				continue
			}
			fill(c, cell, heatColour(at))
			if h.Text != nil {
				style.Color = ink(at)
				c.FillText(style, middle(cell), h.Text[i][j])
			}
		}
	}
	for _, k := range h.Breaks {
		c.StrokeLine2(draw.LineStyle{Color: color.White, Width: 1.5}, box.Min.X, box.Max.Y-vg.Length(k)*t, box.Max.X, box.Max.Y-vg.Length(k)*t)
		c.StrokeLine2(draw.LineStyle{Color: color.White, Width: 1.5}, box.Min.X+vg.Length(k)*w, box.Min.Y, box.Min.X+vg.Length(k)*w, box.Max.Y)
	}
	frame(c, box)
	h.names(c, box, w, t)
}

func (h Heat) names(c draw.Canvas, box vg.Rectangle, w, t vg.Length) {
	style := face(textSize)
	style.XAlign, style.YAlign = text.XRight, text.YCenter
	for i, n := range h.Rows {
		c.FillText(style, vg.Point{X: box.Min.X - 4, Y: box.Max.Y - (vg.Length(i)+0.5)*t}, n)
	}
	style.XAlign, style.YAlign = text.XCenter, text.YTop
	for j, n := range h.Columns {
		c.FillText(style, vg.Point{X: box.Min.X + (vg.Length(j)+0.5)*w, Y: box.Min.Y - 3}, fitting(style, n, w))
	}
}

// scale draws the colours at the bottom, with the values of their ends.
func scale(c draw.Canvas, low, high float64, name string) {
	const wide, high1, steps = 1.6 * vg.Inch, textSize, 64
	style := face(textSize)
	style.YAlign = text.YCenter
	y := c.Min.Y + textSize
	x := c.Min.X
	before := fmt.Sprintf("%s  %.2f", name, low)
	c.FillText(style, vg.Point{X: x, Y: y}, before)
	x += style.Width(before) + 6
	for k := range steps {
		from := x + wide*vg.Length(k)/steps
		fill(c, vg.Rectangle{Min: vg.Point{X: from, Y: y - high1/2}, Max: vg.Point{X: from + wide/steps + 0.3, Y: y + high1/2}}, heatColour(float64(k)/(steps-1)))
	}
	c.FillText(style, vg.Point{X: x + wide + 6, Y: y}, fmt.Sprintf("%.2f", high))
}

func fill(c draw.Canvas, box vg.Rectangle, colour color.Color) {
	c.FillPolygon(colour, []vg.Point{box.Min, {X: box.Max.X, Y: box.Min.Y}, box.Max, {X: box.Min.X, Y: box.Max.Y}})
}

func middle(box vg.Rectangle) vg.Point {
	return vg.Point{X: (box.Min.X + box.Max.X) / 2, Y: (box.Min.Y + box.Max.Y) / 2}
}
