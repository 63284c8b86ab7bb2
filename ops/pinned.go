package ops

import (
	"cmp"
	"context"
	"runtime"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// Pinned runs f with the calling goroutine on one OS thread: libtorch keeps a pool of
// threads for each thread that calls it. threads of 0 are all cores. All work on
// tensors belongs in f, unless a tensor function does this itself.
func Pinned(threads int, f func() error) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	threads = cmp.Or(threads, runtime.NumCPU())
	SetThreads(threads)
	return f()
}

// Share does n jobs on a device side by side. On the CPU there are as many at
// a time as libtorch has threads here, each with one of them to itself: unlike
// the threads of one operation, jobs do not wait for each other at the end of
// every loop. It must be called from within Pinned. The first error, or the end
// of ctx, ends it.
//
// On a GPU they are done on its lanes, which all of the process share, and go to the
// default stream, whatever the caller's is: libtorch keeps the memory of each stream
// apart, so that streams of their own would each hold on to the gigabytes of a batch.
func Share(ctx context.Context, d Device, n int, job func(i int) error) error {
	threads := Threads()
	defer SetThreads(threads) // the number is in part the whole process's
	together := threads
	if d != CPU {
		together = GPULanes
	}
	group, ctx := errgroup.WithContext(ctx)
	var next atomic.Int64
	// work does one job after the other, each by way of do.
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
