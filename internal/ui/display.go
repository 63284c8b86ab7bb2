package ui

import (
	"context"
	"fmt"
	"io"
	"log/slog"
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
	// where everything is wanted
	oftener = time.Second
)

// A Display shows how far something is: by a bar on the terminal or, where
// Progress is none, by a line from time to time.
type Display struct {
	Out, Progress io.Writer
	Now           func() time.Time // the clock
	Terminal      bool             // Progress is one

	bar  *progressbar.ProgressBar // nil without a terminal
	line time.Time                // when progress was last shown
}

// NewDisplay returns one that prints results to out and progress to progress.
func NewDisplay(out, progress io.Writer) Display {
	return Display{Out: out, Progress: progress, Now: time.Now, Terminal: terminal(progress) != nil}
}

// terminal returns w as a file where it is a terminal that is to be drawn on, or nil.
func terminal(w io.Writer) *os.File {
	if l, ok := w.(*Log); ok {
		if !l.text || !l.Enabled(context.Background(), slog.LevelInfo) {
			return nil
		}
		w = l.out
	}
	if l, ok := w.(*Latch); ok {
		w = l.out
	}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return f
	}
	return nil
}

// Begin starts the way to a total of so many.
func (d *Display) Begin(total int) {
	d.line = d.Now()
	if d.Terminal {
		d.bar = newBar(screen(d.Progress), total)
	}
}

// SetTotal changes the total.
func (d *Display) SetTotal(total int) {
	if d.bar != nil {
		d.bar.ChangeMax(max(1, total))
	}
}

// Show moves the bar, or prints a line, if that was done long ago.
func (d *Display) Show(unit string, done, total int, state func() string) {
	now := d.Now()
	switch {
	case d.bar != nil && now.Sub(d.line) >= blink:
		d.line = now
		_ = d.bar.Set(done) // fails only beyond the total
		d.bar.Describe(state())
	case d.bar == nil && now.Sub(d.line) >= d.every():
		d.line = now
		tell(d.Progress, fmt.Sprintf("%s %d/%d  %s", unit, done, total, state()),
			slog.String("unit", unit), slog.Int("done", done), slog.Int("total", total))
	}
}

func (d *Display) every() time.Duration {
	if verbose(d.Progress) {
		return oftener
	}
	return every
}

// Print prints a line of results, after it has cleared the bar.
func (d *Display) Print(line string) {
	d.Clear()
	Say(d.Out, "%s", line)
	d.line = d.Now()
}

// Clear takes the bar away until it is shown again.
func (d *Display) Clear() {
	if d.bar != nil {
		_ = d.bar.Clear() // a terminal that went away does not stop the run
	}
}

// Close takes the bar away, so that what follows starts on a fresh line.
func (d *Display) Close() {
	d.Clear()
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

// A Counter shows on a terminal how many are done of a number that is not
// known; elsewhere nothing.
type Counter struct{ bar *progressbar.ProgressBar }

// NewCounter returns one that counts what.
func NewCounter(w io.Writer, what string) Counter {
	return Counter{progressbar.NewOptions(-1,
		progressbar.OptionSetWriter(screen(w)),
		progressbar.OptionSetVisibility(terminal(w) != nil),
		progressbar.OptionSetDescription(what),
		progressbar.OptionShowCount(),
		progressbar.OptionShowIts(),
		progressbar.OptionThrottle(100*time.Millisecond),
	)}
}

// Add counts n more.
func (c Counter) Add(n int) { _ = c.bar.Add(n) }

// Close takes the count away.
func (c Counter) Close() { _ = c.bar.Clear() }
