package figure

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// A Response holds figures at values of a setting.
type Response struct {
	Name   string
	X      []float64
	Points []Point // at each of X
}

// A SettingAxis is the axis of a setting.
type SettingAxis struct {
	Name string
	Rate bool // its values differ by factors: the axis is logarithmic
}

// Setting draws figures over a setting, with a line for each response. The
// axis is logarithmic for rates, and if the values span more than a factor of
// thirty. Where there are several responses, they stand beside each other at a
// value, so that no interval hides another.
func Setting(setting SettingAxis, name string, m Measure, lines []Response, levels []Level) (Picture, error) {
	p, l := newPlot(setting.Name, name), newLegend()
	x := axisOf(lines, setting.Rate)
	low, high := math.Inf(1), math.Inf(-1)
	for i, r := range lines {
		var places points
		for k, v := range r.Points {
			places.add(x.place(r.X[k])+x.aside(i, len(lines)), v)
			low, high = v.reach(low, high)
		}
		curve := p.line(places.XYs, curveWidth, palette[i%len(palette)])
		l.add(r.Name, "", curve, places.onto(p, glyphOf(i, 3)))
	}
	for i, v := range levels {
		l.add(v.Name, "", p.level(v.Mean, []vg.Length{4, 2 + 3*vg.Length(i)}))
		low, high = min(low, v.Mean), max(high, v.Mean)
	}
	x.onto(p)
	p.Y.Min, p.Y.Max = m.axis(low, high)
	return picture(p, l, 3.2*vg.Inch)
}

// settingAxis is an axis with a tick at each value that occurs.
type settingAxis struct {
	values []float64
	log    bool
}

func axisOf(lines []Response, rate bool) (x settingAxis) {
	for _, r := range lines {
		x.values = append(x.values, r.X...)
	}
	slices.Sort(x.values)
	x.values = slices.Compact(x.values)
	low, high := ends(x.values)
	x.log = low > 0 && (rate || high/low > 30)
	return x
}

func (x settingAxis) place(v float64) float64 {
	if x.log {
		return math.Log10(v)
	}
	return v
}

// aside returns how far response i of n is from its value on the axis: about 5 points from the next one, or less where
// values are near each other.
func (x settingAxis) aside(i, n int) float64 {
	low, high := ends(x.values)
	apart := 0.013 * (x.place(high) - x.place(low))
	for k := 1; k < len(x.values); k++ {
		apart = min(apart, 0.8*(x.place(x.values[k])-x.place(x.values[k-1]))/float64(n))
	}
	return (float64(i) - float64(n-1)/2) * cmp.Or(apart, 0.013)
}

func (x settingAxis) onto(p *sheet) {
	var marks plot.ConstantTicks
	low, high := ends(x.values)
	low, high = x.place(low), x.place(high)
	last := math.Inf(-1)
	for _, v := range x.values {
		mark := plot.Tick{Value: x.place(v)}
		if at := x.place(v); at-last > 0.04*(high-low) || len(marks) == 0 { // labels must not touch
			mark.Label, last = tidy(v), at
		}
		marks = append(marks, mark)
	}
	p.X.Tick.Marker = marks
	air := cmp.Or(0.05*(high-low), 0.5)
	p.X.Min, p.X.Max = low-air, high+air
}
