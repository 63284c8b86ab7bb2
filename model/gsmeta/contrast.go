package gsmeta

import (
	"math"

	"pacia/internal/each"
)

// Legend: S tasks of a step, d width of a vector.

// contrast returns the mean cross entropy over vectors [2S][d] and its gradients by the vectors.
// Vectors i and j = i ^ 1 are of one task. The cross entropy of i is that of picking j among all
// other vectors by their cosines divided by τ: −log(e^{c_ij/τ} / Σ_{k≠i} e^{c_ik/τ}).
func contrast(vectors [][]float64, temperature float64) (loss float64, gradients [][]float64) {
	n := len(vectors)
	units, lengths := make([][]float64, n), make([]float64, n)
	for i, v := range vectors {
		lengths[i] = max(math.Sqrt(dot(v, v)), 1e-12)
		units[i] = scaled(v, 1/lengths[i])
	}
	toward := make([][]float64, n) // gradients by the unit vectors
	for i := range toward {
		toward[i] = make([]float64, len(vectors[i]))
	}
	for i := range n {
		most := math.Inf(-1)
		cosines := make([]float64, n)
		for j := range n {
			if j != i {
				cosines[j] = dot(units[i], units[j]) / temperature
				most = max(most, cosines[j])
			}
		}
		sum := 0.0
		for j := range n {
			if j != i {
				sum += math.Exp(cosines[j] - most)
			}
		}
		loss += (most + math.Log(sum) - cosines[i^1]) / float64(n)
		for j := range n {
			if j == i {
				continue
			}
			slope := math.Exp(cosines[j]-most) / sum
			if j == i^1 {
				slope--
			}
			slope /= temperature * float64(n)
			add(toward[i], units[j], slope)
			add(toward[j], units[i], slope)
		}
	}
	for i, g := range toward {
		add(g, units[i], -dot(g, units[i]))
		gradients = append(gradients, scaled(g, 1/lengths[i]))
	}
	return loss, gradients
}

func dot(x, y []float64) (sum float64) {
	for i := range x {
		sum += x[i] * y[i]
	}
	return sum
}

func scaled(x []float64, by float64) []float64 {
	return each.Of(x, func(v float64) float64 { return by * v })
}

// add adds by·y to x.
func add(x, y []float64, by float64) {
	for i := range x {
		x[i] += by * y[i]
	}
}
