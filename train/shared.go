package train

import (
	"context"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"pacia/ops"
)

// gpuLanes is how many jobs are under way on a GPU: one assembles its batch
// while that of the other is computed.
const gpuLanes = 2

// shared does n jobs on a device side by side. On the CPU there are as many at
// a time as libtorch has threads here, each with one of them to itself: unlike
// the threads of one operation, jobs do not wait for each other at the end of
// every loop. It must be called from within Pinned. The first error, or the end
// of ctx, ends it.
//
// On a GPU jobs go to the default stream, whatever the caller's is: libtorch
// keeps the memory of each stream apart, so that streams of their own would each
// hold on to the gigabytes of a batch.
func shared(ctx context.Context, d ops.Device, n int, job func(i int) error) error {
	threads := ops.Threads()
	defer ops.SetThreads(threads) // the number is in part the whole process's
	lanes := threads
	if d != ops.CPU {
		lanes = gpuLanes
	}
	group, ctx := errgroup.WithContext(ctx)
	var next atomic.Int64
	for range min(n, lanes) {
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
