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

// regressions are those of a support set.
type regressions struct {
	alpha       []float64     // [N] of the whole kernel
	factor      *mat.Cholesky // of the whole kernel with its noise
	beta        []float64     // [N] of structure alone
	share       float64       // of the whole kernel
	usual       float64       // the mean over classes of the expectations for support molecules
	coefficient float64       // of the expectation for a molecule; see expectation.go
}

// learn learns labels [N]. whole and alone [N, N] are the kernel and that of structure alone, alike if their diagonals are about
// the same; expected [N] are the expectations.
func (r *regressions) learn(whole, alone [][]float64, expected []float64, labels []uint8, noise float64, alike bool) (err error) {
	targets := balanced(labels)
	r.weigh(expected, labels)
	if r.alpha, r.factor, err = regression(whole, targets, noise); err != nil {
		return err
	}
	var factor *mat.Cholesky
	if r.beta, factor, err = regression(alone, targets, noise); err != nil {
		return err
	}
	var gain float64
	// With vectors both kernels have about the same diagonal, 2.3 to 3.1 and 3. Without them it is 1.1 to 1.9 and 1, and
	// the evidence would be that of the better scale (docs/lab/without-vectors.md).
	if alike {
		gain = logEvidence(targets, r.alpha, r.factor) - logEvidence(targets, r.beta, factor)
	} else if gain, err = scaledGain(whole, alone, targets, noise); err != nil {
		return err
	}
	r.share = 1 / (1 + math.Exp(-preferred-strength*gain))
	floats.Scale(r.share, r.alpha)
	floats.Scale(1-r.share, r.beta)
	r.coefficient *= r.share
	return nil
}

// scaledGain returns E₁ − E₂ of kernels that are divided by their mean diagonals.
func scaledGain(whole, alone [][]float64, targets []float64, noise float64) (float64, error) {
	var evidence [2]float64
	for which, k := range [2][][]float64{whole, alone} {
		trace := 0.0
		for i := range k {
			trace += k[i][i]
		}
		factor := float64(len(k)) / trace
		scaled := each.Of(k, func(row []float64) []float64 { return floats.ScaleTo(make([]float64, len(row)), factor, row) })
		alpha, cholesky, err := regression(scaled, targets, noise)
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
