package figure

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Heat is a matrix whose values are drawn as colours. NaN is a missing value.
type Heat struct {
	Title         string
	Values        [][]float64
	Rows, Columns []string // names; may be empty
	Breaks        []int    // lines are drawn before these rows and columns
	Text          [][]string
}

// Heats draws matrices, two in a row, with a common scale.
func Heats(heats []Heat, scale Scale) (Picture, error) {
	const title = 1.6 * titleSize
	perRow := min(2, len(heats))
	wide := (width - 2*margin - margin*vg.Length(perRow-1)) / vg.Length(perRow)
	if perRow == 1 {
		wide = min(wide, square)
	}
	rows := (len(heats) + perRow - 1) / perRow
	side := wide
	if len(heats[0].Rows) > 0 { // cells with text are as high as the text
		side = min(wide, vg.Length(len(heats[0].Rows))*0.5*vg.Inch+2*textSize)
	}
	const bar = 3.8 * textSize
	total := wide*vg.Length(perRow) + margin*vg.Length(perRow+1)
	return render(total, vg.Length(rows)*(side+title+margin)+bar+2*margin, func(c draw.Canvas) {
		for i, h := range heats {
			left := c.Min.X + vg.Length(i%perRow)*(wide+margin)
			top := c.Max.Y - vg.Length(i/perRow)*(side+title+margin)
			c.FillText(face(titleSize), vg.Point{X: left, Y: top - titleSize}, fitting(face(titleSize), h.Title, wide))
			h.draw(c, vg.Rectangle{Min: vg.Point{X: left, Y: top - title - side}, Max: vg.Point{X: left + wide, Y: top - title}}, scale)
		}
		scale.draw(c)
	})
}

func (h Heat) draw(c draw.Canvas, box vg.Rectangle, scale Scale) {
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
			cell := vg.Rectangle{
				Min: vg.Point{X: box.Min.X + vg.Length(j)*w, Y: box.Max.Y - vg.Length(i+1)*t},
				Max: vg.Point{X: box.Min.X + vg.Length(j+1)*w, Y: box.Max.Y - vg.Length(i)*t},
			}
			if math.IsNaN(v) {
				continue
			}
			fill(c, cell, scale.colour(v))
			if h.Text != nil {
				style.Color = scale.ink(v)
				c.FillText(style, middle(cell), h.Text[i][j])
			}
		}
	}
	for _, k := range h.Breaks {
		c.StrokeLine2(draw.LineStyle{Color: color.Black, Width: 0.8}, box.Min.X, box.Max.Y-vg.Length(k)*t, box.Max.X, box.Max.Y-vg.Length(k)*t)
		c.StrokeLine2(draw.LineStyle{Color: color.Black, Width: 0.8}, box.Min.X+vg.Length(k)*w, box.Min.Y, box.Min.X+vg.Length(k)*w, box.Max.Y)
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

func fill(c draw.Canvas, box vg.Rectangle, colour color.Color) {
	c.FillPolygon(colour, []vg.Point{box.Min, {X: box.Max.X, Y: box.Min.Y}, box.Max, {X: box.Min.X, Y: box.Max.Y}})
}

func middle(box vg.Rectangle) vg.Point {
	return vg.Point{X: (box.Min.X + box.Max.X) / 2, Y: (box.Min.Y + box.Max.Y) / 2}
}
