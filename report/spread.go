package report

import (
	"encoding/json"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"

	"pacia/metrics"
	"pacia/report/figure"
)

// A Spread is a metric over seeds.
type Spread struct {
	N         int
	Values    []float64 // of the seeds, in their order
	Mean      float64
	Deviation float64 // of the sample, divided by N-1; NaN for one seed
	// Low and High are the ends of the 95 % interval of the mean over tasks, by
	// bootstrap of the tasks; NaN for one task.
	Low, High float64
}

// confidence is the level of the intervals.
const confidence = 0.95

func spread(values []float64) Spread {
	s := Spread{N: len(values), Values: values, Mean: stat.Mean(values, nil), Deviation: math.NaN(), Low: math.NaN(), High: math.NaN()}
	if s.N > 1 {
		s.Deviation = stat.StdDev(values, nil)
	}
	return s
}

// over sets the interval of a mean over tasks, each given by its mean over seeds.
func (s *Spread) over(tasks []float64) {
	if s != nil {
		s.Low, s.High = metrics.Bootstrap(tasks, confidence)
	}
}

// Selected holds the figures of the models selected in each way; nil if a run did not
// measure it.
type Selected struct {
	Last, Validation *Spread
	Test             *Spread // selected on the test tasks
}

// overTasks sets the intervals of figures that are means over these tasks.
func (s Selected) overTasks(tasks []Task) {
	for _, selection := range selections {
		var all []float64
		for _, t := range tasks {
			if v := selection.spread(t.Selected); v != nil {
				all = append(all, v.Mean)
			}
		}
		if len(all) == len(tasks) {
			selection.spread(s).over(all)
		}
	}
}

// none is the cell of a missing figure.
const none = "–"

// String formats the figure in per cent, such as 82.40 ± 0.26 [78.21, 86.59].
func (s *Spread) String() string {
	if s == nil {
		return none
	}
	text := percent(s.Mean)
	if !math.IsNaN(s.Deviation) {
		text += " ± " + percent(s.Deviation)
	}
	if !math.IsNaN(s.Low) {
		text += fmt.Sprintf(" [%s, %s]", percent(s.Low), percent(s.High))
	}
	return text
}

func (s Spread) point() figure.Point {
	return figure.Point{Mean: s.Mean, Low: s.Low, High: s.High, Seeds: s.Values}
}

func percent(v float64) string { return fmt.Sprintf("%.2f", 100*v) }

// MarshalJSON encodes the figure and its interval: null if there is none, as for one seed or one task.
func (s *Spread) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Mean      float64  `json:"mean"`
		Deviation *float64 `json:"standard_deviation"`
		Low       *float64 `json:"low"`
		High      *float64 `json:"high"`
	}{s.Mean, metrics.OrNil(s.Deviation), metrics.OrNil(s.Low), metrics.OrNil(s.High)})
}
