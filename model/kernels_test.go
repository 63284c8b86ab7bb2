package model

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pacia/data"
	"pacia/ops"
)

// outcome is what a model calculates: by name, in float64.
type outcome map[string][]float64

// outcomeOf takes a training step, adapts and scores with a new model.
func outcomeOf(t *testing.T, c Config, store *data.Store) outcome {
	t.Helper()
	m := newTest(t, c, true)
	loss, grads := backward(t, m, joined(t, store, task(0, 3, 4), task(12, 3, 2)), 5)
	o := outcome{"loss": {loss}}
	for name, g := range grads {
		o["gradient of "+name] = g
	}
	for _, b := range m.Buffers() {
		o[b.Name] = values(t, b)
	}
	prob, depth := scores(t, m, adapted(t, m, store, task(0, 3, 0)), store, []int32{9, 10, 11, 12, 13}, 3)
	o["P(active)"] = prob
	for _, d := range depth {
		o["depth"] = append(o["depth"], float64(d))
	}
	return o
}

// TestKernelsAndLoops: every setting gives the same on the kernels for a GPU as
// on the loops for the CPU, dropout and all. In float64 the order of sums is
// felt at 1e-16 an addition; 1e-9 of a stage's largest entry, and of the largest
// gradient where a gradient is nothing but rounding, leaves room for the layers.
func TestKernelsAndLoops(t *testing.T) {
	films := []string{"affine", "scale", "unit"}
	depths := []string{"nodes", "expected", "uniform"}
	store := randomStore(3, 24)
	for _, preset := range []string{Paper, Reference} {
		for i, both := range [][2]string{{"none", "none"}, {"N", "D"}, {"D", "N"}, {"ND", "ND"}, {"N", "none"}, {"none", "ND"}, {"none", "D"}} {
			c := small(t, preset)
			c.Dropout, c.Hyper.Dropout = 0.3, 0.2
			if both == [2]string{"none", "D"} { // all relation layers go through the hypernetwork together
				c.Dropout, c.Hyper.Dropout = 0, 0
			}
			c.Adapt = AdaptConfig{both[0], both[1]}
			if both[0] == "ND" {
				c.Relation.Hidden = 10
			}
			c.Film, c.DepthLoss = films[i%3], depths[(i+i/3)%3]
			t.Run(strings.Join([]string{preset, both[0], both[1], c.Film, c.DepthLoss}, "/"), func(t *testing.T) {
				locked(t, 2)
				want := outcomeOf(t, c, store)
				emulated(t)
				got := outcomeOf(t, c, store)
				largest := 0.0
				for name, v := range want {
					if strings.HasPrefix(name, "gradient") && len(v) > 0 {
						largest = max(largest, slices.Max(v), -slices.Min(v))
					}
				}
				for name, w := range want {
					if len(w) != len(got[name]) {
						t.Errorf("%s has %d entries, want %d", name, len(got[name]), len(w))
						continue
					}
					scale := 1.0
					if strings.HasPrefix(name, "gradient") {
						scale = largest
					}
					for k := range w {
						if d := got[name][k] - w[k]; !(d < 1e-9*scale && -d < 1e-9*scale) {
							t.Errorf("%s: entry %s is %v, want %v", name, fmt.Sprint(k, " of ", len(w)), got[name][k], w[k])
							break
						}
					}
				}
			})
		}
	}
}

// TestKernelsInAnyOrder: the threads of a kernel give the same bits whichever
// comes first. One that read what another wrote, without a barrier between them,
// would not.
func TestKernelsInAnyOrder(t *testing.T) {
	store := randomStore(3, 24)
	for _, preset := range []string{Paper, Reference} {
		t.Run(preset, func(t *testing.T) {
			c := trainable(t, preset)
			c.Adapt = AdaptConfig{"ND", "ND"}
			emulated(t)
			if where != "cpu" {
				t.Skip("the order of a GPU's threads is its own")
			}
			want := outcomeOf(t, c, store)
			ops.EmulateBackwards()
			got := outcomeOf(t, c, store)
			for name, w := range want {
				if !slices.Equal(got[name], w) {
					t.Errorf("%s differs where threads run in the other order", name)
				}
			}
		})
	}
}
