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

// Times between two reports of progress, on a terminal, where each report draws the bar twice
// (count and text), and without one.
const (
	blink   = 200 * time.Millisecond
	every   = 10 * time.Second
	oftener = time.Second // with --verbose
)

// A Display shows progress: by a bar if Progress is a terminal, and otherwise by a line from
// time to time.
type Display struct {
	Out, Progress io.Writer
	Now           func() time.Time // the clock
	Terminal      bool             // Progress is a terminal

	bar  *progressbar.ProgressBar // nil without a terminal
	line time.Time                // when progress was last shown
}

// NewDisplay returns a Display that prints results to out and progress to progress.
func NewDisplay(out, progress io.Writer) Display {
	return Display{Out: out, Progress: progress, Now: time.Now, Terminal: terminal(progress) != nil}
}

// terminal returns w as a file if it is a terminal on which progress is drawn, or nil.
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

// Begin starts the progress towards a total.
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

// Show moves the bar or prints a line, if the last time was long enough ago.
func (d *Display) Show(unit string, done, total int, state func() string) {
	now := d.Now()
	switch {
	case d.bar != nil && now.Sub(d.line) >= blink:
		d.line = now
		_ = d.bar.Set(done) // fails only beyond the total
		d.bar.Describe(state())
	case d.bar == nil && now.Sub(d.line) >= d.every():
		d.line = now
		printRecord(d.Progress, fmt.Sprintf("%s %d/%d  %s", unit, done, total, state()),
			slog.String("unit", unit), slog.Int("done", done), slog.Int("total", total))
	}
}

func (d *Display) every() time.Duration {
	if verbose(d.Progress) {
		return oftener
	}
	return every
}

// Print clears the bar and prints a line of results.
func (d *Display) Print(line string) {
	d.Clear()
	Say(d.Out, "%s", line)
	d.line = d.Now()
}

// Clear removes the bar until it is shown again.
func (d *Display) Clear() {
	if d.bar != nil {
		_ = d.bar.Clear() // a closed terminal does not stop the run
	}
}

// Close removes the bar, so that further output starts on a new line.
func (d *Display) Close() {
	d.Clear()
	d.bar = nil
}

func newBar(w io.Writer, total int) *progressbar.ProgressBar {
	return progressbar.NewOptions(total,
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetWidth(20),
		progressbar.OptionShowCount(),
		progressbar.OptionSetPredictTime(false), // its prediction would not include evaluations
		progressbar.OptionSetElapsedTime(false),
	)
}

// A Counter shows a count without a known total. It shows nothing without a terminal.
type Counter struct{ bar *progressbar.ProgressBar }

// NewCounter returns a Counter with the description what.
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

// Close removes the count.
func (c Counter) Close() { _ = c.bar.Clear() }
