package workers

import "context"

// Progress is called while a data set is opened, with the number of units done, such as
// files or molecules, and their total. It is called from one goroutine at a time.
type Progress func(unit string, done, total int)

type progressKey struct{}

// WithProgress returns a context in which opening a data set calls p.
func WithProgress(ctx context.Context, p Progress) context.Context {
	return context.WithValue(ctx, progressKey{}, p)
}

// Report calls the Progress of a context, if it has one.
func Report(ctx context.Context, unit string, done, total int) {
	if p, ok := ctx.Value(progressKey{}).(Progress); ok {
		p(unit, done, total)
	}
}
