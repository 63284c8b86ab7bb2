package figure

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"
)

// A Point is a figure of runs that differ only in their seeds.
type Point struct {
	Mean      float64   // over the seeds
	Low, High float64   // ends of its interval; may be NaN
	Seeds     []float64 // values of the seeds
}

// At returns a point with a single value.
func At(v float64) Point { return Point{Mean: v, Low: math.NaN(), High: math.NaN()} }

// reach widens a range so that it includes the whole point.
func (v Point) reach(low, high float64) (from, to float64) {
	for _, x := range append([]float64{v.Mean, v.Low, v.High}, v.Seeds...) {
		if !math.IsNaN(x) {
			low, high = min(low, x), max(high, x)
		}
	}
	return low, high
}

// points are points with their places in a plot.
type points struct {
	plotter.XYs // of the means
	all         []Point
	across      bool // the values are on the horizontal axis
}

func (p *points) add(at float64, v Point) {
	place := plotter.XY{X: at, Y: v.Mean}
	if p.across {
		place.X, place.Y = place.Y, place.X
	}
	p.XYs, p.all = append(p.XYs, place), append(p.all, v)
}

// onto draws seeds, intervals and means, the means with glyph.
func (p points) onto(on *sheet, glyph draw.GlyphStyle) *plotter.Scatter {
	var seeds plotter.XYs
	for i, v := range p.all {
		if !math.IsNaN(v.Low) {
			on.line(plotter.XYs{p.at(i, v.Low), p.at(i, v.High)}, 1, glyph.Color)
		}
		if len(v.Seeds) > 1 {
			for _, s := range v.Seeds {
				seeds = append(seeds, p.at(i, s))
			}
		}
	}
	if len(seeds) > 0 {
		// White inside, so that rings are visible on the line of an interval.
		on.scatter(seeds, draw.GlyphStyle{Color: color.White, Radius: 1.7, Shape: draw.CircleGlyph{}})
		on.scatter(seeds, draw.GlyphStyle{Color: faded(glyph.Color, 170), Radius: 1.7, Shape: draw.RingGlyph{}})
	}
	return on.scatter(p.XYs, glyph)
}

// at returns the place of a value of point i.
func (p points) at(i int, v float64) plotter.XY {
	if p.across {
		return plotter.XY{X: v, Y: p.XYs[i].Y}
	}
	return plotter.XY{X: p.XYs[i].X, Y: v}
}
