package probe

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// Legend: N support molecules, d width of a vector; two classes, inactive first.

// Adam's published settings, and the largest norm of a gradient.
const (
	beta1, beta2, epsilon = 0.9, 0.999, 1e-8
	clip                  = 1.0
)

// fit returns the classes of a support set with the vectors z [N, d].
func (s Settings) fit(z [][]float64, labels []uint8) [2]*class {
	f := newFitting(s, z, labels)
	for range s.Steps {
		f.step()
	}
	return f.classes
}

// fitting is the state of a fit.
type fitting struct {
	Settings
	z       [][]float64
	labels  []uint8
	classes [2]*class

	gradient, first, second []float64 // [2d] of both means, and Adam's averages
	steps                   int       // steps
	room                    [2]*room
}

func newFitting(s Settings, z [][]float64, labels []uint8) *fitting {
	var of [2][][]float64
	for i, label := range labels {
		of[label] = append(of[label], z[i])
	}
	d := len(z[0])
	f := &fitting{Settings: s, z: z, labels: labels, gradient: make([]float64, 2*d), first: make([]float64, 2*d), second: make([]float64, 2*d)}
	for k := range f.classes {
		f.classes[k], f.room[k] = newClass(of[k], d, s.Shrinkage), newRoom(len(z), d)
	}
	return f
}

// step makes a step of Adam on the means and recomputes the precision matrices.
func (f *fitting) step() {
	f.slope()
	if norm := floats.Norm(f.gradient, 2); norm > clip {
		floats.Scale(clip/(norm+1e-6), f.gradient) // as torch.nn.utils.clip_grad_norm_ does
	}
	f.steps++
	d, rate := len(f.classes[0].mean), f.Rate/(1-math.Pow(beta1, float64(f.steps)))
	unbiased := 1 / (1 - math.Pow(beta2, float64(f.steps)))
	for i, g := range f.gradient {
		f.first[i] = beta1*f.first[i] + (1-beta1)*g
		f.second[i] = beta2*f.second[i] + (1-beta2)*g*g
		f.classes[i/d].mean[i%d] -= rate * f.first[i] / (math.Sqrt(unbiased*f.second[i]) + epsilon)
	}
	for _, c := range f.classes {
		c.follow()
	}
}

// slope computes the mean cross entropy of the support set and its gradient, and returns the former.
//
// The derivative of a squared distance by w is −2 (1 − c Σ_j (z_j − w)ᵀ M u) M u with u = z − w. The sum
// comes from the change of M with w.
func (f *fitting) slope() (loss float64) {
	clear(f.gradient)
	d := len(f.classes[0].mean)
	for i, z := range f.z {
		var logits [2]float64
		for k, c := range f.classes {
			logits[k] = -f.Temperature * c.distance(z, f.room[k])
		}
		label := int(f.labels[i])
		margin := logits[label] - logits[1-label]
		missed := 1 / (1 + math.Exp(margin)) // 1 − P(label)
		loss += (max(0, -margin) + math.Log1p(math.Exp(-math.Abs(margin)))) / float64(len(f.z))
		for k, c := range f.classes {
			pulled := c.pull(f.room[k])
			weight := 2 * f.Temperature * missed / float64(len(f.z))
			if k == label {
				weight = -weight // decreases the distance to the molecule's own class
			}
			floats.AddScaled(f.gradient[k*d:(k+1)*d], weight*(1-c.spread()*c.along(pulled)), pulled)
		}
	}
	return loss
}

// along returns the sum over the class's molecules of (z_j − w)ᵀ x.
func (c *class) along(x []float64) (sum float64) {
	for i := range c.z {
		sum += floats.Dot(c.rows.RawRowView(i), x)
	}
	return sum
}
