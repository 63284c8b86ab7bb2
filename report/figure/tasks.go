package figure

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// TasksMost is the number of tasks that one figure takes: each has a line.
const TasksMost = 24

// A Series is one figure for each task, with a deviation where there is one.
type Series struct {
	Name, After     string    // in the legend; only Name may be shortened
	Mean, Deviation []float64 // in the order of the tasks; NaN: none
}

var shapes = []draw.GlyphDrawer{draw.CircleGlyph{}, draw.SquareGlyph{}, draw.TriangleGlyph{}, draw.PyramidGlyph{}, draw.RingGlyph{}, draw.BoxGlyph{}}

// errorPoints are points with deviations along x.
type errorPoints struct {
	plotter.XYs
	deviation []float64
}

func (e errorPoints) XError(i int) (low, high float64) { return e.deviation[i], e.deviation[i] }

// Tasks draws a measure of test tasks as points with bars of one standard deviation,
// the first task on top.
func Tasks(m Measure, tasks []string, all []Series) (Picture, error) {
	p, l := newPlot("test "+m.Name, ""), newLegend()
	rows(p, tasks, nil)
	lowest, highest := m.Chance, m.Chance
	for i, s := range all {
		var places plotter.XYs
		var e errorPoints // those with a deviation
		for k, mean := range s.Mean {
			if math.IsNaN(mean) {
				continue
			}
			// The series of a task lie one below the other, within half of its line.
			shift := 0.25 - 0.5*float64(i)/float64(max(1, len(all)-1))
			if len(all) == 1 {
				shift = 0
			}
			place := plotter.XY{X: mean, Y: rowOf(tasks, k) + shift}
			places = append(places, place)
			d := finite(s.Deviation[k])
			if !math.IsNaN(s.Deviation[k]) {
				e.XYs, e.deviation = append(e.XYs, place), append(e.deviation, d)
			}
			lowest, highest = min(lowest, mean-d), max(highest, mean+d)
		}
		if len(places) == 0 {
			continue
		}
		if len(e.XYs) > 0 {
			bars, err := plotter.NewXErrorBars(e)
			if err != nil {
				return Picture{}, err
			}
			bars.Color, bars.Width, bars.CapWidth = palette[i%len(palette)], 1, 3
			p.Add(bars)
		}
		points, err := plotter.NewScatter(places)
		if err != nil {
			return Picture{}, err
		}
		points.Color, points.Radius, points.Shape = palette[i%len(palette)], 2.5, shapes[i%len(shapes)]
		p.Add(points)
		l.add(width, s.Name, s.After, points)
	}
	p.X.Min, p.X.Max = math.Floor(lowest*20-0.2)/20, min(1.02, math.Ceil(highest*20+0.2)/20)
	chance, err := line(plotter.XYs{{X: m.Chance, Y: p.Y.Min}, {X: m.Chance, Y: p.Y.Max}}, grey, 4, 3)
	if err != nil {
		return Picture{}, err
	}
	chance.Width = 1
	p.Add(chance)
	l.add(width, "chance", "", chance)
	return picture(p, l, width, rowsHigh(tasks, max(0.2, 0.1*float64(len(all)))))
}

// rowOf is the height of task k's line.
func rowOf(tasks []string, k int) float64 { return float64(len(tasks) - 1 - k) }

// rows makes the vertical axis one of tasks; after, if any, follows their names.
func rows(p *plot.Plot, tasks, after []string) {
	ticks := make(plot.ConstantTicks, len(tasks))
	for k, name := range tasks {
		ticks[k] = plot.Tick{Value: rowOf(tasks, k), Label: fitting(p.Y.Tick.Label, name, longName)}
		if after != nil {
			ticks[k].Label += after[k]
		}
	}
	p.Y.Tick.Marker = ticks
	p.Y.Tick.Length = 0
	p.Y.Min, p.Y.Max = -0.5, float64(len(tasks))-0.5
}

func rowsHigh(tasks []string, inches float64) vg.Length {
	return vg.Length(0.7+inches*float64(len(tasks))) * vg.Inch
}

// Depths draws which share of each task's queries was given which depth: one bar
// a task with so many queries, one colour a depth, from 1.
func Depths(tasks []string, queries []int, share [][]float64) (Picture, error) {
	p, l := newPlot("share of the query molecules (%)", ""), newLegend()
	after := make([]string, len(tasks))
	for k, n := range queries {
		after[k] = fmt.Sprintf(" (%d)", n)
	}
	rows(p, tasks, after)
	var below *plotter.BarChart
	for depth := range share[0] {
		values := make(plotter.Values, len(tasks))
		for k := range tasks {
			values[len(tasks)-1-k] = 100 * share[k][depth]
		}
		bars, err := plotter.NewBarChart(values, 0.16*vg.Inch)
		if err != nil {
			return Picture{}, err
		}
		bars.Horizontal, bars.Color, bars.LineStyle.Width = true, depthColour(depth, len(share[0])), 0
		if below != nil {
			bars.StackOn(below)
		}
		below = bars
		p.Add(bars)
		l.add(width, fmt.Sprintf("depth %d", depth+1), "", bars)
	}
	p.X.Min, p.X.Max = 0, 100
	p.Y.Min, p.Y.Max = -0.5, float64(len(tasks))-0.5
	return picture(p, l, width, rowsHigh(tasks, 0.24))
}
