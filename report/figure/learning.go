package figure

import (
	"cmp"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"pacia/internal/each"
)

// A Curve holds the figures of runs that differ only in their seeds, at the episodes at
// which all of them were measured.
type Curve struct {
	Episodes        []int // empty: the curve is not drawn
	Mean            []float64
	Lowest, Highest []float64
	Chosen          []Step // the chosen model of each seed
}

// A Step is a point on the curve of one seed.
type Step struct {
	Episode int
	Value   float64
}

// A Panel is one of several plots over the same episodes.
type Panel struct {
	Name      string   // of the vertical axis
	Low       bool     // two thirds as high as others
	Measure   *Measure // nil: the axis has any range, and is logarithmic if a loss explodes
	Curves    []Curve  // one for each name
	Published []Published
}

// Published is a value to compare with, drawn as a level.
type Published struct {
	Name  string // empty: it has no line in the legend
	Value float64
	Curve int // the level has the colour of this curve, from 1; 0: black
}

// A Name is the text of a line of a legend.
type Name struct{ Name, After string } // only Name may be shortened

// panelHigh is the height of a panel.
const panelHigh = 2.1 * vg.Inch

// Learning draws panels below each other with a common legend. A curve is the mean
// over seeds, with a band from the lowest to the highest seed. A triangle is the
// chosen model of a seed.
func Learning(names []Name, panels []Panel) (Picture, error) {
	l := newLegend()
	thumbs := make([][]plot.Thumbnailer, len(names))
	var plots []*sheet
	var heights []vg.Length
	var levels []func()
	var chosen *plotter.Scatter
	for at, panel := range panels {
		x := ""
		if at == len(panels)-1 {
			x = "episode"
		}
		p := newPlot(x, panel.Name)
		for i, c := range panel.Curves {
			if len(c.Episodes) == 0 {
				continue
			}
			curve, dots := c.onto(p, palette[i%len(palette)])
			if thumbs[i] == nil {
				thumbs[i] = []plot.Thumbnailer{curve, dots}
			}
			chosen = cmp.Or(c.mark(p, palette[i%len(palette)]), chosen)
		}
		levels = append(levels, panel.levels(p, l)...)
		panel.scale(p)
		high := panelHigh
		if panel.Low {
			high *= 2.0 / 3
		}
		plots, heights = append(plots, p), append(heights, high)
	}
	sameEpisodes(plots)
	for i, n := range names {
		if thumbs[i] != nil {
			l.add(n.Name, n.After, thumbs[i]...)
		}
	}
	if chosen != nil {
		l.add("the model that was chosen, of each seed", "", chosen)
	}
	for _, add := range levels {
		add()
	}
	return stacked(plots, heights, l)
}

// levels draws the values to compare with, and returns functions that add their lines to the legend.
func (panel Panel) levels(p *sheet, l *legend) (lines []func()) {
	for i, v := range panel.Published {
		dashes := []vg.Length{4, 2 + 3*vg.Length(i)} // the second has wider gaps
		if v.Curve > 0 {
			dashes = []vg.Length{1.5, 2}
		}
		f := p.level(v.Value, dashes)
		if v.Curve > 0 {
			f.Color = palette[(v.Curve-1)%len(palette)]
		}
		if v.Name != "" {
			lines = append(lines, func() { l.add(v.Name, "", f) })
		}
		p.Y.Min, p.Y.Max = min(p.Y.Min, v.Value), max(p.Y.Max, v.Value)
	}
	return lines
}

// scale sets round ends of the vertical axis with a margin, so that no curve touches the
// frame.
func (panel Panel) scale(p *sheet) {
	low, high := p.Y.Min, p.Y.Max
	switch {
	case panel.Measure != nil:
		p.Y.Min, p.Y.Max = panel.Measure.axis(low, high)
	case low > 0 && high > 20*low:
		p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, decades{}
		p.Y.Min, p.Y.Max = math.Pow(10, math.Floor(math.Log10(low))), math.Pow(10, math.Ceil(math.Log10(high)))
	default:
		p.Y.Min, p.Y.Max = round(low, high)
	}
}

func sameEpisodes(plots []*sheet) {
	last := 0.0
	for _, p := range plots {
		last = max(last, p.X.Max)
	}
	for _, p := range plots {
		p.X.Min, p.X.Max = 0, last
	}
}

func (c Curve) onto(p *sheet, colour color.RGBA) (*plotter.Line, *plotter.Scatter) {
	mean := make(plotter.XYs, len(c.Episodes))
	var band plotter.XYs
	for k, e := range c.Episodes {
		mean[k] = plotter.XY{X: float64(e), Y: c.Mean[k]}
		band = append(band, plotter.XY{X: float64(e), Y: c.Lowest[k]})
	}
	for k := range slices.Backward(c.Episodes) {
		band = append(band, plotter.XY{X: float64(c.Episodes[k]), Y: c.Highest[k]})
	}
	if len(c.Episodes) > 1 {
		area, err := plotter.NewPolygon(band)
		if err == nil {
			area.Color, area.Width = color.NRGBA{colour.R, colour.G, colour.B, 45}, 0
		}
		drawn(p, area, err)
	}
	curve := p.line(mean, curveWidth, colour)
	const few = 40 // more dots could not be distinguished
	dots := &plotter.Scatter{GlyphStyle: draw.GlyphStyle{Color: colour, Radius: 1.8, Shape: draw.CircleGlyph{}}}
	if len(mean) <= few {
		dots = p.scatter(mean, dots.GlyphStyle)
	}
	return curve, dots
}

// mark draws the chosen models. It returns nil if there are none.
func (c Curve) mark(p *sheet, colour color.RGBA) *plotter.Scatter {
	if len(c.Chosen) == 0 {
		return nil
	}
	places := each.Of(c.Chosen, func(s Step) plotter.XY { return plotter.XY{X: float64(s.Episode), Y: s.Value} })
	p.scatter(places, draw.GlyphStyle{Color: colour, Radius: 4, Shape: draw.PyramidGlyph{}})
	return p.scatter(places, draw.GlyphStyle{Color: color.Black, Radius: 4, Shape: draw.TriangleGlyph{}})
}
