package pintuning

import (
	"math"
	"strings"
	"testing"

	"pacia/data"
	"pacia/harness/modeltest"
	"pacia/model"
)

// small returns the settings of a narrow model, with the published settings edited by change.
func small(t *testing.T, change func(*Settings)) model.Config {
	t.Helper()
	return modeltest.SmallWith(t, Spec, func(s *Settings) {
		s.Properties.Similarity, s.Adapter.Width = 3, 2
		if change != nil {
			change(s)
		}
	})
}

func pairs(t *testing.T, d *data.Dataset) *data.Batch { return modeltest.Pairs(t, d, 3) }

// TestSlope: second-order gradients, with the contrast and the consolidation, are the slope of the loss,
// with dropout and one or two inner steps, and on kernels with two.
func TestSlope(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	slope := func(steps int) func(*testing.T) {
		return func(t *testing.T) {
			d := modeltest.Four()
			c := small(t, func(s *Settings) {
				s.Contrast.Weight, s.Contrast.Temperature = 0.7, 0.5
				s.Adaptation.Steps, s.Adapter.Consolidation = steps, 0.7
			})
			c.Dropout = 0.2
			m, b := modeltest.Remembering(t, Spec, c, d), pairs(t, d)
			_, grads := modeltest.Backward(t, m, b, 1)
			slope, difference := modeltest.Slope(t, m, data.Rand(1, "slope", 0), grads, b)
			if math.Abs(slope-difference) > 1e-6*(1+math.Abs(slope)) {
				t.Errorf("the gradients give the slope %v, differences %v", slope, difference)
			}
		}
	}
	modeltest.Run(t, "1", slope(1))
	modeltest.RunBoth(t, "2", slope(2))
}

// TestFrozen: a pretrained file has an encoder, which is frozen, and no readout, which is trained.
func TestFrozen(t *testing.T) {
	modeltest.Locked(t, 1)
	c := small(t, nil)
	c.Readout, c.Pretrained = "combined", "any name, to freeze the encoder"
	m := modeltest.New(t, Spec, c, model.Options{Tasks: []int{0, 1}})
	parts := map[string]bool{}
	for _, p := range m.Parameters() {
		parts[p.Part] = true
	}
	if parts["encoder"] || !parts["readout"] || !parts["adapters"] {
		t.Errorf("the trained parts are %v, want the readout and the adapters among them, but not the encoder", parts)
	}
	for _, p := range m.Buffers() {
		if strings.HasPrefix(p.Name, "readout.") {
			t.Errorf("%s is not trained", p.Name)
		}
	}
}
