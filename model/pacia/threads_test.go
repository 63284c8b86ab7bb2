package pacia

import (
	"fmt"
	"slices"
	"testing"

	"pacia/harness/modeltest"
	"pacia/model"
	"pacia/ops"
)

// steps trains for n steps from one seed and returns every parameter and
// running average, and the losses.
func steps(t *testing.T, c config, threads, n int) (losses []float64, values map[string][]float64) {
	t.Helper()
	ops.SetThreads(threads)
	m := newTest(t, c, false)
	adam := modeltest.Optimiser(t, m)
	store := modeltest.RandomStore(10, 60)
	b := modeltest.Readable(m, modeltest.Joined(t, store, modeltest.Task(0, 5, 8), modeltest.Task(20, 5, 10), modeltest.Task(40, 5, 6)))
	for k := range n {
		loss, err := m.Backward(b, uint64(k))
		if err != nil {
			t.Fatal(err)
		}
		losses = append(losses, loss)
		if k == n-1 {
			break // keep the last gradients
		}
		if _, err := adam.Step(); err != nil {
			t.Fatal(err)
		}
	}
	values = map[string][]float64{}
	for _, p := range slices.Concat(m.Parameters(), m.Buffers()) {
		v, err := ops.ReadAs[float64](p.Tensor)
		if err != nil {
			t.Fatal(err)
		}
		values[p.Name] = v
		if values["gradient of "+p.Name], err = ops.Gradient(p.Tensor); err != nil {
			t.Fatal(err)
		}
	}
	return losses, values
}

// trainable returns a preset of moderate size, with dropout.
func trainable(t *testing.T, preset string) config {
	t.Helper()
	c := small(t, preset)
	c.Width, c.Relation.Width = 40, 24
	c.Dropout, c.Hyper.Dropout = 0.5, 0.1
	return c
}

// TestStepOnThreads: another number of threads splits sums differently, which changes
// an addition in float32 by 6e-8. The tolerance is 1e-5 of a stage's largest entry,
// for some hundred additions. The gradient of a bias before a batch norm consists of
// rounding errors. So gradients below 1e-6 of the largest are not compared.
func TestStepOnThreads(t *testing.T) {
	for _, preset := range []string{model.Paper, model.Reference} {
		t.Run(preset, func(t *testing.T) {
			modeltest.Locked(t, 1)
			wantLoss, want := steps(t, trainable(t, preset), 1, 1)
			largest := 0.0
			for _, v := range want {
				largest = max(largest, slices.Max(append(v, 0)))
			}
			loss, got := steps(t, trainable(t, preset), 2, 1)
			modeltest.Close(t, "loss", loss, wantLoss, 1e-5)
			for name, v := range want {
				if len(v) > 0 && slices.Max(v) > 1e-6*largest {
					modeltest.Close(t, name, got[name], v, 1e-5)
				}
			}
		})
	}
}

// TestRunsRepeat: two runs with one seed on two threads are equal bit for bit after
// several steps.
func TestRunsRepeat(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	pna := trainable(t, model.Paper).of("pna")
	pna.Width, pna.Readout, pna.Jump = 40, "combined", "concat"
	for name, c := range map[string]config{model.Paper: trainable(t, model.Paper), model.Reference: trainable(t, model.Reference), "pna": pna, "film": trainable(t, model.Paper).of("film")} {
		t.Run(name, func(t *testing.T) {
			modeltest.Locked(t, 2)
			wantLoss, want := steps(t, c, 2, 4)
			for k := range 2 {
				loss, got := steps(t, c, 2, 4)
				if !slices.Equal(loss, wantLoss) {
					t.Errorf("losses %v, then %v", wantLoss, loss)
				}
				for name, v := range want {
					if !slices.Equal(got[name], v) {
						t.Errorf("%s differs in run %s", name, fmt.Sprint(k+2))
					}
				}
			}
		})
	}
}
