package main

import (
	"fmt"
	"io"

	"pacia/config"
	"pacia/train"
)

// A report shows a run as it goes on. Evaluations and the result are lines on
// the standard output.
type report struct {
	display
	cfg  config.Config
	pace pace
	last string // what the last evaluation of test tasks, or else of validation tasks, found
}

func newReport(out, progress io.Writer, cfg config.Config) *report {
	return &report{display: newDisplay(out, progress), cfg: cfg}
}

// Start prints what is going to be trained on what.
func (r *report) Start(s train.StartInfo) {
	writeHeader(r.out, r.cfg, s)
	r.pace = newPace(s, r.cfg.Train.EvaluateEvery)
	r.begin(s.Episodes)
}

// Step moves the bar, or prints a line if the last one was long ago.
func (r *report) Step(s train.StepInfo) {
	r.pace.step(s)
	r.show("episode", s.Episode, r.pace.episodes, r.state)
}

// Evaluation prints one line.
func (r *report) Evaluation(e train.EvalInfo) {
	r.pace.evaluation(e)
	if v := e.TestFigure(); v != nil {
		r.last = figure(e.Metric, v)
	} else {
		r.last = "validation " + figure(e.Metric, e.ValidationFigure())
	}
	r.print(evaluationLine(e, r.pace))
}

// evaluationLine says what an evaluation found.
func evaluationLine(e train.EvalInfo, p pace) string {
	found := ""
	if v := e.TestFigure(); v != nil {
		found += "  test " + figure(e.Metric, v)
	}
	if v := e.ValidationFigure(); v != nil {
		found += "  validation " + figure(e.Metric, v)
	}
	if e.LeftOut > 0 {
		found += fmt.Sprintf("  %s left out", count(e.LeftOut, "draw"))
	}
	took := fmt.Sprintf("  (%s molecules, %s)\n", group3(e.Queries), seconds(e.Seconds))
	if e.Selected {
		return fmt.Sprintf("selected: episode %d", e.Episode) + found + took
	}
	return fmt.Sprintf("episode %d/%d  loss %.4f", e.Episode, p.episodes, p.loss) + found + took
}

func figure(metric string, v *float64) string { return metricName(metric) + " " + maybe(v) }

// Done prints what came of the run.
func (r *report) Done(s train.Summary) {
	r.close()
	writeSummary(r.out, s)
}

// state is the variable part of a line of progress.
func (r *report) state() string {
	s := fmt.Sprintf("%.2f step/s  loss %.4f", r.pace.rate(), r.pace.loss)
	if r.last != "" {
		s += "  " + r.last
	}
	return s + "  " + r.pace.left().String() + " left"
}
