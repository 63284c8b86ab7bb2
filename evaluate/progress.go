package evaluate

import (
	"cmp"
	"context"
	"sync"

	"pacia/data"
)

type progressKey struct{}

// counter counts ranked molecules. Several goroutines may use it.
type counter struct {
	mu   sync.Mutex
	more func(n int)
}

// WithProgress returns a context with a progress function: more is called with n after
// every n ranked molecules, from one goroutine at a time. Molecules of controls do not
// count.
func WithProgress(ctx context.Context, more func(n int)) context.Context {
	return context.WithValue(ctx, progressKey{}, &counter{more: more})
}

func uncounted(ctx context.Context) context.Context {
	return context.WithValue(ctx, progressKey{}, (*counter)(nil))
}

// count adds n ranked molecules to the counter of a context, if it has one.
func count(ctx context.Context, n int) {
	c, _ := ctx.Value(progressKey{}).(*counter)
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.more(n)
}

// Molecules returns how many molecules an evaluation of these tasks ranks, if each task is
// large enough for all draws.
func Molecules(ds *data.Dataset, tasks []int, o Options) (n int) {
	support := cmp.Or(o.Rule.Support, 2*o.Rule.Shots)
	for _, task := range tasks {
		n += max(1, o.Draws) * max(0, len(ds.Tasks[task].Rows)-support)
	}
	return n
}
