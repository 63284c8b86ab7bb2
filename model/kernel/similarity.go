package kernel

import (
	"math"
	"slices"
)

// Legend: N support molecules of a task, d width of a molecule's vector.

// The kernel of two molecules is
//
//	u · a_i a_j · mean over members of ⟨x̂_i, x̂_j⟩ + L_ij + b_i b_j · ((T_ij + T_ij²) / 2 + r R_ij)
//
// with L the cosine of what is known of the two from training tasks, less where that is little, 0 where it
// is nothing of either, and 1 of a known molecule with itself, T the Tanimoto coefficient of their fingerprints, and
// R_ij = exp(−‖v_i − v_j‖² / W) of the W numbers of a pretrained encoder's vectors v, which have
// mean 0 and deviation 1, or 0 where model.minimol is false. Known
// molecules are compared by what was learnt of them; of a new molecule the encoders know
// less than its fingerprint says. T² keeps to the molecules that are much like the
// support's: it is for libraries of many series. Each term is positive semidefinite, and
// so is the kernel.
//
// The weights were chosen on assays that a teacher had not seen, single ones and ones
// merged by targets, and on FS-Mol's validation tasks (docs/lab/recipe.md, and for r
// docs/lab/minimol-panels.md). Where values are learnt, u and r are others, chosen there as well
// (docs/lab/potency-vectors.md).
const (
	learntKnown    = 0.8367 // a of known molecules, √0.7
	learntNew      = 0.251  // a of new ones, 0.3 √0.7
	structureKnown = 0.4472 // b of known molecules, √0.2; 1 of new ones
)

// shares are u and r, those of the learnt vectors and of the pretrained encoder's in the kernel.
type shares struct{ learnt, vectors float64 }

var ofLabels, ofValues = shares{1, 2}, shares{0.5 / 0.7, 1.5}

// weights are those of a molecule in the kernel of a task: √u a and b.
func (t *task) weights(known bool) (learnt, structure float64) {
	learnt, structure = weights(known)
	return math.Sqrt(t.shares.learnt) * learnt, structure
}

// weights are a and b of a molecule.
func weights(known bool) (learnt, structure float64) {
	if known {
		return learntKnown, structureKnown
	}
	return learntNew, 1
}

// sharpened is the kernel's function of a Tanimoto coefficient.
func sharpened(t float64) float64 { return (t + t*t) / 2 }

// alike is R of two vectors: 0 where there are none, or one has no numbers.
func alike(u, v []float32) float64 {
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

// compare leaves L of molecule i of m with the support molecules in the task's room, and
// b_i b_j · ((T + T²)/2 + r R) in structure, and the same without weights in plain.
func (t *task) compare(m molecules, i int) {
	_, own := t.weights(m.known[i].entries != nil)
	t.index.Tanimoto(m.counts[i], t.structure)
	t.labels.cosines(m.known[i].entries, t.cosines)
	for j, c := range t.structure {
		t.plain[j] = sharpened(c) + t.shares.vectors*alike(m.vector(i), t.support.vector(j))
		t.structure[j] = own * t.structureWeight[j] * t.plain[j]
	}
}

// vector is that of molecule i by the pretrained encoder, or nothing.
func (m *molecules) vector(i int) []float32 {
	width := len(m.vectors) / max(1, len(m.counts))
	return m.vectors[i*width : (i+1)*width]
}

// joined is the kernel of the support molecules [N, N], whole and of structure alone.
func (t *task) joined(m molecules) (k, alone [][]float64) {
	n := len(m.counts)
	k, alone = make([][]float64, n), make([][]float64, n)
	for i := range k {
		k[i] = make([]float64, n)
		t.compare(m, i)
		alone[i] = slices.Clone(t.plain)
		if m.known[i].entries != nil {
			t.cosines[i] = 1 // however few labels it has
		}
		for j := range k[i] {
			learnt := 0.0
			for _, x := range m.units {
				d := len(x) / n
				learnt += dot(x[i*d:(i+1)*d], x[j*d:(j+1)*d]) / float64(t.Members)
			}
			k[i][j] = t.learntWeight[i]*t.learntWeight[j]*learnt + t.cosines[j] + t.structure[j]
		}
	}
	return k, alone
}

// fold adds up what the learnt part of a score takes of the support set.
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
	score := t.bearing(m, q)
	for i, a := range t.alpha {
		score += a*(t.cosines[i]+t.structure[i]) + t.beta[i]*t.plain[i]
	}
	at := 0
	for _, x := range m.units {
		d := len(x) / len(m.counts)
		score += learnt * dot(x[q*d:(q+1)*d], t.learnt[at:at+d])
		at += d
	}
	return score
}
