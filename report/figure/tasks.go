package figure

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// TasksMost is the maximum number of tasks in a figure: each has a line.
const TasksMost = 24

// A Series is a figure for each task.
type Series struct {
	Name, After string  // in the legend; only Name may be shortened
	Points      []Point // in the order of the tasks; a mean of NaN is not drawn
}

// Tasks draws a measure of test tasks, the first task on top: the mean over seeds as a
// point, and each seed as a ring.
func Tasks(m Measure, tasks []string, all []Series) (Picture, error) {
	p, l := newPlot("test "+m.Name, ""), newLegend()
	rows(p, tasks, nil)
	lowest, highest := m.Chance, m.Chance
	for i, s := range all {
		places := points{across: true}
		for k, v := range s.Points {
			if math.IsNaN(v.Mean) {
				continue
			}
			// The series of a task are below each other, within half of its line.
			shift := 0.25 - 0.5*float64(i)/float64(max(1, len(all)-1))
			if len(all) == 1 {
				shift = 0
			}
			places.add(rowOf(tasks, k)+shift, v)
			lowest, highest = v.reach(lowest, highest)
		}
		if len(places.all) > 0 {
			l.add(s.Name, s.After, places.onto(p, glyphOf(i, 2.5)))
		}
	}
	p.X.Min, p.X.Max = m.axis(lowest, highest)
	chance(p, l, m)
	return picture(p, l, rowsHigh(tasks, max(0.2, 0.1*float64(len(all)))))
}

func rowOf(tasks []string, k int) float64 { return float64(len(tasks) - 1 - k) }

// rows labels the vertical axis with the names of tasks; after, which may be nil, follows the names.
func rows(p *sheet, tasks, after []string) {
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

// Depths draws the distribution of depths over each task's queries: a bar for each task, with a colour for each
// depth from 1 and the number of queries.
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
		l.add(fmt.Sprintf("depth %d", depth+1), "", bars)
	}
	p.X.Min, p.X.Max = 0, 100
	p.Y.Min, p.Y.Max = -0.5, float64(len(tasks))-0.5
	return picture(p, l, rowsHigh(tasks, 0.24))
}
