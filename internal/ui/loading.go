package ui

import (
	"io"
	"log/slog"
	"time"
)

// A Loading shows the progress of opening something, step by step. Each step has its
// unit, and a step that takes no time shows nothing.
type Loading struct {
	Display
	unit  string // of the step that is on its way
	begun time.Time
}

// NewLoading returns one that prints to progress.
func NewLoading(progress io.Writer) *Loading {
	return &Loading{Display: NewDisplay(io.Discard, progress)}
}

// Show reports that so many of a total are done. The last one takes the bar away.
func (l *Loading) Show(unit string, done, total int) {
	if unit != l.unit {
		l.Close()
		l.unit, l.begun = unit, l.Now()
		l.Begin(total)
	}
	if done < total {
		l.Display.Show(unit, done, total, func() string { return l.state(unit) })
		return
	}
	l.End()
	if verbose(l.Progress) {
		slog.Debug("opened "+Grouped(total)+" "+unit, "seconds", l.Now().Sub(l.begun).Seconds())
	}
}

// End takes the bar away, though its step may not have come to its end.
func (l *Loading) End() {
	l.Close()
	l.unit = ""
}

// state is the unit where no bar is drawn: a line of text begins with it.
func (l *Loading) state(unit string) string {
	if l.bar == nil {
		return ""
	}
	return unit
}
