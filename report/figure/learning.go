package figure

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// A Curve holds the figures of runs that differ in their seeds, at the episodes at
// which all of them were measured.
type Curve struct {
	Episodes        []int // none: it is not drawn
	Mean            []float64
	Lowest, Highest []float64
	Chosen          []Step // the model of each seed that was chosen
}

// A Step is a place on the curve of one seed.
type Step struct {
	Episode int
	Value   float64
}

// A Panel is one of several plots over the same episodes.
type Panel struct {
	Name      string   // of the vertical axis
	Measure   *Measure // nil: the axis has any range, and is logarithmic where a loss explodes
	Curves    []Curve  // as many as there are names
	Published []Published
}

// Published is a level to compare with.
type Published struct {
	Name  string
	Value float64
}

// A Name is a line of a legend.
type Name struct{ Name, After string } // only Name may be shortened

// panelHigh is the height of a panel.
const panelHigh = 2.1 * vg.Inch

// Learning draws panels below each other, with one legend of their curves: the mean
// over seeds, and between the lowest and the highest seed a band. A triangle is the
// model of a seed that was chosen.
func Learning(names []Name, panels []Panel) (Picture, error) {
	l := newLegend()
	thumbs := make([][]plot.Thumbnailer, len(names))
	var plots []*plot.Plot
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
			curve, dots, err := c.onto(p, palette[i%len(palette)])
			if err != nil {
				return Picture{}, err
			}
			if thumbs[i] == nil {
				thumbs[i] = []plot.Thumbnailer{curve, dots}
			}
			if marks, err := c.mark(p, palette[i%len(palette)]); err != nil {
				return Picture{}, err
			} else if marks != nil {
				chosen = marks
			}
		}
		for i, v := range panel.Published {
			f := level(v.Value, []vg.Length{4, 2 + 3*vg.Length(i)}) // the second has wider gaps
			p.Add(f)
			levels = append(levels, func() { l.add(v.Name, "", f) })
			p.Y.Min, p.Y.Max = min(p.Y.Min, v.Value), max(p.Y.Max, v.Value)
		}
		panel.scale(p)
		plots, heights = append(plots, p), append(heights, panelHigh)
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
	return stacked(plots, heights, l, width)
}

// scale gives the vertical axis round ends with some air, so that no curve lies on the
// frame.
func (panel Panel) scale(p *plot.Plot) {
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

func sameEpisodes(plots []*plot.Plot) {
	last := 0.0
	for _, p := range plots {
		last = max(last, p.X.Max)
	}
	for _, p := range plots {
		p.X.Min, p.X.Max = 0, last
	}
}

func (c Curve) onto(p *plot.Plot, colour color.RGBA) (*plotter.Line, *plotter.Scatter, error) {
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
		if err != nil {
			return nil, nil, err
		}
		area.Color = color.NRGBA{colour.R, colour.G, colour.B, 45}
		area.Width = 0
		p.Add(area)
	}
	curve, err := line(mean, colour)
	if err != nil {
		return nil, nil, err
	}
	dots, err := plotter.NewScatter(mean)
	if err != nil {
		return nil, nil, err
	}
	const few = 40 // more dots could not be distinguished
	dots.Color, dots.Radius, dots.Shape = colour, 1.8, draw.CircleGlyph{}
	if p.Add(curve); len(mean) <= few {
		p.Add(dots)
	}
	return curve, dots, nil
}

// mark draws the chosen models; nil where there are none.
func (c Curve) mark(p *plot.Plot, colour color.RGBA) (*plotter.Scatter, error) {
	if len(c.Chosen) == 0 {
		return nil, nil
	}
	places := make(plotter.XYs, len(c.Chosen))
	for i, s := range c.Chosen {
		places[i] = plotter.XY{X: float64(s.Episode), Y: s.Value}
	}
	var legend *plotter.Scatter
	for _, g := range []draw.GlyphStyle{
		{Color: colour, Radius: 4, Shape: draw.PyramidGlyph{}}, {Color: color.Black, Radius: 4, Shape: draw.TriangleGlyph{}},
	} {
		marks, err := plotter.NewScatter(places)
		if err != nil {
			return nil, err
		}
		marks.GlyphStyle = g
		p.Add(marks)
		legend = marks
	}
	return legend, nil
}
