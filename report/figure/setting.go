package figure

import (
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// A Response is what was reached at values of a setting.
type Response struct {
	Name            string
	X               []float64
	Mean, Deviation []float64 // NaN: no deviation
}

// A Level is what was reached by something that has no such setting.
type Level struct {
	Name            string
	Mean, Deviation float64
}

type yErrorPoints struct {
	plotter.XYs
	deviation []float64
}

func (e yErrorPoints) YError(i int) (low, high float64) { return e.deviation[i], e.deviation[i] }

// add adds a point that has a deviation.
func (e *yErrorPoints) add(at plotter.XY, deviation float64) {
	if !math.IsNaN(deviation) {
		e.XYs, e.deviation = append(e.XYs, at), append(e.deviation, deviation)
	}
}

// onto draws the deviations, if there are any.
func (e yErrorPoints) onto(p *plot.Plot, c color.Color, capWidth vg.Length) error {
	if len(e.XYs) == 0 {
		return nil
	}
	bars, err := plotter.NewYErrorBars(e)
	if err != nil {
		return err
	}
	bars.Color, bars.Width, bars.CapWidth = c, 1, capWidth
	p.Add(bars)
	return nil
}

// Setting draws means and standard deviations over a setting, one line for each
// response. Where its values span more than a factor of thirty, their logarithm is
// drawn.
func Setting(setting, measure string, lines []Response, levels []Level) (Picture, error) {
	p, l := newPlot(setting, measure), newLegend()
	x := axisOf(lines)
	low, high := math.Inf(1), math.Inf(-1)
	for i, r := range lines {
		colour := palette[i%len(palette)]
		var points plotter.XYs
		var e yErrorPoints
		for k, mean := range r.Mean {
			d := finite(r.Deviation[k])
			at := plotter.XY{X: x.place(r.X[k]), Y: mean}
			points = append(points, at)
			e.add(at, r.Deviation[k])
			low, high = min(low, mean-d), max(high, mean+d)
		}
		curve, err := line(points, colour)
		if err != nil {
			return Picture{}, err
		}
		marks, err := plotter.NewScatter(points)
		if err != nil {
			return Picture{}, err
		}
		marks.Color, marks.Radius, marks.Shape = colour, 3, shapes[i%len(shapes)]
		p.Add(curve)
		if err := e.onto(p, colour, 5); err != nil {
			return Picture{}, err
		}
		p.Add(marks)
		l.add(width, r.Name, "", curve, marks)
	}
	for i, v := range levels {
		f := level(v.Mean, []vg.Length{4, 2 + 3*vg.Length(i)})
		p.Add(f)
		l.add(width, v.Name, "", f)
		low, high = min(low, v.Mean), max(high, v.Mean)
	}
	x.onto(p)
	p.Y.Min, p.Y.Max = round(low, high)
	return picture(p, l, width, 3.2*vg.Inch)
}

// round gives ends with some air.
func round(low, high float64) (from, to float64) {
	step := 0.05
	switch {
	case high-low < 0.04:
		step = 0.01
	case high-low < 0.1:
		step = 0.02
	}
	return math.Floor(low/step-0.2) * step, math.Ceil(high/step+0.2) * step
}

func finite(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return v
}

// settingAxis has a tick at each value that was used.
type settingAxis struct {
	values []float64
	log    bool
}

func axisOf(lines []Response) (x settingAxis) {
	seen := map[float64]bool{}
	for _, r := range lines {
		for _, v := range r.X {
			if !seen[v] {
				seen[v] = true
				x.values = append(x.values, v)
			}
		}
	}
	low, high := ends(x.values)
	x.log = low > 0 && high/low > 30
	return x
}

func (x settingAxis) place(v float64) float64 {
	if x.log {
		return math.Log10(v)
	}
	return v
}

func (x settingAxis) onto(p *plot.Plot) {
	var marks plot.ConstantTicks
	low, high := ends(x.values)
	low, high = x.place(low), x.place(high)
	last := math.Inf(-1)
	for _, v := range sorted(x.values) {
		mark := plot.Tick{Value: x.place(v)}
		if at := x.place(v); at-last > 0.04*(high-low) || len(marks) == 0 { // names do not touch
			mark.Label, last = strconv.FormatFloat(v, 'g', -1, 64), at
		}
		marks = append(marks, mark)
	}
	p.X.Tick.Marker = marks
	air := 0.05 * (high - low)
	if air == 0 {
		air = 0.5
	}
	p.X.Min, p.X.Max = low-air, high+air
}
