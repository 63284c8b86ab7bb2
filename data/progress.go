package data

import "context"

// Progress is told how far the opening of a data set is: so many of a total of
// files are read, or of molecules parsed. It is called from one goroutine at a time.
type Progress func(unit string, done, total int)

type progressKey struct{}

// WithProgress returns a context in which data sets that are opened tell p.
func WithProgress(ctx context.Context, p Progress) context.Context {
	return context.WithValue(ctx, progressKey{}, p)
}

// Report tells the Progress of a context, if it has one.
func Report(ctx context.Context, unit string, done, total int) {
	if p, ok := ctx.Value(progressKey{}).(Progress); ok {
		p(unit, done, total)
	}
}
