package figure

import (
	"fmt"
	"math"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
)

// LevelsMost is the maximum number of levels in a figure.
const LevelsMost = 12

// A Level is a figure for something that has no place on an axis.
type Level struct {
	Name string
	Point
}

// Levels draws figures on a line each, with their numbers in per
// cent. They are points, not bars: an axis of ROC-AUCs does not begin at zero, so the
// length of a bar would be meaningless.
func Levels(m Measure, all []Level) (Picture, error) {
	p := newPlot("test "+m.Name, "")
	names, number := make([]string, len(all)), make([]string, len(all))
	for i, v := range all {
		names[i], number[i] = v.Name, fmt.Sprintf("%.2f", 100*v.Mean)
	}
	rows(p, names, nil)
	places := points{across: true}
	numbers := plotter.XYLabels{Labels: number}
	low, high := m.Chance, m.Chance
	if m.Chance > 0 {
		low, high = math.Inf(1), math.Inf(-1) // without chance, which may be far away
	}
	for i, v := range all {
		places.add(rowOf(names, i), v.Point)
		numbers.XYs = append(numbers.XYs, plotter.XY{X: v.Mean, Y: rowOf(names, i)})
		low, high = v.reach(low, high)
	}
	p.X.Min, p.X.Max = m.axis(low, high)
	places.onto(p, glyphOf(0, 3.5))
	labels, err := plotter.NewLabels(numbers)
	if err != nil {
		return Picture{}, err
	}
	for i := range labels.TextStyle {
		labels.TextStyle[i] = face(textSize)
		labels.TextStyle[i].XAlign, labels.TextStyle[i].YAlign = text.XCenter, text.YBottom
	}
	labels.Offset.Y = 4
	p.Add(labels)
	var l *legend
	if m.Chance >= p.X.Min && m.Chance <= p.X.Max {
		l = newLegend()
		chance(p, l, m)
	}
	return picture(p, l, rowsHigh(names, 0.42))
}

// chance draws the level of random ranking as a vertical line.
func chance(p *sheet, l *legend, m Measure) {
	l.add("chance", "", p.line(plotter.XYs{{X: m.Chance, Y: p.Y.Min}, {X: m.Chance, Y: p.Y.Max}}, 1, grey, 4, 3))
}
