package figure

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// A Path is one curve of points, with what its legend says.
type Path struct {
	Name, After string // in the legend; only Name may be shortened
	X, Y        []float64
}

// Reliability draws the share of actives over the predicted probability, with the
// diagonal on which they are the same.
func Reliability(paths []Path) (Picture, error) {
	diagonal, err := dashed()
	if err != nil {
		return Picture{}, err
	}
	return unit("predicted probability", "share of actives", paths, diagonal, "as predicted")
}

// ROC draws true positives over false positives.
func ROC(paths []Path) (Picture, error) {
	diagonal, err := dashed()
	if err != nil {
		return Picture{}, err
	}
	return unit("false positive rate", "true positive rate", paths, diagonal, "chance")
}

// dashed is the diagonal of the unit square.
func dashed() (*plotter.Line, error) {
	diagonal, err := line(plotter.XYs{{X: 0, Y: 0}, {X: 1, Y: 1}}, grey, 4, 3)
	if err != nil {
		return nil, err
	}
	diagonal.Width = 1
	return diagonal, nil
}

// PrecisionRecall draws precision over recall.
func PrecisionRecall(paths []Path) (Picture, error) {
	return unit("recall", "precision", paths, nil, "")
}

// square is the width of a figure of the unit square.
const square = 4.8 * vg.Inch

// unit draws curves in the unit square, and the diagonal with its name where there is one.
func unit(x, y string, paths []Path, diagonal *plotter.Line, name string) (Picture, error) {
	p, l := newPlot(x, y), newLegend()
	for i, path := range paths {
		points := make(plotter.XYs, 0, len(path.X))
		for k := range path.X {
			points = append(points, plotter.XY{X: path.X[k], Y: path.Y[k]})
		}
		curve, err := line(thinned(points), palette[i%len(palette)])
		if err != nil {
			return Picture{}, err
		}
		p.Add(curve)
		l.add(square, path.Name, path.After, curve)
	}
	if diagonal != nil {
		p.Add(diagonal)
		l.add(square, name, "", diagonal)
	}
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1, 0, 1.01
	return picture(p, l, square, square-0.4*vg.Inch)
}

// thinned leaves out points that lie where the one before them does, as far as
// an eye can tell: a task may have thousands of molecules.
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

// depthColour goes from light to dark with the depth.
func depthColour(depth, depths int) color.Color {
	at := 0.0
	if depths > 1 {
		at = float64(depth) / float64(depths-1)
	}
	mix := func(from, to float64) uint8 { return uint8(from + at*(to-from)) }
	return color.RGBA{mix(198, 8), mix(219, 48), mix(239, 107), 255}
}
