package input

import (
	"context"
	"io"
)

// slow reads a pipe or a terminal in a separate goroutine, so that a reader that waits for
// data can stop when its context ends.
type slow struct {
	chunks chan chunk
	stop   chan struct{} // closed with the file
	now    chunk         // the rest of the last chunk
}

type chunk struct {
	bytes []byte
	err   error
}

func newSlow(from io.Reader) *slow {
	s := &slow{chunks: make(chan chunk), stop: make(chan struct{})}
	go s.run(from)
	return s
}

func (s *slow) run(from io.Reader) {
	for {
		b := make([]byte, 1<<16)
		n, err := from.Read(b)
		select {
		case s.chunks <- chunk{b[:n], err}:
		case <-s.stop:
			return
		}
		if err != nil {
			return
		}
	}
}

func (s *slow) read(ctx context.Context, p []byte) (int, error) {
	for len(s.now.bytes) == 0 {
		if s.now.err != nil {
			return 0, s.now.err
		}
		select {
		case s.now = <-s.chunks:
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
	n := copy(p, s.now.bytes)
	s.now.bytes = s.now.bytes[n:]
	return n, nil
}
