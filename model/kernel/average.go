package kernel

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
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

// average changes the task, whose regression is on the whole kernel, to the mean of both regressions. alone
// [N, N] is the kernel of structure alone.
func (t *task) average(alone [][]float64, targets []float64) error {
	beta, factor, err := regression(alone, targets, t.Noise)
	if err != nil {
		return err
	}
	odds := preferred + strength*(logEvidence(targets, t.alpha, t.factor)-logEvidence(targets, beta, factor))
	t.share = 1 / (1 + math.Exp(-odds))
	floats.Scale(t.share, t.alpha)
	floats.Scale(1-t.share, beta)
	t.beta, t.coefficient = beta, t.share*t.coefficient
	return nil
}

// logEvidence returns log N(y; 0, C) without its constant, given y [N], α = C⁻¹ y and the Cholesky factor of C.
func logEvidence(y, alpha []float64, factor *mat.Cholesky) float64 {
	return -(floats.Dot(y, alpha) + factor.LogDet()) / 2
}
