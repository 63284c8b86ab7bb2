package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"pacia/pretrain"
)

// pretrainReport shows how far a pretraining is.
type pretrainReport struct {
	display
	options pretrain.Options
	library *pretrain.Library
	dir     string
	total   int
	loss    float64 // of the latest steps
	done    int
}

func newPretrainReport(out, progress io.Writer, o pretrain.Options, l *pretrain.Library, dir string) *pretrainReport {
	return &pretrainReport{display: newDisplay(out, progress), options: o, library: l, dir: dir}
}

// encoder names the file that a run leaves.
func (r *pretrainReport) encoder() string { return filepath.Join(r.dir, pretrain.EncoderFile) }

// Begin prints the head.
func (r *pretrainReport) Begin(i pretrain.Info) {
	o, w := r.options, newTable(r.out)
	unused := ""
	if n := len(r.library.Skipped); n > 0 {
		unused = fmt.Sprintf(" (%s more cannot be used; %s lists them)", group3(n), filepath.Join(r.dir, pretrain.SkippedFile))
	}
	w.line("data\t%s: %s molecules%s", r.library.Name, group3(r.library.Len()), unused)
	if i.LeftOut > 0 {
		w.line("\t%s of them are too small to have a context", group3(i.LeftOut))
	}
	w.line("task\t%s, learnt from %s molecules, measured on %s others", taskName(o), group3(i.Learn), group3(i.HeldOut))
	w.line("encoder\t%s of %s, %d wide: %s parameters", o.Encoder, count(o.Layers, "layer"), o.Width, group3(i.Parameters))
	w.line("training\t%s steps of %s molecules, on %s", group3(i.Steps), group3(min(o.Batch, i.Learn)), o.Device)
	w.line("folder\t%s", r.dir)
	w.line("without encoder\t%s", answers(i.Without))
	_ = w.flush() // summary.json has the same
	r.total = i.Steps
	r.begin(i.Steps)
}

func taskName(o pretrain.Options) string {
	if o.Bonds {
		return o.Task + " of atoms and bonds"
	}
	return o.Task
}

// Step moves the bar.
func (r *pretrainReport) Step(step int, loss float64) {
	if r.done == 0 {
		r.loss = loss
	}
	r.done++
	r.loss += recent * (loss - r.loss)
	r.show("step", step, r.total, func() string { return fmt.Sprintf("loss %.4f", r.loss) })
}

// Measured prints the answers on the molecules held out.
func (r *pretrainReport) Measured(e pretrain.Entry) {
	r.print(fmt.Sprintf("epoch %d, step %s/%s  %s\n", e.Epoch, group3(e.Step), group3(r.total), answers(*e.HeldOut)))
}

// answers shows accuracies and losses.
func answers(f pretrain.Figures) string {
	if len(f.Parts) == 0 {
		return "nothing was asked"
	}
	var list []string
	for _, p := range f.Parts {
		list = append(list, fmt.Sprintf("%s %.4f right, loss %.4f", p.Name, p.Accuracy, p.Loss))
	}
	return strings.Join(list, "; ")
}

// writePretrained prints what a run came to, and what to do with it.
func writePretrained(out io.Writer, s pretrain.Summary, encoder string) error {
	w := newTable(out)
	w.line("\nafter %s, %s, on molecules held out", count(s.StepsDone, "step"), seconds(s.Seconds))
	w.line("without encoder\t%s", answers(s.Without))
	w.line("before\t%s", answers(s.Before))
	w.line("after\t%s", answers(s.After))
	w.line("\npacia train --set model.pretrained=%s%s starts from it", encoder, encoderSettings(s.Options))
	return w.flush()
}
