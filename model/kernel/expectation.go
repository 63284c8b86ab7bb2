package kernel

import "math"

// Legend: N support molecules of a task, d width of a molecule's vector.

// The expectation for a molecule in any assay is its mean label in training tasks, or the mean logit of
// their classifiers. It helps in assays in which actives are the potent molecules. It misleads in others,
// such as counter-screens or assays of selectivity. So it has a coefficient c that depends on the labels
// of the support set: c is the mean of 1 (the expectation as it is) and −1 (the expectation reversed),
// weighted by the odds exp(sure + evidence · z), with
//
//	z = Σ_i y_i e_i / √(1 + Σ_i e_i²)
//
// over the N support molecules, with targets y (see [balanced]) and expectations e minus their mean over
// the classes. Both constants were chosen on FS-Mol's validation tasks, with the classes as they are and
// swapped (docs/lab/expectation.md).
const (
	expectedKnown = 0.3  // of the mean label that a molecule has
	expectedNew   = 0.25 // of the mean logit of the classifiers
	sure          = 3.0  // log-odds without a support set
	evidence      = 4.0
)

// expected returns the expectation for molecule i of m, before the support set is considered.
func (t *task) expected(m molecules, i int) float64 {
	return t.general(m, i) + t.hits(m, i)
}

// hits returns the part of the expectation that past assays give.
func (t *task) hits(m molecules, i int) float64 {
	if r := m.recalled(i); r.has() {
		return t.kernel.past.Weights.Hits * r.mean
	}
	return 0
}

func (t *task) general(m molecules, i int) float64 {
	if known := m.known[i]; known.entries != nil {
		return expectedKnown * known.mean
	}
	sum := 0.0
	for j, x := range m.units {
		d := len(x) / len(m.counts)
		sum += dot(x[i*d:(i+1)*d], t.common[j])
	}
	return expectedNew * sum / float64(t.Members)
}

// bearing returns the contribution of the expectation to the score of molecule q of m.
func (t *task) bearing(m molecules, q int) float64 {
	return t.coefficient * (t.expected(m, q) - t.usual)
}

// allExpected returns the expectations for all molecules of m.
func (t *task) allExpected(m molecules) []float64 {
	e := make([]float64, len(m.counts))
	for i := range e {
		e[i] = t.expected(m, i)
	}
	return e
}

// weigh sets the coefficient of the expectation, by the expectations [N] and the labels [N] of the support set.
func (r *regressions) weigh(expected []float64, labels []uint8) {
	var sum, of [2]float64
	for i, label := range labels {
		sum[label] += expected[i]
		of[label]++
	}
	r.usual = (sum[0]/of[0] + sum[1]/of[1]) / 2
	agreement, size := 0.0, 1.0
	for i, y := range balanced(labels) {
		e := expected[i] - r.usual
		agreement += y * e
		size += e * e
	}
	r.coefficient = math.Tanh((sure + evidence*agreement/math.Sqrt(size)) / 2)
}
