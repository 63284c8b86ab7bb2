package figure

import (
	"cmp"
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
	Name      string // x3, q1
}

// Graph is the relation graph of one query.
type Graph struct {
	Title   string
	Support []Node
	Query   Node
	Weights []float32 // [n, n] a_ij of the support molecules and, last, the query; 0: no edge
}

// NodesMost is the maximum number of support molecules of a class that a graph shows.
const NodesMost = 10

// Sizes of a graph, which has structures outside a ring of nodes.
const (
	nodeWide, nodeHigh = 1.2 * vg.Inch, 0.74 * vg.Inch
	ringRadius         = 2.05 * vg.Inch
	nodeRadius         = 3.5
)

// DrawGraph draws the query in the middle, inactive support molecules on the left,
// active ones on the right. The width of an edge is the larger of a_ij and a_ji, on the same
// scale from 0 to 1 in all graphs. If a class has more than NodesMost molecules, those nearest to the query are
// shown.
func DrawGraph(g Graph) (Picture, error) {
	shown := g.shown()
	most := 1
	for _, class := range shown {
		most = max(most, len(class))
	}
	ringHigh := max(2.2*vg.Inch, vg.Length(most)*nodeHigh)
	const title, foot = 2.2 * titleSize, 4.2 * textSize
	return render(width, ringHigh+title+foot+2*margin, func(c draw.Canvas) {
		c.FillText(face(titleSize), vg.Point{X: c.Min.X, Y: c.Max.Y - titleSize}, fitting(face(titleSize), g.Title, c.Max.X-c.Min.X))
		centre := vg.Point{X: (c.Min.X + c.Max.X) / 2, Y: c.Min.Y + foot + ringHigh/2}
		at := map[int]vg.Point{len(g.Support): centre}
		for side, class := range shown {
			for k, i := range class {
				at[i] = onRing(centre, ringHigh, side, k, len(class))
			}
		}
		g.edges(c, at)
		for side, class := range shown {
			for _, i := range class {
				g.node(c, i, at[i], side)
			}
		}
		g.query(c, centre)
		g.foot(c)
	})
}

// shown returns the inactive and the active support molecules that are drawn, in order.
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

// QueryEnds returns the smallest and the largest weight of the query's edges; ok is false
// if it has none.
func (g Graph) QueryEnds() (low, high float64, ok bool) {
	n := len(g.Support)
	low, high = math.Inf(1), 0
	for i := range g.Support {
		if w := float64(max(g.Weights[n*(n+1)+i], g.Weights[i*(n+1)+n])); w > 0 {
			low, high, ok = min(low, w), max(high, w), true
		}
	}
	return low, high, ok
}

// onRing returns the place of molecule k of n on half an ellipse, evenly spaced in height.
func onRing(centre vg.Point, high vg.Length, side, k, n int) vg.Point {
	y := float64(high) * (0.5 - (float64(k)+0.5)/float64(n))
	x := float64(ringRadius) * math.Sqrt(max(0.12, 1-math.Pow(y/(0.53*float64(high)), 2)))
	if side == 0 {
		x = -x
	}
	return centre.Add(vg.Point{X: vg.Length(x), Y: vg.Length(y)})
}

// edges draws the edges between the shown nodes in ascending order of weight.
func (g Graph) edges(c draw.Canvas, at map[int]vg.Point) {
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
	for _, e := range all {
		c.StrokeLine2(edgeStyle(e.weight, e.from == n-1), at[e.from].X, at[e.from].Y, at[e.to].X, at[e.to].Y)
	}
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// edgeStyle returns the style of an edge. Its width grows with the weight, from 0 to 1. The query's edges are
// black, those between support molecules are faint.
func edgeStyle(weight float64, query bool) draw.LineStyle {
	const least, most = 0.25, 5.0 // points
	style := draw.LineStyle{Color: color.NRGBA{90, 130, 180, 90}, Width: vg.Length(least + (most-least)*min(1, max(0, weight)))}
	if query {
		style.Color = color.NRGBA{0, 0, 0, 220}
	}
	return style
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
	label(c, at.Add(vg.Point{Y: nodeRadius + 1}), s.Name)
}

// label writes a name above a place, on a background of its own.
func label(c draw.Canvas, at vg.Point, name string) {
	if name == "" {
		return
	}
	style := face(textSize - 1)
	style.XAlign, style.YAlign = text.XCenter, text.YBottom
	fill(c, style.Rectangle(name).Add(at), color.NRGBA{255, 255, 255, 200})
	c.FillText(style, at, name)
}

func (g Graph) query(c draw.Canvas, centre vg.Point) {
	half := vg.Point{X: 0.68 * vg.Inch, Y: 0.48 * vg.Inch}
	box := vg.Rectangle{Min: centre.Sub(half), Max: centre.Add(half)}
	fill(c, box, color.White)
	c.SetLineStyle(draw.LineStyle{Color: Kind{Active: g.Query.Active}.colour(), Width: 1.2})
	c.Stroke(box.Path())
	inner := vg.Point{X: 3, Y: 3}
	g.Query.Structure.draw(c, vg.Rectangle{Min: box.Min.Add(inner), Max: box.Max.Sub(inner)})
	label(c, vg.Point{X: centre.X, Y: box.Max.Y + 2}, g.Query.Name)
}

func (g Graph) foot(c draw.Canvas) {
	style := face(textSize)
	style.YAlign = text.YCenter
	at := vg.Point{X: c.Min.X + 5, Y: c.Min.Y + 2.8*textSize}
	write := func(name string) {
		c.FillText(style, at, name)
		at.X += style.Width(name) + 16
	}
	sample := func(weight float64, query bool, name string) {
		c.StrokeLine2(edgeStyle(weight, query), at.X, at.Y, at.X+thumbnail, at.Y)
		at.X += thumbnail + 5
		write(name)
	}
	for _, active := range []bool{false, true} {
		glyph := Kind{Active: active}.glyph()
		glyph.Radius = nodeRadius
		c.DrawGlyph(glyph, at)
		at.X += 8
		write(Kind{Active: active}.String())
	}
	sample(0.3, true, "edge of the query")
	sample(0.3, false, "edge between support molecules")
	at = vg.Point{X: c.Min.X, Y: c.Min.Y + textSize}
	write("width of an edge, in every graph:")
	for _, weight := range []float64{0.05, 0.1, 0.25, 0.5, 1} {
		sample(weight, true, "a = "+tidy(weight))
	}
}
