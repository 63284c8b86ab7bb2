package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// How often a run says how far it is: on a terminal, where the bar is then drawn
// twice (count and text), and without one.
const (
	blink = 200 * time.Millisecond
	every = 10 * time.Second
)

// A display shows how far something is: by a bar on the terminal or, where the
// standard error is none, by a line from time to time.
type display struct {
	out, progress io.Writer
	now           func() time.Time

	bar    *progressbar.ProgressBar // nil without a terminal
	isTerm bool
	line   time.Time // when progress was last shown
}

func newDisplay(out, progress io.Writer) display {
	f, ok := progress.(*os.File)
	return display{out: out, progress: progress, now: time.Now, isTerm: ok && term.IsTerminal(int(f.Fd()))}
}

// begin starts the way to a total of so many.
func (d *display) begin(total int) {
	d.line = d.now()
	if d.isTerm {
		d.bar = newBar(d.progress, total)
	}
}

// show moves the bar, or prints a line, if that was done long ago.
func (d *display) show(unit string, done, total int, state func() string) {
	now := d.now()
	switch {
	case d.bar != nil && now.Sub(d.line) >= blink:
		d.line = now
		_ = d.bar.Set(done) // fails only beyond the total
		d.bar.Describe(state())
	case d.bar == nil && now.Sub(d.line) >= every:
		d.line = now
		say(d.progress, "%s %d/%d  %s\n", unit, done, total, state())
	}
}

// print prints a line of results, of which the bar must be out of the way.
func (d *display) print(line string) {
	d.clear()
	say(d.out, "%s", line)
	d.line = d.now()
}

// say prints for people; metrics.jsonl has the same figures.
func say(w io.Writer, format string, args ...any) { _, _ = fmt.Fprintf(w, format, args...) }

func (d *display) clear() {
	if d.bar != nil {
		_ = d.bar.Clear() // a terminal that went away is no reason to stop
	}
}

// close takes the bar away, so that what follows starts on a fresh line.
func (d *display) close() {
	d.clear()
	d.bar = nil
}

func newBar(w io.Writer, total int) *progressbar.ProgressBar {
	return progressbar.NewOptions(total,
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetWidth(20),
		progressbar.OptionShowCount(),
		progressbar.OptionSetPredictTime(false), // its own guess leaves out the evaluations
		progressbar.OptionSetElapsedTime(false),
	)
}
