package figure

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Node is a molecule of a relation graph.
type Node struct {
	Structure Structure
	Active    bool
}

// Graph is the relation graph of one query.
type Graph struct {
	Title   string
	Support []Node
	Query   Node
	Weights []float32 // [n, n] a_ij of the support and, last, the query; 0: no edge
}

// NodesMost is how many support molecules of a class a graph shows.
const NodesMost = 10

// Sizes of a graph: structures outside of a ring of nodes.
const (
	nodeWide, nodeHigh = 1.2 * vg.Inch, 0.74 * vg.Inch
	ringRadius         = 2.05 * vg.Inch
	nodeRadius         = 3.5
)

// DrawGraph draws the query in the middle, inactive support molecules on the left,
// active ones on the right. An edge is as wide and dark as the larger of a_ij and
// a_ji. Where a class has more than NodesMost, those nearest to the query are shown.
func DrawGraph(g Graph) (Picture, error) {
	shown := g.shown()
	most := 1
	for _, class := range shown {
		most = max(most, len(class))
	}
	ringHigh := max(2.2*vg.Inch, vg.Length(most)*nodeHigh)
	const title, foot = 2.2 * titleSize, 2.4 * textSize
	return render(width, ringHigh+title+foot+2*margin, func(c draw.Canvas) {
		c.FillText(face(titleSize), vg.Point{X: c.Min.X, Y: c.Max.Y - titleSize}, fitting(face(titleSize), g.Title, c.Max.X-c.Min.X))
		centre := vg.Point{X: (c.Min.X + c.Max.X) / 2, Y: c.Min.Y + foot + ringHigh/2}
		at := map[int]vg.Point{len(g.Support): centre}
		for side, class := range shown {
			for k, i := range class {
				at[i] = onRing(centre, ringHigh, side, k, len(class))
			}
		}
		low, high := g.edges(c, at)
		for side, class := range shown {
			for _, i := range class {
				g.node(c, i, at[i], side)
			}
		}
		g.query(c, centre)
		g.foot(c, low, high)
	})
}

// shown are the support molecules that are drawn, inactive and active, in order.
func (g Graph) shown() (classes [2][]int) {
	n := len(g.Support)
	near := func(i int) float32 { return max(g.Weights[n*(n+1)+i], g.Weights[i*(n+1)+n]) }
	for i, s := range g.Support {
		side := 0
		if s.Active {
			side = 1
		}
		classes[side] = append(classes[side], i)
	}
	for side, class := range classes {
		if len(class) > NodesMost {
			slices.SortStableFunc(class, func(i, j int) int { return -cmp.Compare(near(i), near(j)) })
			class = class[:NodesMost]
			slices.Sort(class)
		}
		classes[side] = class
	}
	return classes
}

// onRing places molecule k of n evenly along the height, on half an ellipse.
func onRing(centre vg.Point, high vg.Length, side, k, n int) vg.Point {
	y := float64(high) * (0.5 - (float64(k)+0.5)/float64(n))
	x := float64(ringRadius) * math.Sqrt(max(0.12, 1-math.Pow(y/(0.53*float64(high)), 2)))
	if side == 0 {
		x = -x
	}
	return centre.Add(vg.Point{X: vg.Length(x), Y: vg.Length(y)})
}

// edges draws the edges between the nodes that are shown, weak ones first, and
// returns the smallest and the largest weight.
func (g Graph) edges(c draw.Canvas, at map[int]vg.Point) (low, high float64) {
	type edge struct {
		from, to int
		weight   float64
	}
	n := len(g.Support) + 1
	var all []edge
	for i := range n {
		for j := range i {
			_, a := at[i]
			_, b := at[j]
			if w := max(g.Weights[i*n+j], g.Weights[j*n+i]); w > 0 && a && b {
				all = append(all, edge{i, j, float64(w)})
			}
		}
	}
	slices.SortFunc(all, func(a, b edge) int {
		return cmp.Or(cmp.Compare(boolInt(a.from == n-1), boolInt(b.from == n-1)), cmp.Compare(a.weight, b.weight)) // the query's on top
	})
	low, high = math.Inf(1), 0
	for _, e := range all {
		low, high = min(low, e.weight), max(high, e.weight)
	}
	for _, e := range all {
		c.StrokeLine2(edgeStyle(e.weight, low, high, e.from == n-1), at[e.from].X, at[e.from].Y, at[e.to].X, at[e.to].Y)
	}
	return low, high
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// edgeStyle: black edges are the query's. Weights that are all but equal look so.
func edgeStyle(weight, low, high float64, query bool) draw.LineStyle {
	const least = 0.01 // of differences that are seen
	at := 1 - (high-weight)/max(high-low, least)
	shade := color.NRGBA{90, 110, 140, uint8(25 + 110*at)}
	if query {
		shade = color.NRGBA{0, 0, 0, uint8(70 + 185*at)}
	}
	return draw.LineStyle{Color: shade, Width: vg.Length(0.4 + 2.2*at)}
}

func (g Graph) node(c draw.Canvas, i int, at vg.Point, side int) {
	s := g.Support[i]
	box := vg.Rectangle{Min: vg.Point{X: at.X + 2*nodeRadius, Y: at.Y - nodeHigh/2 + 1}, Max: vg.Point{X: at.X + 2*nodeRadius + nodeWide, Y: at.Y + nodeHigh/2 - 1}}
	if side == 0 {
		box.Min.X, box.Max.X = at.X-2*nodeRadius-nodeWide, at.X-2*nodeRadius
	}
	s.Structure.draw(c, box)
	glyph := Kind{Active: s.Active}.glyph()
	glyph.Radius = nodeRadius
	c.DrawGlyph(glyph, at)
}

func (g Graph) query(c draw.Canvas, centre vg.Point) {
	half := vg.Point{X: 0.68 * vg.Inch, Y: 0.48 * vg.Inch}
	box := vg.Rectangle{Min: centre.Sub(half), Max: centre.Add(half)}
	fill(c, box, color.White)
	c.SetLineStyle(draw.LineStyle{Color: Kind{Active: g.Query.Active}.colour(), Width: 1.2})
	c.Stroke(box.Path())
	inner := vg.Point{X: 3, Y: 3}
	g.Query.Structure.draw(c, vg.Rectangle{Min: box.Min.Add(inner), Max: box.Max.Sub(inner)})
}

// foot says what colours and widths mean.
func (g Graph) foot(c draw.Canvas, low, high float64) {
	style := face(textSize)
	style.YAlign = text.YCenter
	at := vg.Point{X: c.Min.X + 5, Y: c.Min.Y + textSize}
	for _, active := range []bool{false, true} {
		glyph := Kind{Active: active}.glyph()
		glyph.Radius = nodeRadius
		c.DrawGlyph(glyph, at)
		name := Kind{Active: active}.String()
		c.FillText(style, at.Add(vg.Point{X: 8}), name)
		at.X += style.Width(name) + 26
	}
	if high == 0 {
		return
	}
	for _, w := range []float64{low, high} {
		c.StrokeLine2(edgeStyle(w, low, high, true), at.X, at.Y, at.X+thumbnail, at.Y)
		name := fmt.Sprintf("a = %.3f", w)
		c.FillText(style, at.Add(vg.Point{X: thumbnail + 5}), name)
		at.X += thumbnail + style.Width(name) + 20
	}
}
