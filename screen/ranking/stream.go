package ranking

import (
	"context"
	"errors"
	"io"
	"sync"
)

// A Chunk is a run of rows and what came of their molecules.
type Chunk[P any] struct {
	Rows    []Row      // that are wanted
	LeftOut int        // rows that are not ([Options].Wanted)
	Odd     NotNumbers // of these
	Result  P

	decimals decimals
	err      error
	ready    chan struct{} // closed when Result is there
}

// Stream reads t to its end in chunks of so many rows, lets up to workers work
// on them at a time, and calls use with each in the file's order. It holds a few
// chunks in memory, however long the file is. The first error, or the end of ctx, ends
// it.
func Stream[P any](ctx context.Context, t *Table, rows, workers int, work func(smiles []string) P, use func(*Chunk[P]) error) error {
	jobs := make(chan *Chunk[P])
	ordered := make(chan *Chunk[P], 2*workers)
	stop := make(chan struct{})
	var running sync.WaitGroup
	running.Go(func() { read(t, rows, jobs, ordered, stop) })
	for range workers {
		running.Go(func() {
			for c := range jobs {
				if smiles := c.smiles(ctx, t); len(smiles) > 0 {
					c.Result = work(smiles)
				}
				close(c.ready)
			}
		})
	}
	defer running.Wait() // the caller may close t after this
	defer close(stop)
	var all decimals
	for c := range ordered {
		if err := ctx.Err(); err != nil {
			return err
		}
		<-c.ready
		all.join(c.decimals)
		if err := all.check(); err != nil {
			return err
		}
		if len(c.Rows)+c.LeftOut > 0 {
			if err := use(c); err != nil {
				return err
			}
		}
		if c.err != nil {
			return c.err
		}
	}
	return nil
}

// read cuts t into chunks of rows until its end, an error, or stop. Every chunk goes
// to the workers first, so that one found in ordered will be ready.
func read[P any](t *Table, rows int, jobs, ordered chan<- *Chunk[P], stop <-chan struct{}) {
	defer close(ordered)
	defer close(jobs)
	for {
		c := &Chunk[P]{ready: make(chan struct{})}
		more := c.fill(t, rows)
		if len(c.Rows) > 0 {
			select {
			case jobs <- c:
			case <-stop:
				return
			}
		} else {
			close(c.ready)
		}
		select {
		case ordered <- c:
		case <-stop:
			return
		}
		if !more {
			return
		}
	}
}

// fill takes the next so many rows; false after the last ones or an error.
func (c *Chunk[P]) fill(t *Table, rows int) (more bool) {
	for len(c.Rows) < rows {
		row, err := t.Next()
		if errors.Is(err, io.EOF) {
			return false
		}
		if err != nil {
			c.err = err
			return false
		}
		c.Rows = append(c.Rows, row)
	}
	return true
}

// smiles prepares the rows, leaves out those that are not wanted, and returns what is to be
// parsed of each other one.
func (c *Chunk[P]) smiles(ctx context.Context, t *Table) []string {
	s, all := make([]string, 0, len(c.Rows)), c.Rows
	c.Rows = c.Rows[:0]
	for _, row := range all {
		t.Prepare(ctx, &row)
		t.addDecimals(&row, &c.decimals)
		if !t.keep(ctx, &row) {
			c.LeftOut++
			t.notNumber(row.Fields, &c.Odd)
			continue
		}
		c.Rows, s = append(c.Rows, row), append(s, row.SMILES)
	}
	return s
}
