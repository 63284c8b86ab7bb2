package ui

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"text/tabwriter"
	"time"
)

// A Table aligns lines of cells, which are separated by tabs. It keeps the first error.
type Table struct {
	w   *tabwriter.Writer
	err error
}

// NewTable returns a Table that writes to out when it is flushed.
func NewTable(out io.Writer) *Table { return &Table{w: tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)} }

// Line adds a line.
func (t *Table) Line(format string, args ...any) {
	if t.err == nil {
		_, t.err = fmt.Fprintf(t.w, format+"\n", args...)
	}
}

// Flush writes the table and returns the first error.
func (t *Table) Flush() error {
	if t.err != nil {
		return t.err
	}
	return t.w.Flush()
}

// JSON writes v as JSON for another program. If out is a Log in JSON, v becomes one of
// its records.
func JSON(out io.Writer, v any) error {
	if l, ok := out.(*Log); ok {
		if !l.text {
			return l.json.Handle(context.Background(), reportRecord(v))
		}
		out = l.out
	}
	e := json.NewEncoder(out)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

func reportRecord(v any) slog.Record {
	r := slog.NewRecord(time.Now(), slog.LevelInfo, "report", 0)
	r.AddAttrs(slog.Any("report", v))
	return r
}
