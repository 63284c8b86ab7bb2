package ops

import (
	"context"
	"runtime"
	"sync"
)

// GPULanes is the number of jobs under way on a GPU: one assembles its batch while the
// batch of the other is computed. The limit is for the whole process, with any number of
// replicas, because every job may fill a large part of the device's memory.
const GPULanes = 2

// lanes are OS threads that run the jobs of a GPU. They last as long as the process,
// because libtorch keeps a cuBLAS handle and its workspace, 8 to 32 MB, for every thread
// that ever computed a product. New threads of Go would each have one.
type lanes struct {
	jobs  chan func()
	alone sync.RWMutex // read-locked by work that may run concurrently, locked by work that must run alone
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

// OnLane runs a job on one of the lanes of a GPU, with one thread for operations on the
// CPU, and waits for it. The job must not call OnLane, Exclusively or Concurrently. If ctx
// ends before a lane is free, OnLane returns its error.
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
// in Exclusively or Concurrently. On the CPU it only calls f. It is for rare work: a step that has
// no CUDA graph yet, and the capture of a graph. Unlike batches of queries, such a step cannot be
// halved when memory is short. During a capture, other threads must not make libtorch's allocator
// release memory, which it does when the device is full (2.0: "captures_underway == 0").
func Exclusively(d Device, f func() error) error {
	if d == CPU {
		return f()
	}
	l := lanesOf(d)
	l.alone.Lock()
	defer l.alone.Unlock()
	return f()
}

// Concurrently calls f while no other thread is in Exclusively. f must not call either.
func Concurrently(d Device, f func() error) error {
	if d == CPU {
		return f()
	}
	l := lanesOf(d)
	l.alone.RLock()
	defer l.alone.RUnlock()
	return f()
}
