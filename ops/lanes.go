package ops

import (
	"context"
	"runtime"
	"sync"
)

// GPULanes is how many jobs are under way on a GPU: one assembles its batch
// while that of the other is computed. It holds for the whole process, however many
// replicas are evaluated at a time, since every job may fill a good part of the
// device's memory.
const GPULanes = 2

// lanes do the jobs of a GPU. They are OS threads that last as long as the process:
// libtorch keeps a cuBLAS handle and its workspace, 8 to 32 MB, for every thread that
// ever made a product, and threads that Go makes anew would each have one.
type lanes struct {
	jobs  chan func()
	alone sync.RWMutex // held to read by work that may run beside other work, to write by work that must not
}

var devices struct {
	sync.Mutex
	lanes map[Device]*lanes
}

func lanesOf(d Device) *lanes {
	devices.Lock()
	defer devices.Unlock()
	l := devices.lanes[d]
	if l != nil {
		return l
	}
	l = &lanes{jobs: make(chan func())}
	if devices.lanes == nil {
		devices.lanes = map[Device]*lanes{}
	}
	devices.lanes[d] = l
	for range GPULanes {
		go func() {
			runtime.LockOSThread()
			for job := range l.jobs {
				job()
			}
		}()
	}
	return l
}

// OnLane does a job on one of the lanes of a GPU, with one thread for what of it is
// the CPU's, and waits for it. The job must not ask for a lane itself, nor for Exclusively
// or Concurrently. Where ctx ends before a lane is free, its error is returned.
func OnLane(ctx context.Context, d Device, job func() error) error {
	l, done := lanesOf(d), make(chan error, 1)
	run := func() { done <- Concurrently(d, func() error { return Pinned(1, job) }) }
	select {
	case l.jobs <- run:
		return <-done
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Exclusively calls f while no lane of a GPU has a job, and no other thread of the process is
// in Exclusively or Concurrently; on the CPU it calls f. It is for work that is launched once in a
// run: a step that has no CUDA graph yet, and the capture of one. Such a step cannot be
// halved, as batches of queries can, when memory is short. While a graph is captured,
// other threads must not make libtorch's allocator give memory back, which it does when
// the device has none left (2.0: "captures_underway == 0").
func Exclusively(d Device, f func() error) error {
	if d == CPU {
		return f()
	}
	l := lanesOf(d)
	l.alone.Lock()
	defer l.alone.Unlock()
	return f()
}

// Concurrently calls f while no other thread is in Exclusively. f must not ask for either.
func Concurrently(d Device, f func() error) error {
	if d == CPU {
		return f()
	}
	l := lanesOf(d)
	l.alone.RLock()
	defer l.alone.RUnlock()
	return f()
}
