package ops

import (
	"sync"
	"testing"

	"github.com/sugarme/gotch/ts"
)

// TestTensorsOfManyThreadsAreAllFreed: each has a name of its own, under which
// gotch lists it until it is dropped.
func TestTensorsOfManyThreadsAreAllFreed(t *testing.T) {
	const threads, each = 8, 500
	before := len(ts.ExistingTensors)
	var made [threads][]*ts.Tensor
	var running sync.WaitGroup
	for i := range made {
		running.Go(func() {
			for range each {
				x, err := New([]float32{1, 2}, []int64{2}, CPU)
				if err != nil {
					t.Error(err)
					return
				}
				made[i] = append(made[i], x)
			}
		})
	}
	running.Wait()
	if n := len(ts.ExistingTensors) - before; n != threads*each {
		t.Errorf("%d of %d tensors are listed", n, threads*each)
	}
	for _, list := range made {
		Drop(list...)
	}
}
