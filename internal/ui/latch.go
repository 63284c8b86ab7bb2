package ui

import (
	"cmp"
	"io"
)

// A Latch is an output that remembers the first error: what a command prints is not worth
// an error each time, but a table that nobody got is one in the end.
type Latch struct {
	out io.Writer
	Err error
}

// NewLatch returns an output in front of another one.
func NewLatch(out io.Writer) *Latch { return &Latch{out: out} }

func (l *Latch) Write(p []byte) (int, error) {
	n, err := l.out.Write(p)
	l.Err = cmp.Or(l.Err, err)
	return n, err
}
