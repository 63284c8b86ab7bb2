package ops

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
)

// device is a number that no machine has: lanes are threads, and need no device.
const device Device = 77

// TestLanesAreTheProcesss: several users of one GPU never run more jobs at a time than it
// has lanes. All jobs are done, by the same threads.
func TestLanesAreTheProcesss(t *testing.T) {
	var now, most, done atomic.Int64
	var threads sync.Map
	var all sync.WaitGroup
	for range 5 {
		all.Go(func() {
			err := Pinned(1, func() error {
				return Share(context.Background(), device, 20, func(int) error {
					n := now.Add(1)
					for m := most.Load(); n > m; m = most.Load() {
						if most.CompareAndSwap(m, n) {
							break
						}
					}
					threads.Store(syscall.Gettid(), true)
					done.Add(1)
					now.Add(-1)
					return nil
				})
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	used := 0
	threads.Range(func(any, any) bool { used++; return true })
	if most.Load() > GPULanes || used > GPULanes || done.Load() != 100 {
		t.Errorf("%d jobs at a time on %d threads, %d done; want at most %d of each, and 100", most.Load(), used, done.Load(), GPULanes)
	}
}

// TestErrorsOfLanes: an error of a job is returned, ends its Share, and leaves the lane free
// for others. The end of a context ends the wait for a lane.
func TestErrorsOfLanes(t *testing.T) {
	wrong := errors.New("wrong")
	err := Pinned(1, func() error {
		return Share(context.Background(), device, 1000, func(int) error { return wrong })
	})
	if !errors.Is(err, wrong) {
		t.Errorf("got %v, want the job's error", err)
	}
	begun, end := make(chan bool), make(chan bool)
	var busy sync.WaitGroup
	for range GPULanes {
		busy.Go(func() {
			_ = OnLane(context.Background(), device, func() error { begun <- true; <-end; return nil })
		})
	}
	for range GPULanes {
		<-begun
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := OnLane(ctx, device, func() error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("all lanes are taken: got %v, want that the context ended", err)
	}
	close(end)
	busy.Wait()
}

// TestAlone: during work in Exclusively there is no job and no other work in Exclusively.
func TestAlone(t *testing.T) {
	var beside, alone atomic.Int64
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 50 {
				_ = OnLane(context.Background(), device, func() error {
					beside.Add(1)
					defer beside.Add(-1)
					if alone.Load() > 0 {
						t.Error("a job runs during Exclusively")
					}
					return nil
				})
			}
		})
		all.Go(func() {
			for range 50 {
				_ = Exclusively(device, func() error {
					if alone.Add(1) > 1 || beside.Load() > 0 {
						t.Error("Exclusively runs during a job or other exclusive work")
					}
					alone.Add(-1)
					return nil
				})
			}
		})
	}
	all.Wait()
}
