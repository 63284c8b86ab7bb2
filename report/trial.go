package report

import (
	"cmp"
	"fmt"
	"strings"

	"pacia/metrics"
	"pacia/report/figure"
	"pacia/run/rundir"
)

// A Trial identifies figures that can be in one table: those with the same molecules, support
// sets in tests, and metric.
type Trial struct {
	Dataset string `json:"dataset"`
	Shots   int    `json:"shots"`   // support molecules of each class; 0 if they are stratified
	Support int    `json:"support"` // N, stratified support molecules of both classes together; 0 if they are balanced
	Metric  string `json:"metric"`  // as in train.metric
}

func trialOf(s rundir.Summary) Trial {
	t := Trial{Dataset: s.Dataset, Shots: s.Shots, Support: cmp.Or(s.TestSupport, s.Support), Metric: cmp.Or(s.Metric, metrics.NameROCAUC)}
	if t.Support > 0 {
		t.Shots = 0
	}
	return t
}

// Name returns the heading of a section.
func (t Trial) Name() string {
	name := fmt.Sprintf("%s, %d-shot", t.Dataset, t.Shots)
	if t.Support > 0 {
		name = fmt.Sprintf("%s, support %d", t.Dataset, t.Support)
	}
	if m := t.metric(); m.Suffix != "" {
		name += ", " + m.Title
	}
	return name
}

// prefix returns the prefix for the names of a section's figures.
func (t Trial) prefix() string {
	if t.Support > 0 {
		return t.across() + fmt.Sprintf("-support%d", t.Support)
	}
	return t.across() + fmt.Sprintf("-%dshot", t.Shots)
}

// across returns the prefix for the names of figures over sections that differ only in the size of the
// support sets.
func (t Trial) across() string {
	return strings.TrimSuffix(fileName(t.Dataset)+"-"+t.metric().Suffix, "-")
}

// MetricName returns the displayed name of the metric.
func (t Trial) MetricName() string { return t.metric().Title }

func (t Trial) metric() metrics.Metric { return metrics.Named(t.Metric) }

func (t Trial) measure() figure.Measure { return figure.MeasureOf(t.metric()) }

// found holds the figures of one run, or of one of its test tasks, for each way to
// choose the model; nil if it was not measured.
type found struct{ last, validation, best *float64 }

// foundIn returns a run's means over the test tasks, by the metric of the run.
func foundIn(s rundir.Summary) (f found) {
	f.last, f.validation, f.best = s.Figures()
	return f
}

// foundOn returns a run's figures for a test task; nil where the run has no mean.
func foundOn(s rundir.Summary, t rundir.TaskSummary) found {
	f := found{t.Last.Find(s.Metric), t.ValidationSelected.Find(s.Metric), t.BestOnTest.Find(s.Metric)}
	all := foundIn(s)
	for _, v := range []struct{ task, mean **float64 }{{&f.last, &all.last}, {&f.validation, &all.validation}, {&f.best, &all.best}} {
		if *v.mean == nil {
			*v.task = nil
		}
	}
	return f
}

// testedAlways reports whether a run evaluated its test tasks at each evaluation.
func testedAlways(s rundir.Summary) bool { return foundIn(s).best != nil }
