package probe

import (
	"fmt"
	"slices"
	"testing"

	"pacia/harness/golden"
	"pacia/harness/modeltest"
)

// fixture holds the results of the published code (repository Strong-Baseline-Molecular-FSL of the authors,
// fs_mol/models/qprobe.py with the loop of simple_baseline_eval.py), run in float64 on random vectors.
type fixture []struct {
	Temperature, Shrinkage, Rate float64
	Support, Queries             [][]float64 // [N][d], [Q][d] before they are scaled to length 1
	Labels                       []uint8
	Steps                        []struct {
		Loss, Norm  float64   // of the gradient, before it is clipped
		Means       []float64 // [2·d]
		Probability []float64 // [Q] of active
	}
}

// TestPublished compares losses, gradients, means and probabilities of every step with the published
// code. The fixture has 12 digits.
func TestPublished(t *testing.T) {
	var cases fixture
	golden.Decode(t, golden.Fixture(t, "qprobe_reference.json.gz"), &cases)
	for i, c := range cases {
		for _, v := range slices.Concat(c.Support, c.Queries) {
			shorten(v)
		}
		s := Settings{Shrinkage: c.Shrinkage, Temperature: c.Temperature, Rate: c.Rate}
		f := newFitting(s, c.Support, c.Labels)
		for n, want := range c.Steps {
			loss := f.slope()
			got := []float64{loss, norm(f.gradient)}
			got = append(got, slices.Concat(f.classes[0].mean, f.classes[1].mean)...)
			for _, q := range c.Queries {
				got = append(got, probability(f.classes, q, c.Temperature))
			}
			modeltest.Near(t, fmt.Sprintf("case %d after %d steps: loss, norm, means and probabilities", i, n), got,
				slices.Concat([]float64{want.Loss, want.Norm}, want.Means, want.Probability), 1e-10)
			f.step()
		}
	}
}
