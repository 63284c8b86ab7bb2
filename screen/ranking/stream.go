package ranking

import (
	"context"
	"errors"
	"io"
	"sync"
)

// A Chunk is a number of consecutive rows with the result of work on their molecules.
type Chunk[P any] struct {
	Rows     []Row       // the wanted rows
	LeftOut  int         // number of unwanted rows ([Options].Wanted)
	Skipped  SkippedRows // among these
	Unmet    Unmet       // of all rows
	Decimals Decimals    // of all rows
	Result   P

	err   error
	ready chan struct{} // closed when Result is set
}

// Stream reads t to its end in chunks of rows, calls work on them in workers goroutines, and calls use with each
// chunk in the order of the table. It holds a few chunks in memory, for a table of any length. It stops at the
// first error and at the end of ctx.
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
	var all Decimals
	for c := range ordered {
		if err := ctx.Err(); err != nil {
			return err
		}
		<-c.ready
		all.Join(c.Decimals)
		if err := t.CheckDecimals(all); err != nil {
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

// read cuts t into chunks of rows until its end, an error, or stop. It sends every chunk to the workers before
// it sends it to ordered, so that every chunk in ordered becomes ready.
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

// fill reads the next rows. It returns false at the end of the table and after an error.
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

// smiles prepares the rows, removes the unwanted ones, and returns the SMILES of the others.
func (c *Chunk[P]) smiles(ctx context.Context, t *Table) []string {
	s, all := make([]string, 0, len(c.Rows)), c.Rows
	c.Rows, c.Decimals = c.Rows[:0], make(Decimals, len(t.conditions))
	c.Unmet = make(Unmet, t.options.Wanted.patterns()+len(t.conditions))
	for _, row := range all {
		t.Prepare(ctx, &row)
		c.Decimals.add(t.conditions, &row)
		if !t.fulfils(ctx, &row, c.Unmet) {
			c.LeftOut++
			t.skipped(row.Fields, &c.Skipped)
			continue
		}
		c.Rows, s = append(c.Rows, row), append(s, row.SMILES)
	}
	return s
}
