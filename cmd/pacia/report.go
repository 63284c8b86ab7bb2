package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"pacia/config"
	"pacia/train"
)

// How often a run says how far it is: on a terminal, where the bar is then drawn
// twice (count and text), and without one.
const (
	blink = 200 * time.Millisecond
	every = 10 * time.Second
)

// A report shows a run as it goes on. Evaluations and the result are lines on
// the standard output; the way there is a bar on the terminal or, where the
// standard error is none, a line from time to time.
type report struct {
	out, progress io.Writer
	cfg           config.Config
	now           func() time.Time

	bar    *progressbar.ProgressBar // nil without a terminal
	isTerm bool
	line   time.Time // when progress was last shown
	pace   pace
	auc    *float64 // of the last evaluation
}

func newReport(out, progress io.Writer, cfg config.Config) *report {
	f, ok := progress.(*os.File)
	return &report{
		out: out, progress: progress, cfg: cfg, now: time.Now,
		isTerm: ok && term.IsTerminal(int(f.Fd())),
	}
}

// Start prints what is going to be trained on what.
func (r *report) Start(s train.StartInfo) {
	writeHeader(r.out, r.cfg, s)
	r.pace = newPace(s, r.cfg.Train.EvaluateEvery)
	r.line = r.now()
	if r.isTerm {
		r.bar = newBar(r.progress, s)
	}
}

// Step moves the bar, or prints a line if the last one was long ago.
func (r *report) Step(s train.StepInfo) {
	r.pace.step(s)
	now := r.now()
	switch {
	case r.bar != nil && now.Sub(r.line) >= blink:
		r.line = now
		_ = r.bar.Set(s.Episode) // fails only beyond the last episode
		r.bar.Describe(r.state())
	case r.bar == nil && now.Sub(r.line) >= every:
		r.line = now
		say(r.progress, "episode %d/%d  %s\n", s.Episode, r.pace.episodes, r.state())
	}
}

// Evaluation prints one line.
func (r *report) Evaluation(e train.EvalInfo) {
	r.pace.evaluation(e)
	r.auc = &e.AUCTest
	r.clear()
	validation := ""
	if e.AUCValidation != nil {
		validation = fmt.Sprintf("  validation ROC-AUC %.4f", *e.AUCValidation)
	}
	say(r.out, "episode %d/%d  loss %.4f  test ROC-AUC %.4f%s  (%s molecules, %s)\n",
		e.Episode, r.pace.episodes, r.pace.loss, e.AUCTest, validation, group3(e.Queries), seconds(e.Seconds))
	r.line = r.now()
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

// say prints for people; metrics.jsonl has the same figures.
func say(w io.Writer, format string, args ...any) { _, _ = fmt.Fprintf(w, format, args...) }

func (r *report) clear() {
	if r.bar != nil {
		_ = r.bar.Clear() // a terminal that went away is no reason to stop
	}
}

// close takes the bar away, so that what follows starts on a fresh line.
func (r *report) close() {
	r.clear()
	r.bar = nil
}

func newBar(w io.Writer, s train.StartInfo) *progressbar.ProgressBar {
	return progressbar.NewOptions(s.Episodes,
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetWidth(20),
		progressbar.OptionShowCount(),
		progressbar.OptionSetPredictTime(false), // its own guess leaves out the evaluations
		progressbar.OptionSetElapsedTime(false),
	)
}
