package train

import (
	"context"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"pacia/ops"
)

// shared does n jobs, as many at a time as libtorch has threads here, each with
// one of them to itself: unlike the threads of one operation, jobs do not wait
// for each other at the end of every loop. It must be called from within
// Pinned. The first error, or the end of ctx, ends it.
func shared(ctx context.Context, n int, job func(i int) error) error {
	threads := ops.Threads()
	defer ops.SetThreads(threads) // the number is in part the whole process's
	group, ctx := errgroup.WithContext(ctx)
	var next atomic.Int64
	for range min(n, threads) {
		group.Go(func() error {
			return Pinned(1, func() error {
				for i := next.Add(1) - 1; i < int64(n); i = next.Add(1) - 1 {
					if err := ctx.Err(); err != nil {
						return err
					}
					if err := job(int(i)); err != nil {
						return err
					}
				}
				return nil
			})
		})
	}
	return group.Wait()
}
