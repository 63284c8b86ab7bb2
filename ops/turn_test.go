package ops_test

import (
	"fmt"
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/harness/opstest"
	"pacia/ops"
)

// TestOneThreadAtATimeIsInsideAnOperation: threads that compute on a device take turns,
// forward and backward, because libtorch 2.0 has no lock where their products need one. The
// emulator takes the place of the device and counts the threads that meet.
func TestOneThreadAtATimeIsInsideAnOperation(t *testing.T) {
	before := ops.Overlaps()
	t.Run("threads", func(t *testing.T) {
		for seed := range uint64(4) {
			t.Run(fmt.Sprint(seed), func(t *testing.T) {
				t.Parallel()
				opstest.Locked(t, 1)
				ops.Emulate(true)
				t.Cleanup(func() { ops.Emulate(false) })
				for range 5 {
					opstest.Computed(t, seed, false, func(l *opstest.Lab) *ts.Tensor {
						layers := []ops.Linear{l.Linear("mlp", 33, 33, true, ops.Leaky|ops.Residual)}
						return l.Must(ops.MLP(l.Leaf("x", 0, 1, 300, 33), layers, ops.Mode{Training: true}))
					})
				}
			})
		}
	})
	if n := ops.Overlaps() - before; n > 0 {
		t.Errorf("%d kernels began while another thread was inside one", n)
	}
}

// TestRowsKeepTheirThreadsBusy: a row has no more threads than are needed to process its
// elements in as few passes as 256 threads need, with an even share for each.
func TestRowsKeepTheirThreadsBusy(t *testing.T) {
	for d, want := range map[int64]int{0: 32, 1: 32, 32: 32, 33: 64, 256: 256, 257: 160, 300: 160, 512: 256, 600: 224, 1200: 256} {
		if got := ops.RowThreads(d); got != want {
			t.Errorf("a row of %d elements has %d threads, want %d", d, got, want)
		}
	}
}
