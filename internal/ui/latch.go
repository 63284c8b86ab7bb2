package ui

import (
	"cmp"
	"io"
)

// A Latch is an output that keeps the first error, so that callers need not check every write
// but a lost table is an error at the end.
type Latch struct {
	out io.Writer
	Err error
}

// NewLatch returns a Latch that writes to out.
func NewLatch(out io.Writer) *Latch { return &Latch{out: out} }

func (l *Latch) Write(p []byte) (int, error) {
	n, err := l.out.Write(p)
	l.Err = cmp.Or(l.Err, err)
	return n, err
}
