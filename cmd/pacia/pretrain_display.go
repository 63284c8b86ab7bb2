package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"pacia/internal/each"
	"pacia/internal/ui"
	"pacia/pretrain"
)

// pretrainDisplay shows the progress of a pretraining.
type pretrainDisplay struct {
	ui.Display
	options pretrain.Options
	library *pretrain.Library
	dir     string
	total   int
	loss    ui.Recent
}

func newPretrainDisplay(out, progress io.Writer, o pretrain.Options, l *pretrain.Library, dir string) *pretrainDisplay {
	return &pretrainDisplay{Display: ui.NewDisplay(out, progress), options: o, library: l, dir: dir}
}

// encoder returns the path of the encoder's file.
func (r *pretrainDisplay) encoder() string { return filepath.Join(r.dir, pretrain.EncoderFile) }

// Begin prints the head.
func (r *pretrainDisplay) Begin(i pretrain.Info) {
	o, w := r.options, ui.NewTable(r.Out)
	unused := ""
	if n := len(r.library.Skipped); n > 0 {
		unused = fmt.Sprintf(" (%s more cannot be used; %s lists them)", ui.Grouped(n), filepath.Join(r.dir, pretrain.SkippedFile))
	}
	w.Line("data\t%s: %s molecules%s", r.library.Name, ui.Grouped(r.library.Len()), unused)
	if r.library.Excluded > 0 {
		w.Line("\t%s others are left out by --exclude", ui.Grouped(r.library.Excluded))
	}
	if i.LeftOut > 0 {
		w.Line("\t%s of them are %s", ui.Grouped(i.LeftOut), i.Lack)
	}
	w.Line("task\t%s, learnt from %s molecules, measured on %s others", taskName(o), ui.Grouped(i.Learn), ui.Grouped(i.HeldOut))
	if v := i.Vocabulary; v != nil {
		rare := ""
		if v.Distinguished < v.Kinds {
			rare = fmt.Sprintf(", %s of them distinguished; the others are %.2f %% of the motifs", ui.Grouped(v.Distinguished), 100*v.RareMotifs)
		}
		w.Line("motifs\t%s kinds%s", ui.Grouped(v.Kinds), rare)
	}
	w.Line("encoder\t%s of %s, %d wide: %s parameters", o.Encoder, ui.Count(o.Layers, "layer"), o.Width, ui.Grouped(i.Parameters))
	w.Line("training\t%s steps of %s molecules, on %s", ui.Grouped(i.Steps), ui.Grouped(min(o.Batch, i.Learn)), o.Device)
	w.Line("folder\t%s", r.dir)
	w.Line("without encoder\t%s", answers(i.Without))
	_ = w.Flush() // summary.json has the same
	r.total = i.Steps
	r.Display.Begin(i.Steps)
}

func taskName(o pretrain.Options) string {
	if o.Bonds {
		return o.Task + " of atoms and bonds"
	}
	return o.Task
}

// Step moves the bar.
func (r *pretrainDisplay) Step(step int, loss float64) {
	r.loss.Add(loss)
	r.Show("step", step, r.total, func() string { return fmt.Sprintf("loss %.4f", r.loss.Value) })
}

// Measured prints the figures on the held-out molecules.
func (r *pretrainDisplay) Measured(e pretrain.Entry) {
	r.Print(fmt.Sprintf("epoch %d, step %s/%s  %s\n", e.Epoch, ui.Grouped(e.Step), ui.Grouped(r.total), answers(*e.HeldOut)))
}

func answers(f pretrain.Figures) string {
	if len(f.Parts) == 0 {
		return "nothing measured"
	}
	list := each.Of(f.Parts, func(p pretrain.Part) string {
		return fmt.Sprintf("%s %.4f right, loss %.4f", p.Name, p.Accuracy, p.Loss)
	})
	return strings.Join(list, "; ")
}

// writePretrained prints the result of a run, and the command that uses it.
func writePretrained(out io.Writer, s pretrain.Summary, encoder string) error {
	w := ui.NewTable(out)
	w.Line("\nafter %s, %s, on molecules held out", ui.Count(s.StepsDone, "step"), ui.Seconds(s.Seconds))
	w.Line("without encoder\t%s", answers(s.Without))
	w.Line("before\t%s", answers(s.Before))
	w.Line("after\t%s", answers(s.After))
	w.Line("\npacia train --set model.pretrained=%s%s starts from it", encoder, encoderSettings(s.Options))
	return w.Flush()
}
