package figure

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// A Ranked holds the curves of one task, with a point for each threshold.
type Ranked struct {
	Name, After    string // in the legend; only Name may be shortened
	FPR, TPR       []float64
	Precision      []float64 // at each of TPR; not drawn before the first active, where it is 0 or not defined
	Active         float64   // share of actives
	dashes         []vg.Length
	colour         color.Color
	roc, precision plotter.XYs
}

// Rankings draws the true positive rate over the false positive rate and, beside it, precision over
// recall. Dashed lines show random rankings: the diagonal, and the share of actives of each task.
func Rankings(all []Ranked) (Picture, error) {
	roc, pr, l := newPlot("false positive rate", "true positive rate"), newPlot("recall", "precision"), newLegend()
	diagonal := roc.line(plotter.XYs{{X: 0, Y: 0}, {X: 1, Y: 1}}, 1, grey, 4, 3)
	for i := range all {
		all[i].place(i)
		l.add(all[i].Name, all[i].After, all[i].onto(roc, pr))
	}
	l.add("at random: the diagonal, and the share of actives of each task in its colour", "", diagonal)
	for _, p := range []*sheet{roc, pr} {
		p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1, 0, 1.01
	}
	return beside(roc, pr, l, width/2)
}

// place computes the points of the curves, and sets the colour and dashes of curve i.
func (r *Ranked) place(i int) {
	r.colour = palette[i%len(palette)]
	if i >= len(palette) {
		r.dashes = []vg.Length{6, 2}
	}
	for k := range r.FPR {
		r.roc = append(r.roc, plotter.XY{X: r.FPR[k], Y: r.TPR[k]})
		if r.TPR[k] > 0 {
			r.precision = append(r.precision, plotter.XY{X: r.TPR[k], Y: r.Precision[k]})
		}
	}
}

func (r *Ranked) onto(roc, pr *sheet) *plotter.Line {
	curve := roc.line(thinned(r.roc), 1.2, r.colour, r.dashes...)
	pr.line(thinned(r.precision), 1.2, r.colour, r.dashes...)
	pr.line(plotter.XYs{{X: 0, Y: r.Active}, {X: 1, Y: r.Active}}, 0.8, r.colour, 4, 3)
	return curve
}

// square is the width of a figure with a single matrix.
const square = 4.8 * vg.Inch

// thinned leaves out points that are visually at the same place as the one before, because a task may have
// thousands of molecules.
func thinned(points plotter.XYs) plotter.XYs {
	const eye = 1.0 / 600
	kept := points[:0:0]
	for i, p := range points {
		if n := len(kept); n == 0 || i == len(points)-1 || math.Abs(p.X-kept[n-1].X) >= eye || math.Abs(p.Y-kept[n-1].Y) >= eye {
			kept = append(kept, p)
		}
	}
	return kept
}

func depthColour(depth, depths int) color.Color {
	at := 0.0
	if depths > 1 {
		at = float64(depth) / float64(depths-1)
	}
	mix := func(from, to float64) uint8 { return uint8(from + at*(to-from)) }
	return color.RGBA{mix(198, 8), mix(219, 48), mix(239, 107), 255}
}
