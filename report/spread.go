package report

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"

	"pacia/metrics"
	"pacia/report/figure"
)

// A Spread is a figure over seeds.
type Spread struct {
	N         int
	Values    []float64 // of the seeds, in their order
	Mean      float64
	Deviation float64 // of the sample: over N-1; NaN for one seed
	// Low and High are the ends of the 95 % interval of the mean over tasks, by
	// bootstrap of the tasks; NaN of one task.
	Low, High float64
}

// confidence is that of the interval.
const confidence = 0.95

func spread(values []float64) Spread {
	s := Spread{N: len(values), Values: values, Mean: stat.Mean(values, nil), Deviation: math.NaN(), Low: math.NaN(), High: math.NaN()}
	if s.N > 1 {
		s.Deviation = stat.StdDev(values, nil)
	}
	return s
}

// over gives a mean over tasks its interval: tasks are the means over seeds of each.
func (s *Spread) over(tasks []float64) {
	if s != nil {
		s.Low, s.High = metrics.Bootstrap(tasks, confidence)
	}
}

// Selected are the figures of the models that each way to choose them selects; nil where not
// all runs measured it.
type Selected struct {
	Last, Validation *Spread
	Test             *Spread // best on test: selected on the test tasks
}

// overTasks gives the figures of several tasks' means their intervals.
func (s Selected) overTasks(tasks []Task) {
	for _, selection := range selections {
		var all []float64
		for _, t := range tasks {
			if v := selection.of(t.Selected); v != nil {
				all = append(all, v.Mean)
			}
		}
		if len(all) == len(tasks) {
			selection.of(s).over(all)
		}
	}
}

// none stands in place of a missing figure.
const none = "–"

// String returns the figure in per cent: 82.40 ± 0.26 [78.21, 86.59].
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
