package pretrain

import (
	"math"
	"math/rand/v2"

	"pacia/data/category"
	"pacia/ops"
)

// Legend: A atoms, M masked atoms, W bonds at them, d width.

// masks returns how many atoms of a molecule are masked: a share of them, rounded
// down, plus one, as published, but no more than there are.
func masks(atoms int, share float64) int { return min(int(share*float64(atoms)+1), atoms) }

// maskingShare is the published share.
const maskingShare = 0.15

// masking hides atoms and predicts their elements: logits = W h_v + b. With bonds it
// also hides the bonds of these atoms and predicts their types: logits = W (h_u +
// h_v) + b.
type masking struct {
	body
	share float64
	atom  ops.Linear
	bond  *ops.Linear // nil without bonds
}

func newMasking(o Options, b body) (*masking, error) {
	b.set.Part("head")
	t := &masking{body: b, share: o.share(maskingShare), atom: b.set.Linear("head.atom", b.encoder.Width(), category.Elements, true, 0)}
	if o.Bonds {
		l := b.set.Linear("head.bond", b.encoder.Width(), category.MoleculeTypes, true, 0)
		t.bond = &l
	}
	return t, b.set.Err()
}

// masked is a batch with masks.
type masked struct {
	task       *masking
	batch      batch
	atoms      []int32 // [M] hidden atoms
	element    []int64 // [M]
	begin, end []int32 // [W] atoms of the hidden bonds
	kind       []int64 // [W]
}

func (t *masking) ask(rows []int32, random func(row int32) *rand.Rand) question {
	q := &masked{task: t, batch: newBatch()}
	for _, row := range rows {
		first := q.batch.atoms()
		g := t.store.Graph(int(row))
		q.batch.add(g, all)
		chosen := random(row).Perm(g.Len())[:masks(g.Len(), t.share)]
		for _, v := range chosen {
			q.hideAtom(first + int32(v))
		}
		for _, v := range chosen {
			if t.bond != nil {
				q.hideBonds(first + int32(v))
			}
		}
	}
	return q
}

func (q *masked) hideAtom(v int32) {
	q.atoms, q.element = append(q.atoms, v), append(q.element, q.batch.hide(v))
}

// hideBonds hides the bonds at an atom, in both directions, that are not hidden
// yet.
func (q *masked) hideBonds(v int32) {
	b := &q.batch
	for e := b.RowPtr[v]; e < b.RowPtr[v+1]; e++ {
		if b.Bond[2*e] == category.MaskedBond {
			continue
		}
		u := b.Col[e]
		q.begin, q.end, q.kind = append(q.begin, v), append(q.end, u), append(q.kind, int64(b.Bond[2*e]))
		b.Bond[2*e], b.Bond[2*e+1] = category.MaskedBond, 0
		for back := b.RowPtr[u]; back < b.RowPtr[u+1]; back++ {
			if b.Col[back] == v {
				b.Bond[2*back], b.Bond[2*back+1] = category.MaskedBond, 0
			}
		}
	}
}

func (q *masked) answer(m ops.Mode) (*answer, error) {
	t := q.task
	return answering(func(a *answer, s *ops.Scope) {
		h := t.embed(&q.batch, m, s)
		logits := linear(t.rows(h, q.atoms, s), s, t.atom)
		a.loss, a.logits = t.crossEntropy(logits, q.element, s), append(a.logits, logits)
		if len(q.kind) > 0 {
			both := s.Keep(t.rows(h, q.begin, s).Add(t.rows(h, q.end, s), false))
			logits := linear(both, s, *t.bond)
			a.loss, a.logits = s.Keep(a.loss.Add(t.crossEntropy(logits, q.kind, s), false)), append(a.logits, logits)
		}
	})
}

func (q *masked) tallies(logits [][]float64) []tally {
	list := []tally{{name: "atoms"}, {name: "bonds"}}
	for i, labels := range [][]int64{q.element, q.kind} {
		if i < len(logits) {
			list[i].classes(logits[i], labels)
		}
	}
	return list
}

// without returns the figures of answers with the frequencies of elements and bonds in the
// molecules to learn from, with one added to each count.
func (t *masking) without(learn []int32, asked []question) Figures {
	element, kind := t.elements(learn), ones(category.MoleculeTypes)
	for _, row := range learn {
		g := t.store.Graph(int(row))
		for e := range g.Edges() {
			kind[g.Bond[2*e]]++
		}
	}
	for _, counts := range [][]float64{element, kind} {
		for i := range counts {
			counts[i] = math.Log(counts[i]) // logits, up to a constant
		}
	}
	var list []tally
	for _, q := range asked {
		m := q.(*masked)
		atoms, bonds := tally{name: "atoms"}, tally{name: "bonds"}
		for _, label := range m.element {
			atoms.classes(element, []int64{label})
		}
		for _, label := range m.kind {
			bonds.classes(kind, []int64{label})
		}
		list = append(list, atoms, bonds)
	}
	return figures(list...)
}

// elements counts the elements in the molecules, with one added to each count.
func (b *body) elements(learn []int32) []float64 {
	counts := ones(category.Elements)
	for _, row := range learn {
		g := b.store.Graph(int(row))
		for v := range g.Len() {
			counts[g.Atoms[2*v]]++
		}
	}
	return counts
}

func ones(n int) []float64 {
	list := make([]float64, n)
	for i := range list {
		list[i] = 1
	}
	return list
}
