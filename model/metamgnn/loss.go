package metamgnn

import (
	"math/rand/v2"
	"slices"

	"github.com/sugarme/gotch/ts"

	"pacia/data"
	"pacia/internal/each"
	"pacia/model"
	"pacia/ops"
)

// Legend: A atoms, E bonds, n molecules of a mini-batch, d width of a state.

// minibatches splits the support set of h into mini-batches of labelled molecules, in a random
// order that does not depend on their order in h.
func (m *metamgnn) minibatches(h *data.Batch, random *rand.Rand) (parts []*data.Batch) {
	label := make(map[int32]uint8, h.Support)
	for i, molecule := range h.SupportMol {
		label[molecule] = h.SupportLabel[i]
	}
	order := slices.Clone(h.SupportMol)
	h.SortMolecules(order)
	random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	for molecules := range slices.Chunk(order, m.Minibatch.Molecules) {
		labels := each.Of(molecules, func(molecule int32) uint8 { return label[molecule] })
		p := h.PickSupport(molecules, labels)
		p.TaskNumber = h.TaskNumber
		parts = append(parts, p)
	}
	return parts
}

// question holds the targets of the self-supervised losses of a mini-batch.
type question struct {
	bonds, others pairs
	atoms         []int32 // atoms with the elements to predict
	elements      []int64
}

// pairs are pairs of atoms.
type pairs struct{ u, v []int32 }

func (p *pairs) add(u, v int32) { p.u, p.v = append(p.u, u), append(p.v, v) }

// ask draws the targets: distinct atoms, and as many pairs of different atoms without a bond as
// there are bonds, or all such pairs if there are fewer.
func (m *metamgnn) ask(h *data.Batch, random *rand.Rand) (q question) {
	atoms := len(h.RowPtr) - 1
	if m.Self.Bonds > 0 {
		taken := map[[2]int32]bool{}
		for v := range int32(atoms) {
			for _, u := range h.Col[h.RowPtr[v]:h.RowPtr[v+1]] {
				if u < v {
					taken[[2]int32{u, v}] = true
					q.bonds.add(u, v)
				}
			}
		}
		bonds := len(q.bonds.u)
		for range min(bonds, atoms*(atoms-1)/2-bonds) {
			p := other(taken, atoms, random)
			taken[p] = true
			q.others.add(p[0], p[1])
		}
	}
	if m.Self.Atoms > 0 {
		for _, v := range random.Perm(atoms)[:min(m.Self.Drawn, atoms)] {
			q.atoms, q.elements = append(q.atoms, int32(v)), append(q.elements, int64(h.Atoms[2*v]))
		}
	}
	return q
}

// place converts the numbers of atoms to rows of the states, where states is the number of all rows. An
// encoder may have additional nodes before the atoms of each molecule.
func (q *question) place(h *data.Batch, states int64) {
	n := len(h.MolPtr) - 1
	before := (int(states) - int(h.MolPtr[n])) / n
	for _, atoms := range [][]int32{q.bonds.u, q.bonds.v, q.others.u, q.others.v, q.atoms} {
		for i, v := range atoms {
			molecule, _ := slices.BinarySearch(h.MolPtr[1:], v+1)
			atoms[i] += int32((molecule + 1) * before)
		}
	}
}

// other draws a pair of different atoms that is not taken. At least one such pair must exist.
func other(taken map[[2]int32]bool, atoms int, random *rand.Rand) [2]int32 {
	for {
		u, v := int32(random.IntN(atoms)), int32(random.IntN(atoms))
		p := [2]int32{min(u, v), max(u, v)}
		if u != v && !taken[p] {
			return p
		}
	}
}

// stream is the random stream of the draws of a pass.
const stream = "meta-mgnn"

