package kernel

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// Legend: N support molecules of a task, d width of a molecule's vector.

// The kernel of two molecules is
//
//	u · a_i a_j · mean over members of ⟨x̂_i, x̂_j⟩ + L_ij + b_i b_j · ((T_ij + T_ij²) / 2 + r R_ij)
//
// L is the cosine of the known labels of both in training tasks. It is smaller if these are few, 0 if
// either has none, and 1 for a known molecule with itself. T is the Tanimoto coefficient of their
// fingerprints. R_ij = exp(−‖v_i − v_j‖² / W) compares vectors v of a pretrained encoder, with W entries
// of mean 0 and deviation 1. It is 0 if model.minimol is false. Known molecules are compared mainly by
// learnt vectors. For a new molecule the fingerprint is more informative than these. T² favours
// molecules that are very similar to the support's, for libraries of many series. Each term is positive
// semidefinite, and so is the kernel.
//
// The weights were chosen on assays that the encoders were not trained on, single ones and ones merged by
// targets, and on FS-Mol's validation tasks (docs/lab/recipe.md, and for r docs/lab/minimol-panels.md).
// For values, u and r are different, and were chosen on the same tasks (docs/lab/potency-vectors.md).
const (
	learntKnown    = 0.8367 // a of known molecules, √0.7
	learntNew      = 0.251  // a of new ones, 0.3 √0.7
	structureKnown = 0.4472 // b of known molecules, √0.2; 1 of new ones
)

// shares are the weights u of the learnt vectors and r of the pretrained encoder's vectors in the kernel.
type shares struct{ learnt, vectors float64 }

var ofLabels, ofValues = shares{1, 2}, shares{0.5 / 0.7, 1.5}

// weights returns the weights of a molecule in the kernel of a task: √u a and b.
func (t *task) weights(known bool) (learnt, structure float64) {
	learnt, structure = weights(known)
	return math.Sqrt(t.shares.learnt) * learnt, structure
}

// weights returns a and b of a molecule.
func weights(known bool) (learnt, structure float64) {
	if known {
		return learntKnown, structureKnown
	}
	return learntNew, 1
}

// sharpened returns the kernel's function of a Tanimoto coefficient.
func sharpened(t float64) float64 { return (t + t*t) / 2 }

// vectorSimilarity returns R of two vectors: 0 if they are empty or not finite.
func vectorSimilarity(u, v []float32) float64 {
	if len(u) == 0 {
		return 0
	}
	var sum float32
	for i, x := range u {
		d := x - v[i]
		sum += d * d
	}
	if math.IsNaN(float64(sum)) {
		return 0
	}
	return math.Exp(-float64(sum) / float64(len(u)))
}

// compare compares molecule i of m with the support molecules. It sets the task's buffers:
// cosines to L, pasts to the term of past assays, structure to b_i b_j · ((T + T²)/2 + r R), and plain to the same without weights.
func (t *task) compare(m molecules, i int) {
	_, own := t.weights(m.known[i].entries != nil)
	t.index.Tanimoto(m.counts[i], t.structure)
	clear(t.cosines)
	t.labels.cosines(m.known[i].entries, 1, t.cosines)
	t.past.term(m.recalled(i), t.pasts)
	for j, c := range t.structure {
		t.plain[j] = sharpened(c) + t.shares.vectors*vectorSimilarity(m.vector(i), t.support.vector(j))
		t.structure[j] = own * t.structureWeight[j] * t.plain[j]
	}
}

// terms returns what compare sets for query q: cosines, pasts and structure [N].
func (t *task) terms(q int) (cosines, pasts, structure []float64) {
	n := len(t.beta)
	of := t.near[3*n*q : 3*n*(q+1)]
	return of[:n], of[n : 2*n], of[2*n:]
}

// vector returns the pretrained encoder's vector of molecule i, or nil.
func (m *molecules) vector(i int) []float32 {
	width := len(m.vectors) / max(1, len(m.counts))
	return m.vectors[i*width : (i+1)*width]
}

// joined returns the kernel of the support molecules [N, N], whole and of structure alone.
func (t *task) joined(m molecules) (k, alone [][]float64) {
	k, alone = t.compared(m, true)
	for i, near := range t.past.terms(m.past, len(m.past), true) {
		floats.Add(k[i], near)
	}
	return k, alone
}

// compared returns the kernel of molecules m with the support molecules [m, N], without past assays, and that of structure alone.
// itself is set if m are the support molecules.
func (t *task) compared(m molecules, itself bool) (k, alone [][]float64) {
	for i := range m.counts {
		t.compare(m, i)
		alone = append(alone, slices.Clone(t.plain))
		if itself && m.known[i].entries != nil {
			t.cosines[i] = 1 // independent of its number of labels
		}
		own, _ := t.weights(m.known[i].entries != nil)
		row := make([]float64, len(t.plain))
		for j := range row {
			learnt := 0.0
			for member, x := range m.units {
				d := len(x) / len(m.counts)
				learnt += dot(x[i*d:(i+1)*d], t.support.units[member][j*d:(j+1)*d]) / float64(t.Members)
			}
			row[j] = own*t.learntWeight[j]*learnt + t.cosines[j] + t.structure[j]
		}
		k = append(k, row)
	}
	return k, alone
}

// fold precomputes the sums over the support set in the learnt part of a score.
func (t *task) fold(m molecules) {
	for _, x := range m.units {
		d := len(x) / len(t.alpha)
		sum := make([]float64, d)
		for i, a := range t.alpha {
			a *= t.learntWeight[i] / float64(t.Members)
			for c, v := range x[i*d : (i+1)*d] {
				sum[c] += a * float64(v)
			}
		}
		t.learnt = append(t.learnt, sum...)
	}
}

func (t *task) score(m molecules, q int) float64 {
	learnt, _ := t.weights(m.known[q].entries != nil)
	t.compare(m, q)
	if t.near != nil {
		cosines, pasts, structure := t.terms(q)
		copy(cosines, t.cosines)
		copy(pasts, t.pasts)
		copy(structure, t.structure)
	}
	score := t.bearing(m, q)
	for i, a := range t.alpha {
		score += a*(t.cosines[i]+t.pasts[i]+t.structure[i]) + t.beta[i]*t.plain[i]
	}
	at := 0
	for _, x := range m.units {
		d := len(x) / len(m.counts)
		score += learnt * dot(x[q*d:(q+1)*d], t.learnt[at:at+d])
		at += d
	}
	return score
}
