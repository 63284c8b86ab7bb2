package kernel

import (
	"math"
	"testing"

	"pacia/model/shared/counts"
)

// TestCoefficient: a support set that contradicts the expectation reverses it, and one that agrees or is
// neutral keeps it. A molecule that is not in training tasks has no effect.
func TestCoefficient(t *testing.T) {
	of := func(labels []uint8, means ...float64) *task {
		m := molecules{counts: make([]counts.Vector, len(means)), known: make([]row, len(means))}
		for i, mean := range means {
			if mean != 0 {
				m.known[i] = row{entries: []entry{{task: 0, value: 1}}, mean: mean}
			}
		}
		tk := &task{kernel: &kernel{Settings: Settings{Members: 1}}}
		tk.weigh(tk.allExpected(m), labels)
		return tk
	}
	labels := []uint8{0, 0, 0, 0, 1, 1, 1, 1}
	nothing := math.Tanh(1.5)
	for _, c := range []struct {
		what     string
		means    []float64
		from, to float64
	}{
		{"unknown molecules", make([]float64, 8), nothing, nothing},
		{"equal expectations", []float64{1, 1, 1, 1, 1, 1, 1, 1}, nothing, nothing},
		{"agreement", []float64{-3, -2, -3, -2, 2, 3, 2, 3}, 0.999, 1},
		{"contradiction", []float64{3, 2, 3, 2, -2, -3, -2, -3}, -1, -0.9},
		{"a little contradiction", []float64{0.1, 0, 0, 0, -0.1, 0, 0, 0}, 0.8, nothing - 1e-3},
	} {
		got := of(labels, c.means...).coefficient
		if !(got >= c.from-1e-12 && got <= c.to+1e-12) {
			t.Errorf("%s: the coefficient is %v, want %v to %v", c.what, got, c.from, c.to)
		}
	}
	// Three actives to one inactive: the mean over the classes, and targets of 2/3 and −2.
	tk := of([]uint8{1, 1, 1, 0}, 1, 2, 3, 1)
	if math.Abs(tk.usual-0.45) > 1e-12 {
		t.Errorf("the mean over the classes is %v, want 0.3 · (2 + 1)/2", tk.usual)
	}
	e := [4]float64{-0.15, 0.15, 0.45, -0.15}
	z := (2./3*(e[0]+e[1]+e[2]) - 2*e[3]) / math.Sqrt(1+e[0]*e[0]+e[1]*e[1]+e[2]*e[2]+e[3]*e[3])
	if want := math.Tanh((3 + 4*z) / 2); math.Abs(tk.coefficient-want) > 1e-12 {
		t.Errorf("the coefficient is %v, want %v", tk.coefficient, want)
	}
}
