package main

import (
	"fmt"
	"io"

	"pacia/config"
	"pacia/internal/ui"
	"pacia/metrics"
	"pacia/run/rundir"
	"pacia/train"
)

// A trainDisplay shows the progress of a run. Evaluations and the result go to the
// standard output.
type trainDisplay struct {
	ui.Display
	cfg     config.Config
	pace    ui.Pace
	ranking *ui.Loading // of an evaluation
	last    string      // figure of the last evaluation, on test tasks or else on validation tasks
}

func newTrainDisplay(out, progress io.Writer, cfg config.Config) *trainDisplay {
	return &trainDisplay{Display: ui.NewDisplay(out, progress), cfg: cfg, ranking: ui.NewLoading(progress)}
}

// Start prints the data, the model and the training.
func (r *trainDisplay) Start(s train.StartInfo) {
	writeHeader(r.Out, r.cfg, s)
	r.pace = newPace(s, r.cfg)
	r.Begin(s.Episodes)
}

// Step moves the bar. Without a terminal it prints a line from time to time.
func (r *trainDisplay) Step(s rundir.Step) {
	r.pace.Step(s.Episode, s.Loss, s.Seconds)
	r.Show("episode", s.Episode, r.pace.Episodes, r.state)
}

// Supervised shows the progress of the steps before the first episode.
func (r *trainDisplay) Supervised(step, steps int, _ float64) {
	r.Clear()
	r.ranking.Show("supervised steps", step, steps)
}

// Taught prints one line.
func (r *trainDisplay) Taught(e rundir.Evaluation) {
	r.ranking.End()
	r.Print(taughtLine(e))
}

func taughtLine(e rundir.Evaluation) string {
	return fmt.Sprintf("supervised step %d  class means of the encoder's vectors: validation %s\n", e.Episode, figure(e.Metric, e.ValidationFigure()))
}

// Length prints the expected length of the run.
func (r *trainDisplay) Length(l train.Length) {
	r.pace.Evaluated(l.EvaluationSeconds)
	r.Clear()
	ui.Say(r.Progress, "%s\n", lengthLine(l))
}

// lengthLine returns the expected length of a run with its parts.
func lengthLine(l train.Length) string {
	line := fmt.Sprintf("the run is likely to take %s more: %s of %.2g s", ui.Seconds(l.Seconds()), ui.Count(l.Steps, "step"), l.StepSeconds)
	if l.Evaluations > 0 {
		line += fmt.Sprintf(", %s of %s", ui.Count(l.Evaluations, "evaluation"), ui.Seconds(l.EvaluationSeconds))
	}
	if l.FinalSeconds > 0 {
		line += ", and " + ui.Seconds(l.FinalSeconds) + " of tests at the end"
	}
	return line
}

// Ranking shows the progress of an evaluation.
func (r *trainDisplay) Ranking(done, total int) {
	r.Clear()
	r.ranking.Show("molecules ranked", done, total)
}

// Evaluation prints one line.
func (r *trainDisplay) Evaluation(e rundir.Evaluation) {
	r.ranking.End()
	r.pace.Evaluated(e.Seconds)
	if v := e.TestFigure(); v != nil {
		r.last = figure(e.Metric, v)
	} else {
		r.last = "validation " + figure(e.Metric, e.ValidationFigure())
	}
	r.Print(evaluationLine(e, &r.pace))
}

func evaluationLine(e rundir.Evaluation, p *ui.Pace) string {
	found := ""
	if v := e.TestFigure(); v != nil {
		found += "  test " + figure(e.Metric, v)
	}
	if v := e.ValidationFigure(); v != nil {
		found += "  validation " + figure(e.Metric, v)
	}
	if e.LeftOut > 0 {
		found += fmt.Sprintf("  %s left out", ui.Count(e.LeftOut, "draw"))
	}
	if a := e.Adaptivity; a != nil {
		found += fmt.Sprintf("  with swapped labels %.4f", a.Swapped.Value(e.Metric))
	}
	took := fmt.Sprintf("  (%s molecules, %s)\n", ui.Grouped(e.Queries), ui.Seconds(e.Seconds))
	if e.Selected {
		return fmt.Sprintf("selected: episode %d", e.Episode) + found + took
	}
	return fmt.Sprintf("episode %d/%d  loss %.4f", e.Episode, p.Episodes, p.Loss()) + found + took
}

func figure(metric string, v *float64) string { return metrics.Title(metric) + " " + ui.Figure(v) }

// Done prints the result of the run.
func (r *trainDisplay) Done(s rundir.Summary) {
	r.Close()
	writeSummary(r.Out, s)
}

// state is the variable part of a line of progress.
func (r *trainDisplay) state() string {
	s := fmt.Sprintf("%.2f step/s  loss %.4f", r.pace.Rate(), r.pace.Loss())
	if r.last != "" {
		s += "  " + r.last
	}
	return s + "  " + r.pace.Remaining().String() + " left"
}

func newPace(s train.StartInfo, cfg config.Config) ui.Pace {
	return ui.Pace{Episode: s.Episode, Episodes: s.Episodes, Interval: cfg.Train.EvaluateEvery, Steps: s.StepsPerEpisode}
}
