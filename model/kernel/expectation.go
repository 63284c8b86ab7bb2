package kernel

import "math"

// Legend: N support molecules of a task, d width of a molecule's vector.

// What is expected of a molecule whatever the assay is how active training tasks found it, or would
// find it. Where actives are the potent molecules it helps. Where they are not, as in a counter-screen or
// in an assay of selectivity, it misleads. So it has a coefficient c, which the labels of the support
// set decide: the expectation counts as it is, c = 1, or turned round, c = −1, and c is the mean over
// both by their odds, exp(sure + evidence · z), with
//
//	z = Σ_i y_i e_i / √(1 + Σ_i e_i²)
//
// of the targets y (see [balanced]) and the expectations e, less their mean over the classes, of the N
// support molecules. Both constants were chosen on FS-Mol's validation tasks, as they are and with
// classes turned round (docs/lab/expectation.md).
const (
	expectedKnown = 0.3  // of the mean label that a molecule has
	expectedNew   = 0.25 // of the mean logit that the classifiers give it
	sure          = 3.0  // log-odds without a support set
	evidence      = 4.0
)

// expected is the expectation for molecule i of m without a support set.
func (t *task) expected(m molecules, i int) float64 {
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

// bearing is what the expectation adds to the score of molecule q of m.
func (t *task) bearing(m molecules, q int) float64 {
	return t.coefficient * (t.expected(m, q) - t.usual)
}

// weigh decides how much of the expectation counts, by the support set's labels [N].
func (t *task) weigh(m molecules, labels []uint8) {
	e := make([]float64, len(labels))
	var sum, of [2]float64
	for i, label := range labels {
		e[i] = t.expected(m, i)
		sum[label] += e[i]
		of[label]++
	}
	t.usual = (sum[0]/of[0] + sum[1]/of[1]) / 2
	agreement, size := 0.0, 1.0
	for i, y := range balanced(labels) {
		agreement += y * (e[i] - t.usual)
		size += (e[i] - t.usual) * (e[i] - t.usual)
	}
	t.coefficient = math.Tanh((sure + evidence*agreement/math.Sqrt(size)) / 2)
}
