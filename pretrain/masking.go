package pretrain

import (
	"math"
	"math/rand/v2"

	"github.com/sugarme/gotch/ts"

	"pacia/data"
	"pacia/data/category"
	"pacia/gnn"
	"pacia/ops"
	"pacia/params"
)

// Legend: A atoms, M masked atoms, W bonds at them, d width.

// masks returns how many atoms of a molecule are masked: 15 % of them, rounded
// down, and one more, as published.
func masks(atoms int) int { return int(0.15*float64(atoms) + 1) }

// masking hides atoms and asks for their elements: logits = W h_v + b. With
// bonds it hides those at the atoms, too, and asks for their types:
// logits = W (h_u + h_v) + b.
type masking struct {
	encoder gnn.Encoder
	set     *params.Set
	store   *data.Store
	atom    ops.Linear
	bond    *ops.Linear // nil without bonds
}

func newMasking(set *params.Set, e gnn.Encoder, s *data.Store, bonds bool) (*masking, error) {
	set.Part("head")
	t := &masking{encoder: e, set: set, store: s, atom: set.Linear("head.atom", e.Width(), category.Elements, true, 0)}
	if bonds {
		l := set.Linear("head.bond", e.Width(), category.MoleculeTypes, true, 0)
		t.bond = &l
	}
	return t, set.Err()
}

// masked is a batch with masks.
type masked struct {
	task       *masking
	batch      batch
	atoms      []int32 // [M] that are hidden
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
		chosen := random(row).Perm(g.Len())[:masks(g.Len())]
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
	categories := q.batch.Atoms[2*v : 2*v+2]
	q.atoms, q.element = append(q.atoms, v), append(q.element, int64(categories[0]))
	categories[0], categories[1] = category.MaskedAtom, 0
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
	t, d := q.task, q.task.set.Device
	g, err := q.batch.graph(d)
	if err != nil {
		return nil, err
	}
	defer g.Drop()
	var s scope
	defer s.drop()
	h := s.do(func() (*ts.Tensor, error) { return encode(t.encoder, g, m.Site(siteEncoder)) })
	a := &answer{}
	logits := q.classify(&s, s.rows(h, q.atoms, d), t.atom)
	a.loss = crossEntropy(&s, logits, q.element, d)
	a.logits = append(a.logits, logits)
	if len(q.kind) > 0 {
		begin, end := s.rows(h, q.begin, d), s.rows(h, q.end, d)
		both := s.do(func() (*ts.Tensor, error) { return begin.Add(end, false) })
		logits := q.classify(&s, both, *t.bond)
		first, second := a.loss, crossEntropy(&s, logits, q.kind, d)
		a.loss = s.do(func() (*ts.Tensor, error) { return first.Add(second, false) })
		a.logits = append(a.logits, logits)
	}
	if s.err != nil {
		return nil, s.err
	}
	s.release(append(a.logits, a.loss)...)
	return a, nil
}

func (q *masked) classify(s *scope, x *ts.Tensor, l ops.Linear) *ts.Tensor {
	return s.do(func() (*ts.Tensor, error) { return ops.MLP(x, []ops.Linear{l}, ops.Mode{}) })
}

// crossEntropy is the mean over the rows of logits.
func crossEntropy(s *scope, logits *ts.Tensor, labels []int64, d ops.Device) *ts.Tensor {
	target := s.do(func() (*ts.Tensor, error) { return ops.Vector(labels, d) })
	return s.do(func() (*ts.Tensor, error) {
		none := ts.NewTensor() // no weights
		defer ops.Drop(none)
		const mean, ignored = 1, -100 // libtorch's numbers; no label is negative
		return logits.CrossEntropyLoss(target, none, mean, ignored, 0, false)
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

// without answers by how frequent elements and bonds are in the molecules that
// are learnt from, each counted once more than it is there.
func (t *masking) without(learn []int32, asked []question) Figures {
	element, kind := ones(category.Elements), ones(category.MoleculeTypes)
	for _, row := range learn {
		g := t.store.Graph(int(row))
		for v := range g.Len() {
			element[g.Atoms[2*v]]++
		}
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

func ones(n int) []float64 {
	list := make([]float64, n)
	for i := range list {
		list[i] = 1
	}
	return list
}
