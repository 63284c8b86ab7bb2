package ui

import (
	"io"
	"log/slog"
	"time"
)

// A Loading shows the progress of the steps of opening something. Each step has a unit, and
// short steps show nothing.
type Loading struct {
	Display
	unit  string // of the present step
	begun time.Time
}

// NewLoading returns a Loading that prints to progress.
func NewLoading(progress io.Writer) *Loading {
	return &Loading{Display: NewDisplay(io.Discard, progress)}
}

// Show reports that done of total units are done. The last call of a step removes the bar.
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

// End removes the bar, even if its step has not ended.
func (l *Loading) End() {
	l.Close()
	l.unit = ""
}

// state returns the unit for the text of the bar, and "" for a line, which begins with the unit.
func (l *Loading) state(unit string) string {
	if l.bar == nil {
		return ""
	}
	return unit
}
