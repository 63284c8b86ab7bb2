package figure

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"pacia/metrics"
)

// A Reliable holds a model's predictions for molecules, by bins of probabilities.
type Reliable struct {
	Name, After string // in the legend; only Name may be shortened
	Bins        []metrics.Bin
}

// Reliability draws the share of actives over the predicted probability, with the
// diagonal of equal values, and below it the number of molecules in each bin.
func Reliability(all []Reliable) (Picture, error) {
	p, counts, l := newPlot("", "share of actives"), newPlot("predicted probability of being active (mean of a bin)", "molecules"), newLegend()
	diagonal := p.line(plotter.XYs{{X: 0, Y: 0}, {X: 1, Y: 1}}, 1, grey, 4, 3)
	most := 1.0
	for i, r := range all {
		shares, n := make(plotter.XYs, len(r.Bins)), make(plotter.XYs, len(r.Bins))
		for k, b := range r.Bins {
			shares[k], n[k] = plotter.XY{X: b.Probability, Y: b.Active}, plotter.XY{X: b.Probability, Y: float64(b.Molecules)}
			most = max(most, n[k].Y)
		}
		colour := faded(color.Color(palette[i%len(palette)]), 150)
		l.add(r.Name, r.After, p.line(shares, curveWidth, colour), p.scatter(shares, glyphOf(i, 2.5)))
		counts.line(n, curveWidth, colour)
		counts.scatter(n, glyphOf(i, 2.5))
	}
	l.add("as predicted", "", diagonal)
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1, 0, 1.01
	counts.X.Min, counts.X.Max = 0, 1
	counts.Y.Scale, counts.Y.Tick.Marker = plot.LogScale{}, decades{}
	counts.Y.Min, counts.Y.Max = 0.8, math.Pow(10, math.Ceil(math.Log10(most)+0.05))
	return stacked([]*sheet{p, counts}, []vg.Length{3.4 * vg.Inch, 1.7 * vg.Inch}, l)
}

// decades is a ticker at the powers of ten; only a few of them have a number.
type decades struct{}

// Ticks implements plot.Ticker.
func (decades) Ticks(low, high float64) (all []plot.Tick) {
	for e := math.Ceil(math.Log10(low) - 1e-9); e <= math.Log10(high)+1e-9; e++ {
		all = append(all, plot.Tick{Value: math.Pow(10, e), Label: tidy(math.Pow(10, e))})
	}
	every := (len(all) + 5) / 6
	for i := range all {
		if i%every != 0 {
			all[i].Label = ""
		}
	}
	return all
}
