package loop

import (
	"context"
	"errors"
	"time"
)

// Loop holds the parts of a run. Each does nothing where it is not due.
type Loop struct {
	Measure func(context.Context) error // measures the model
	Save    func() error                // saves the state
	Done    func() bool                 // reports whether all steps are made
	Steps   func(context.Context) error // makes the next steps, or none if the context has ended
	Stop    func() error                // saves the state of a run whose context has ended, and returns why it is incomplete
	End     func() error                // saves the results
}

// Run makes steps until the run is done or ctx ends.
func (l Loop) Run(ctx context.Context) error {
	for {
		if err := l.Measure(ctx); err != nil && !errors.Is(err, ctx.Err()) {
			return err
		}
		if ctx.Err() != nil {
			return l.Stop()
		}
		if err := l.Save(); err != nil {
			return err
		}
		if l.Done() {
			return l.End()
		}
		if err := l.Steps(ctx); err != nil {
			return err
		}
	}
}

// Clock measures the time of a run.
type Clock struct {
	Before time.Duration // of earlier processes
	Begun  time.Time     // in this process
}

// Elapsed returns the time of the run until now.
func (c *Clock) Elapsed() time.Duration { return c.Before + time.Since(c.Begun) }
