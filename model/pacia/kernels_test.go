package pacia

import (
	"os"
	"slices"
	"strings"
	"testing"

	"pacia/data/molecule"
	"pacia/harness/modeltest"
	"pacia/model"
	"pacia/ops"
)

// onKernels takes a training step, adapts and scores with new models, on the loops
// for the CPU and then on the kernels for a GPU.
func onKernels(t *testing.T, c config, store *molecule.Store) (loops, kernels modeltest.Outcome) {
	t.Helper()
	return modeltest.OnKernels(t, func() modeltest.Outcome { return modeltest.OutcomeOf(t, Spec, c.whole(), store) })
}

// TestKernelsAndLoops: every setting gives the same results on the kernels for a GPU
// as on the loops for the CPU, also with dropout. In float64 the order of sums
// changes an addition by 1e-16. The tolerance for all layers is 1e-9 of a stage's
// largest entry, and of the largest gradient for gradients that are 0 up to rounding.
func TestKernelsAndLoops(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	films := []string{"affine", "scale", "unit"}
	depths := []string{"nodes", "expected", "uniform"}
	store := modeltest.RandomStore(3, 24)
	for _, preset := range []string{model.Paper, model.Reference} {
		for i, both := range [][2]string{{"none", "none"}, {"N", "D"}, {"D", "N"}, {"ND", "ND"}, {"N", "none"}, {"none", "ND"}, {"none", "D"}} {
			c := small(t, preset)
			c.Dropout, c.Hyper.Dropout = 0.3, 0.2
			if both == [2]string{"none", "D"} { // one call of the hypernetwork for all relation layers
				c.Dropout, c.Hyper.Dropout = 0, 0
			}
			c.Adapt = Adapt{both[0], both[1]}
			if both[0] == "ND" {
				c.Relation.Hidden = 10
			}
			c.Film, c.DepthLoss = films[i%3], depths[(i+i/3)%3]
			t.Run(strings.Join([]string{preset, both[0], both[1], c.Film, c.DepthLoss}, "/"), func(t *testing.T) {
				loops, kernels := onKernels(t, c, store)
				kernels.Close(t, loops, 1e-9)
			})
		}
	}
}

// TestKernelsInAnyOrder: the threads of a kernel give the same bits in any order.
// Without a barrier between a write and a read of another thread they would not.
func TestKernelsInAnyOrder(t *testing.T) {
	if os.Getenv("PACIA_TEST_DEVICE") != "" {
		t.Skip("the order of a GPU's threads cannot be set")
	}
	store := modeltest.RandomStore(3, 24)
	for _, preset := range []string{model.Paper, model.Reference} {
		t.Run(preset, func(t *testing.T) {
			c := trainable(t, preset)
			c.Adapt = Adapt{"ND", "ND"}
			modeltest.Emulated(t)
			want := modeltest.OutcomeOf(t, Spec, c.whole(), store)
			ops.EmulateBackwards()
			got := modeltest.OutcomeOf(t, Spec, c.whole(), store)
			for name, w := range want {
				if !slices.Equal(got[name], w) {
					t.Errorf("%s differs if threads run in the other order", name)
				}
			}
		})
	}
}
