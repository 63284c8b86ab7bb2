package ops

import (
	"cmp"
	"context"
	"runtime"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// Pinned runs f with the calling goroutine locked to one OS thread, because libtorch keeps
// a pool of threads for each thread that calls it. threads of 0 means all cores. All work
// on tensors belongs in f, except functions that do this themselves.
func Pinned(threads int, f func() error) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	threads = cmp.Or(threads, runtime.GOMAXPROCS(0))
	SetThreads(threads)
	return f()
}

// Share runs n jobs on a device concurrently. On the CPU it runs as many at a time as
// libtorch has threads here, each with one thread. Unlike the threads of one operation,
// jobs do not wait for each other at the end of every loop. Share must be called from
// within Pinned. It ends with the first error, or when ctx ends.
//
// On a GPU the jobs run on its lanes, which the whole process shares, and on the default
// stream. libtorch keeps the memory of each stream separately, so that separate streams
// would each keep the gigabytes of a batch.
func Share(ctx context.Context, d Device, n int, job func(i int) error) error {
	threads := Threads()
	defer SetThreads(threads) // part of this setting is global to the process
	together := threads
	if d != CPU {
		together = GPULanes
	}
	group, ctx := errgroup.WithContext(ctx)
	var next atomic.Int64
	// work runs one job after the other, each through do.
	work := func(do func(func() error) error) error {
		for i := next.Add(1) - 1; i < int64(n); i = next.Add(1) - 1 {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := do(func() error { return job(int(i)) }); err != nil {
				return err
			}
		}
		return nil
	}
	for range min(n, together) {
		group.Go(func() error {
			if d != CPU {
				return work(func(job func() error) error { return OnLane(ctx, d, job) })
			}
			return Pinned(1, func() error { return work(func(job func() error) error { return job() }) })
		})
	}
	return group.Wait()
}
