package kernel

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"pacia/internal/each"
)

// Legend: N support molecules of a task.

// A task's score is the mean of two regressions, weighted by their odds: one on the whole kernel, with the
// expectation for a molecule, and one on structure alone, (T + T²)/2 + r R. Labels in training tasks are of
// little use in assays of another kind, such as side effects. The odds of the first regression are
// exp(preferred + strength · (E₁ − E₂)), with E = log N(y; 0, K + σ²I) the evidence of the targets y [N].
// The constants were chosen on FS-Mol's validation tasks and Tox21 (docs/lab/expectation.md).
const (
	preferred = 2.0
	strength  = 4.0
)

// average changes the task, whose regression is on the whole kernel, to the mean of both regressions. whole and
// alone [N, N] are the kernel and that of structure alone.
func (t *task) average(whole, alone [][]float64, targets []float64) error {
	beta, factor, err := regression(alone, targets, t.Noise)
	if err != nil {
		return err
	}
	var gain float64
	// With vectors both kernels have about the same diagonal, 2.3 to 3.1 and 3. Without them it is 1.1 to 1.9 and 1, and
	// the evidence would be that of the better scale (docs/lab/without-vectors.md).
	if len(t.support.vectors) > 0 && len(t.past.roots) == 0 {
		gain = logEvidence(targets, t.alpha, t.factor) - logEvidence(targets, beta, factor)
	} else if gain, err = t.scaledGain(whole, alone, targets); err != nil {
		return err
	}
	t.share = 1 / (1 + math.Exp(-preferred-strength*gain))
	floats.Scale(t.share, t.alpha)
	floats.Scale(1-t.share, beta)
	t.beta, t.coefficient = beta, t.share*t.coefficient
	return nil
}

// scaledGain returns E₁ − E₂ of kernels that are divided by their mean diagonals.
func (t *task) scaledGain(whole, alone [][]float64, targets []float64) (float64, error) {
	var evidence [2]float64
	for which, k := range [2][][]float64{whole, alone} {
		trace := 0.0
		for i := range k {
			trace += k[i][i]
		}
		factor := float64(len(k)) / trace
		scaled := each.Of(k, func(row []float64) []float64 { return floats.ScaleTo(make([]float64, len(row)), factor, row) })
		alpha, cholesky, err := regression(scaled, targets, t.Noise)
		if err != nil {
			return 0, err
		}
		evidence[which] = logEvidence(targets, alpha, cholesky)
	}
	return evidence[0] - evidence[1], nil
}

// logEvidence returns log N(y; 0, C) without its constant, given y [N], α = C⁻¹ y and the Cholesky factor of C.
func logEvidence(y, alpha []float64, factor *mat.Cholesky) float64 {
	return -(floats.Dot(y, alpha) + factor.LogDet()) / 2
}
