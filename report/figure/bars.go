package figure

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

func sorted(values []float64) []float64 {
	values = slices.Clone(values)
	slices.Sort(values)
	return values
}

// BarsMost is how many bars one figure takes.
const BarsMost = 12

// Bars draws figures as bars with one standard deviation to both sides, and their
// numbers in per cent. The axis begins at zero where that means something.
func Bars(m Measure, all []Level) (Picture, error) {
	p := newPlot("", "test "+m.Name)
	values := make(plotter.Values, len(all))
	var e yErrorPoints
	numbers := plotter.XYLabels{XYs: make(plotter.XYs, len(all)), Labels: make([]string, len(all))}
	marks := make(plot.ConstantTicks, len(all))
	low, high := math.Inf(1), math.Inf(-1)
	room := (width - 1.2*vg.Inch) / vg.Length(len(all))
	for i, v := range all {
		d := finite(v.Deviation)
		values[i] = v.Mean
		e.add(plotter.XY{X: float64(i), Y: v.Mean}, v.Deviation)
		top := v.Mean + d
		if m.Zero {
			top = max(top, 0) // a bar below zero begins there
		}
		numbers.XYs[i], numbers.Labels[i] = plotter.XY{X: float64(i), Y: top}, fmt.Sprintf("%.2f", 100*v.Mean)
		marks[i] = plot.Tick{Value: float64(i), Label: fitting(p.X.Tick.Label, v.Name, room)}
		low, high = min(low, v.Mean-d), max(high, v.Mean+d)
	}
	bars, err := plotter.NewBarChart(values, min(0.6*vg.Inch, 0.6*room))
	if err != nil {
		return Picture{}, err
	}
	bars.Color, bars.LineStyle.Width = palette[4], 0
	labels, err := plotter.NewLabels(numbers)
	if err != nil {
		return Picture{}, err
	}
	for i := range labels.TextStyle {
		labels.TextStyle[i] = face(textSize)
		labels.TextStyle[i].XAlign, labels.TextStyle[i].YAlign = text.XCenter, text.YBottom
	}
	labels.Offset.Y = 2
	p.Add(bars)
	if err := e.onto(p, color.Black, 9); err != nil {
		return Picture{}, err
	}
	p.Add(labels)
	p.X.Tick.Marker, p.X.Tick.Length = marks, 0
	if m.Zero {
		low, high = min(low, 0), max(high, 0)
		if p.Y.Min, p.Y.Max = round(low, high+0.1*(high-low)); low == 0 {
			p.Y.Min = 0
		}
	} else {
		p.Y.Min, p.Y.Max = round(low-0.25*(high-low), high+0.1*(high-low))
	}
	p.X.Min, p.X.Max = -0.6, float64(len(all))-0.4
	return picture(p, nil, width, 3*vg.Inch)
}
