package kernel

// Legend: N support molecules of a task, d width of a molecule's vector.

// The kernel of two molecules is
//
//	learnt · mean over members of ⟨x̂_i, x̂_j⟩ + labels · L_ij + tanimoto · T_ij
//
// where L is the cosine of what is known of the two from training tasks, and T the
// Tanimoto coefficient. Two molecules that are both known there are compared by what was
// learnt of them; of a new one the encoders know less than what its fingerprint says, and
// that is compared itself. The weights were chosen on 370 training tasks that another
// teacher had not seen, and checked on FS-Mol's validation tasks (docs/recipe.md).
const labels = 1

// share is the weights of a pair of known molecules, and of any other.
var share = [2]struct{ learnt, tanimoto float64 }{{0, 1}, {1, 0.1}}

func both(a, b bool) int {
	if a && b {
		return 1
	}
	return 0
}

// joined is the kernel of the support molecules [N, N].
func (t *task) joined(m molecules) [][]float64 {
	n := len(m.counts)
	k := make([][]float64, n)
	for i := range k {
		k[i] = make([]float64, n)
		t.index.Tanimoto(m.counts[i], t.tanimoto)
		t.labels.cosines(m.known[i], t.cosines)
		for j := range k[i] {
			w, near := share[both(t.known[i], t.known[j])], 0.0
			for _, x := range m.units {
				d := len(x) / n
				near += dot(x[i*d:(i+1)*d], x[j*d:(j+1)*d]) / float64(t.Members)
			}
			k[i][j] = w.learnt*near + labels*t.cosines[j] + w.tanimoto*t.tanimoto[j]
		}
	}
	return k
}

// fold adds up what the learnt part of a score takes of the support set.
func (t *task) fold(m molecules) {
	for i, a := range t.alpha {
		to := &t.learnt[both(t.known[i], true)]
		at := 0
		for _, x := range m.units {
			d := len(x) / len(t.alpha)
			if len(*to) < at+d {
				*to = append(*to, make([]float64, d)...)
			}
			for c, v := range x[i*d : (i+1)*d] {
				(*to)[at+c] += a / float64(t.Members) * float64(v)
			}
			at += d
		}
	}
}

// score is that of molecule q of m.
func (t *task) score(m molecules, q int) (score float64) {
	known := m.known[q] != nil
	t.index.Tanimoto(m.counts[q], t.tanimoto)
	t.labels.cosines(m.known[q], t.cosines)
	for i, a := range t.alpha {
		score += a * (labels*t.cosines[i] + share[both(known, t.known[i])].tanimoto*t.tanimoto[i])
	}
	for kind, w := range t.learnt {
		at := 0
		for _, x := range m.units {
			if len(w) == 0 {
				break
			}
			d := len(x) / len(m.counts)
			near := 0.0
			for c, v := range x[q*d : (q+1)*d] {
				near += float64(v) * w[at+c]
			}
			score += share[both(known, kind == 1)].learnt * near
			at += d
		}
	}
	return score
}
