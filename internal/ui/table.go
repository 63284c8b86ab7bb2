package ui

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"
)

// A Table aligns lines whose cells are parted by tabs, and keeps the first
// error.
type Table struct {
	w   *tabwriter.Writer
	err error
}

// NewTable returns one that Flush writes to out.
func NewTable(out io.Writer) *Table { return &Table{w: tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)} }

// Line adds a line.
func (t *Table) Line(format string, args ...any) {
	if t.err == nil {
		_, t.err = fmt.Fprintf(t.w, format+"\n", args...)
	}
}

// Flush writes the table and reports what went wrong on the way.
func (t *Table) Flush() error {
	if t.err != nil {
		return t.err
	}
	return t.w.Flush()
}

// JSON writes v for another program to read.
func JSON(out io.Writer, v any) error {
	e := json.NewEncoder(out)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
