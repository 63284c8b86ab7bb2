package figure

import (
	"image/color"
	"slices"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// A Curve is what runs that differ in their seeds reached at the episodes at which
// all of them were measured.
type Curve struct {
	Name, After     string // in the legend; only Name may be shortened
	Episodes        []int
	Mean            []float64 // over the seeds
	Lowest, Highest []float64
}

// Published is a level to compare with.
type Published struct {
	Name  string
	Value float64
}

// Learning draws a measure over episodes: the mean, and between the lowest and the
// highest seed a band.
func Learning(measure string, curves []Curve, published []Published) (Picture, error) {
	p, l := newPlot("episode", measure), newLegend()
	for i, c := range curves {
		colour := palette[i%len(palette)]
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
				return Picture{}, err
			}
			area.Color = color.NRGBA{colour.R, colour.G, colour.B, 45}
			area.Width = 0
			p.Add(area)
		}
		curve, err := line(mean, colour)
		if err != nil {
			return Picture{}, err
		}
		dots, err := plotter.NewScatter(mean)
		if err != nil {
			return Picture{}, err
		}
		dots.Color, dots.Radius = colour, 1.5
		p.Add(curve, dots)
		l.add(width, c.Name, c.After, curve, dots)
	}
	for i, v := range published {
		f := level(v.Value, []vg.Length{4, 2 + 3*vg.Length(i)}) // the second has wider gaps
		p.Add(f)
		l.add(width, v.Name, "", f)
		p.Y.Min, p.Y.Max = min(p.Y.Min, v.Value), max(p.Y.Max, v.Value)
	}
	p.X.Min = 0
	// Round ends with some air, so that no curve lies on the frame.
	p.Y.Min, p.Y.Max = round(p.Y.Min, p.Y.Max)
	return picture(p, l, width, 3.4*vg.Inch)
}
