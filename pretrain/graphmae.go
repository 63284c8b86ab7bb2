package pretrain

import (
	"math"
	"math/rand/v2"

	"github.com/sugarme/gotch/ts"

	"pacia/data/category"
	"pacia/ops"
)

// Legend: A atoms, M masked atoms, N their neighbours and themselves, d width.

// graphMAE predicts the elements of hidden atoms with a decoder. The loss is the cosine
// between its output and the one-hot vector of the element (Hou et al. 2022, the chemistry
// program).
//
//	u = W PReLU(h), but 0 at the masked atoms
//	m_v = Σ over the neighbours of v and v itself of (u + E1[type] + E2[direction])
//	o_v = W₂ ReLU(W₁ m_v + b₁) + b₂            d → 2d → 119, no batch norm
//	loss = mean over the masked atoms of 1 − o_v·t_v / (|o_v| |t_v|)
//
// Only the outputs of the masked atoms are computed. Because W is linear, the sum is
// computed before it.
type graphMAE struct {
	body
	share           float64
	slope           *ts.Tensor // of PReLU, [1]
	w               ops.Linear // without bias
	bond, direction *ts.Tensor // E1, E2
	out             perceptron
}

// graphMAEShare of the atoms is masked, as published.
const graphMAEShare = 0.25

func newGraphMAE(o Options, b body) (*graphMAE, error) {
	d := b.encoder.Width()
	b.set.Part("decoder")
	t := &graphMAE{
		body: b, share: o.share(graphMAEShare),
		slope:     b.set.Constant("decoder.slope", 0.25, 1),
		w:         b.set.Linear("decoder.in", d, d, false, 0),
		bond:      b.set.Embedding("decoder.bond", category.BondTypes, d),
		direction: b.set.Embedding("decoder.direction", category.BondDirections, d),
	}
	t.out = perceptron{
		b.set.Linear("decoder.mlp.0", d, 2*d, true, 0),
		b.set.Linear("decoder.mlp.1", 2*d, category.Elements, true, 0),
	}
	return t, b.set.Err()
}

// hidden is a batch with masked atoms.
type hidden struct {
	task       *graphMAE
	batch      batch
	atoms      []int32   // [M]
	element    []int64   // [M]
	around     []int32   // [N] each masked atom, then its neighbours
	seen       []float64 // [N] 0 of masked atoms, 1 of others
	aroundPtr  []int32   // [M+1]
	size       []float64 // [M] number of atoms around, including itself
	types      []float64 // [M, BondTypes] bonds around of each type
	directions []float64 // [M, BondDirections]
}

func (t *graphMAE) ask(rows []int32, random func(row int32) *rand.Rand) question {
	q := &hidden{task: t, batch: newBatch(), aroundPtr: []int32{0}}
	masked := map[int32]bool{}
	for _, row := range rows {
		first, g := q.batch.atoms(), t.store.Graph(int(row))
		q.batch.add(g, all)
		for _, v := range random(row).Perm(g.Len())[:masks(g.Len(), t.share)] {
			at := first + int32(v)
			q.atoms, q.element = append(q.atoms, at), append(q.element, q.batch.hide(at))
			masked[at] = true
		}
	}
	for _, v := range q.atoms {
		q.lookAround(v, masked)
	}
	return q
}

// lookAround lists the atoms that an atom receives messages from.
func (q *hidden) lookAround(v int32, masked map[int32]bool) {
	types, directions := make([]float64, category.BondTypes), make([]float64, category.BondDirections)
	q.around, q.seen = append(q.around, v), append(q.seen, 0)
	types[category.SelfLoop], directions[0] = 1, 1
	b := &q.batch
	for e := b.RowPtr[v]; e < b.RowPtr[v+1]; e++ {
		seen := 1.0
		if masked[b.Col[e]] {
			seen = 0
		}
		q.around, q.seen = append(q.around, b.Col[e]), append(q.seen, seen)
		types[b.Bond[2*e]]++
		directions[b.Bond[2*e+1]]++
	}
	q.aroundPtr = append(q.aroundPtr, int32(len(q.around)))
	q.size = append(q.size, float64(1+b.RowPtr[v+1]-b.RowPtr[v]))
	q.types, q.directions = append(q.types, types...), append(q.directions, directions...)
}

func (q *hidden) answer(m ops.Mode) (*answer, error) {
	t, n := q.task, int64(len(q.atoms))
	return answering(func(a *answer, s *ops.Scope) {
		h := t.rows(t.embed(&q.batch, m, s), q.around, s)
		u := s.Keep(s.Keep(h.Prelu(t.slope, false)).Mul(t.numbers(q.seen, s, int64(len(q.seen)), 1), false))
		total := s.Keep(t.means(u, q.aroundPtr, s).Mul(t.numbers(q.size, s, n, 1), false))
		heard := linear(total, s, t.w)
		for _, bonds := range []struct {
			counts []float64
			table  *ts.Tensor
		}{{q.types, t.bond}, {q.directions, t.direction}} {
			counts := t.numbers(bonds.counts, s, n, bonds.table.MustSize()[0])
			heard = s.Keep(heard.Add(s.Keep(counts.Mm(bonds.table, false)), false))
		}
		o := t.out.forward(heard, s)
		cosine := s.Keep(ts.CosineSimilarity(o, t.oneHot(q.element, s), 1, cosineEps))
		a.loss = plus(s.Keep(mean(cosine, s).Neg(false)), 1, s)
		a.logits = []*ts.Tensor{o}
	})
}

// cosineEps is the least length of a vector, as in PyTorch.
const cosineEps = 1e-8

func (b *body) oneHot(labels []int64, s *ops.Scope) *ts.Tensor {
	values := make([]float64, len(labels)*category.Elements)
	for i, label := range labels {
		values[i*category.Elements+int(label)] = 1
	}
	return b.numbers(values, s, int64(len(labels)), category.Elements)
}

func (q *hidden) tallies(logits [][]float64) []tally {
	t := tally{name: "atoms"}
	t.cosines(logits[0], q.element)
	return []tally{t}
}

// without returns the figures of an answer with the frequencies of elements in the molecules
// of the training part. Among answers that do not depend on the atom, it has the largest mean
// cosine.
func (t *graphMAE) without(learn []int32, asked []question) Figures {
	frequent := t.elements(learn)
	atoms := tally{name: "atoms"}
	for _, q := range asked {
		for _, label := range q.(*hidden).element {
			atoms.cosines(frequent, []int64{label})
		}
	}
	return figures(atoms)
}

// cosines adds the answers vectors [len(labels), n] to questions with n choices. The
// loss is one minus the cosine with the one-hot vector of the label.
func (t *tally) cosines(vectors []float64, labels []int64) {
	n := len(vectors) / max(len(labels), 1)
	for i, label := range labels {
		row := vectors[i*n : (i+1)*n]
		best, size := 0, 0.0
		for c, x := range row {
			size += x * x
			if x > row[best] {
				best = c
			}
		}
		t.loss += 1 - row[label]/max(math.Sqrt(size), cosineEps)
		t.asked++
		if int64(best) == label {
			t.right++
		}
	}
}