// loss returns ℓ(b) of a mini-batch (one number) and the states of its atoms [A, d], nil if the
// encoder has none.
func (m *metamgnn) loss(h *data.Batch, mode ops.Mode, s *ops.Scope) (loss, states *ts.Tensor) {
	b := m.Place(h, s)
	all, _ := m.States(b, mode, nil, nil, s)
	read := m.Read(all, b, mode, s)
	z := s.View(s.Keep(ops.MLP(read.Of(b.SupportMol, s), []ops.Linear{m.classifier}, ops.Mode{})), -1)
	loss = m.scaled(m.binary(z, h.SupportLabel, s), 1, h.Support, s)
	states = all[len(all)-1]
	q := m.ask(h, data.Rand(mode.Key, stream, 0))
	q.place(h, ops.Try(states.Size()).In(s)[0])
	if len(q.bonds.u) > 0 {
		pull := m.binary(m.products(states, q.bonds, s), filled(1, len(q.bonds.u)), s)
		if len(q.others.u) > 0 {
			push := m.binary(m.products(states, q.others, s), filled(0, len(q.others.u)), s)
			pull = s.Keep(ops.Total(pull, push))
		}
		loss = s.Keep(ops.Total(loss, m.scaled(pull, m.Self.Bonds, len(q.bonds.u), s)))
	}
	if len(q.atoms) > 0 {
		logits := s.Keep(ops.MLP(m.rows(states, q.atoms, s), []ops.Linear{m.element}, ops.Mode{}))
		loss = s.Keep(ops.Total(loss, s.Times(m.crossEntropy(logits, q.elements, s), m.Self.Atoms)))
	}
	return loss, states
}

// scaled returns a mean over n times its weight, divided again by n if the settings require it.
func (m *metamgnn) scaled(mean *ts.Tensor, weight float64, n int, s *ops.Scope) *ts.Tensor {
	if m.Minibatch.Divide {
		weight /= float64(n)
	}
	return s.Times(mean, weight)
}

// products returns h_u·h_v of pairs of atoms.
func (m *metamgnn) products(h *ts.Tensor, p pairs, s *ops.Scope) *ts.Tensor {
	u, v := m.rows(h, p.u, s), m.rows(h, p.v, s)
	both := s.Call("product", func() (*ts.Tensor, error) { return u.Mul(v, false) })
	return s.Call("sum", func() (*ts.Tensor, error) { return both.SumDimIntlist([]int64{1}, false, both.DType(), false) })
}

func (m *metamgnn) rows(x *ts.Tensor, index []int32, s *ops.Scope) *ts.Tensor {
	return s.Keep(ops.Rows(x, s.Keep(ops.Vector(index, m.Set.Device))))
}

// libtorch's constants for the mean of losses and for a label to ignore.
const (
	reduceMean = 1
	ignored    = -100
)

// binary returns the mean binary cross entropy of logits [n] of label 1.
func (m *metamgnn) binary(logits *ts.Tensor, labels []uint8, s *ops.Scope) *ts.Tensor {
	y, none := m.Vector(each.As[float64](labels), s), s.None()
	return s.Call("cross entropy", func() (*ts.Tensor, error) {
		return logits.BinaryCrossEntropyWithLogits(y, none, none, reduceMean, false)
	})
}

// crossEntropy returns the mean cross entropy over the rows of logits.
func (m *metamgnn) crossEntropy(logits *ts.Tensor, labels []int64, s *ops.Scope) *ts.Tensor {
	y, none := s.Keep(ops.Vector(labels, m.Set.Device)), s.None()
	return s.Call("cross entropy", func() (*ts.Tensor, error) {
		return logits.CrossEntropyLoss(y, none, reduceMean, ignored, 0, false)
	})
}

// Loss returns the sum of ℓ(b) over the mini-batches of the support set of the only task. The
// steps of a test task minimise it.
func (m *metamgnn) Loss(b *model.Batch, mode ops.Mode, s *ops.Scope) *ts.Tensor {
	var losses []*ts.Tensor
	for i, part := range m.minibatches(b.Host, data.Rand(mode.Key, stream, 1)) {
		loss, _ := m.loss(part, mode.Site(uint64(i)), s)
		losses = append(losses, loss)
	}
	return s.Keep(ops.Total(losses...))
}

func signs(x *ts.Tensor, s *ops.Scope) *ts.Tensor {
	return s.Call("sign", func() (*ts.Tensor, error) { return x.Sign(false) })
}

func filled(v uint8, n int) []uint8 { return slices.Repeat([]uint8{v}, n) }
