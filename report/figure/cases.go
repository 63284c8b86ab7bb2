package figure

import (
	"fmt"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A CaseMolecule is a molecule of a case study.
type CaseMolecule struct {
	Node
	Note string // text below its structure
}

// A CaseStudy compares queries with support molecules.
type CaseStudy struct {
	Support, Queries []CaseMolecule
	Stages           []string      // headings of the similarities
	Similarity       [][][]float64 // [stages][queries][support], cosines
	Columns          []string      // headings of other values of each query
	Cells            [][]string    // [queries][columns]
}

// Cases draws the structures of a case study, and below them a table of
// similarities.
func Cases(s CaseStudy) (Picture, error) {
	const stamp, caption, line = 1.15 * vg.Inch, 2.8 * textSize, 1.9 * textSize
	table := line * vg.Length(len(s.Queries)+2)
	return render(width, stamp+caption+table+4*margin, func(c draw.Canvas) {
		molecules := append(append([]CaseMolecule{}, s.Support...), s.Queries...)
		wide := (c.Max.X - c.Min.X) / vg.Length(len(molecules))
		for i, m := range molecules {
			left := c.Min.X + vg.Length(i)*wide
			m.draw(c, vg.Rectangle{Min: vg.Point{X: left + 3, Y: c.Max.Y - stamp - caption}, Max: vg.Point{X: left + wide - 3, Y: c.Max.Y}}, caption)
		}
		s.table(c, vg.Point{X: c.Min.X, Y: c.Min.Y + table}, line)
	})
}

func (m CaseMolecule) draw(c draw.Canvas, box vg.Rectangle, caption vg.Length) {
	style := face(textSize)
	style.XAlign = text.XCenter
	middle := (box.Min.X + box.Max.X) / 2
	c.FillText(style, vg.Point{X: middle, Y: box.Min.Y + caption - 1.2*textSize}, m.Name)
	style.Color = Kind{Active: m.Active}.colour()
	c.FillText(style, vg.Point{X: middle, Y: box.Min.Y + caption - 2.4*textSize}, fitting(style, m.Note, box.Size().X))
	box.Min.Y += caption
	m.Structure.draw(c, box)
}

// table writes the numbers; at is the upper left corner.
func (s CaseStudy) table(c draw.Canvas, at vg.Point, line vg.Length) {
	const first = 0.6 * vg.Inch
	style := face(textSize)
	style.XAlign, style.YAlign = text.XCenter, text.YCenter
	columns := len(s.Stages)*len(s.Support) + len(s.Columns)
	cell := (c.Max.X - c.Min.X - first) / vg.Length(columns)
	place := func(row, from, to int) vg.Rectangle {
		return vg.Rectangle{
			Min: vg.Point{X: at.X + first + vg.Length(from)*cell, Y: at.Y - vg.Length(row+1)*line},
			Max: vg.Point{X: at.X + first + vg.Length(to)*cell, Y: at.Y - vg.Length(row)*line},
		}
	}
	write := func(box vg.Rectangle, words string) {
		c.FillText(style, middle(box), fitting(style, words, box.Size().X-2))
	}
	for k, stage := range s.Stages {
		from := k * len(s.Support)
		write(place(0, from, from+len(s.Support)), stage)
		for j, m := range s.Support {
			write(place(1, from+j, from+j+1), m.Name)
		}
	}
	for k, name := range s.Columns {
		from := len(s.Stages)*len(s.Support) + k
		write(place(1, from, from+1), name)
	}
	for q, m := range s.Queries {
		row := place(q+2, 0, columns)
		c.FillText(style, vg.Point{X: at.X + first/2, Y: (row.Min.Y + row.Max.Y) / 2}, m.Name)
		for k := range s.Stages {
			for j, v := range s.Similarity[k][q] {
				box := place(q+2, k*len(s.Support)+j, k*len(s.Support)+j+1)
				box.Min.X, box.Max.X, box.Min.Y = box.Min.X+1, box.Max.X-1, box.Min.Y+1
				fill(c, box, Cosine.colour(v))
				style.Color = Cosine.ink(v)
				write(box, fmt.Sprintf("%.3f", v))
				style.Color = face(textSize).Color
			}
		}
		for k, words := range s.Cells[q] {
			from := len(s.Stages)*len(s.Support) + k
			write(place(q+2, from, from+1), words)
		}
	}
}
