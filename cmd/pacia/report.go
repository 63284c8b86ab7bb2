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
	auc  *float64 // of the last evaluation
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
	r.auc = &e.AUCTest
	r.print(evaluationLine(e, r.pace))
}

// evaluationLine says what an evaluation found.
func evaluationLine(e train.EvalInfo, p pace) string {
	validation := ""
	if e.AUCValidation != nil {
		validation = fmt.Sprintf("  validation ROC-AUC %.4f", *e.AUCValidation)
	}
	return fmt.Sprintf("episode %d/%d  loss %.4f  test ROC-AUC %.4f%s  (%s molecules, %s)\n",
		e.Episode, p.episodes, p.loss, e.AUCTest, validation, group3(e.Queries), seconds(e.Seconds))
}

// Done prints what came of the run.
func (r *report) Done(s train.Summary) {
	r.close()
	writeSummary(r.out, s)
}

// state is the variable part of a line of progress.
func (r *report) state() string {
	s := fmt.Sprintf("%.2f step/s  loss %.4f", r.pace.rate(), r.pace.loss)
	if r.auc != nil {
		s += fmt.Sprintf("  ROC-AUC %.4f", *r.auc)
	}
	return s + "  " + r.pace.left().String() + " left"
}
