package data

import (
	"bytes"
	"encoding/binary"
	"slices"

	"pacia/internal/each"
)

// PickSupport returns a batch of one task without queries, whose support set consists of the given
// molecules of b with the given labels.
func (b *Batch) PickSupport(molecules []int32, labels []uint8) *Batch {
	p := new(Batch)
	p.reset()
	p.Tasks, p.Support, p.TaskNumber = 1, len(molecules), []int32{0}
	for i, m := range molecules {
		p.addFrom(b, m)
		p.SupportMol = append(p.SupportMol, int32(i))
	}
	p.endGroup()
	p.endGroup()
	p.SupportLabel = slices.Clone(labels)
	active := 0
	for _, y := range labels {
		active += int(y)
	}
	p.Shots = min(active, len(labels)-active)
	return p
}

// PickQueries returns a batch of the given molecules of b as queries without labels.
func (b *Batch) PickQueries(molecules []int32) *Batch {
	p := new(Batch)
	p.reset()
	p.Tasks, p.TaskNumber = 1, []int32{0}
	p.endGroup()
	for i, m := range molecules {
		p.addFrom(b, m)
		p.QueryMol, p.QueryTask = append(p.QueryMol, int32(i)), append(p.QueryTask, 0)
	}
	p.endGroup()
	return p
}

// Apart returns two batches for each task of b. Their support sets are the task's support and
// its labelled queries. So each has its own statistics of batch norm, as its group has in b.
func (b *Batch) Apart() (support, queries []*Batch) {
	for t := range b.Tasks {
		from := t * b.Support
		s := b.PickSupport(b.SupportMol[from:from+b.Support], b.SupportLabel[from:from+b.Support])
		var molecules []int32
		var labels []uint8
		for q, task := range b.QueryTask {
			if int(task) == t {
				molecules, labels = append(molecules, b.QueryMol[q]), append(labels, b.QueryLabel[q])
			}
		}
		q := b.PickSupport(molecules, labels)
		s.TaskNumber[0], q.TaskNumber[0] = b.TaskNumber[t], b.TaskNumber[t]
		support, queries = append(support, s), append(queries, q)
	}
	return support, queries
}

func (b *Batch) addFrom(of *Batch, m int32) {
	first, last := of.MolPtr[m], of.MolPtr[m+1]
	from, to := of.RowPtr[first], of.RowPtr[last]
	atom, edge := b.MolPtr[len(b.MolPtr)-1], int32(len(b.Col))
	if len(of.Atoms) > 0 {
		b.Atoms = append(b.Atoms, of.Atoms[2*first:2*last]...)
	}
	if atoms := int32(len(of.RowPtr) - 1); len(of.Features) > 0 {
		k := int32(len(of.Features)) / atoms
		b.Features = append(b.Features, of.Features[k*first:k*last]...)
	}
	if len(of.Places) > 0 {
		b.Places = append(b.Places, of.Places[3*first:3*last]...)
	}
	for _, p := range of.RowPtr[first+1 : last+1] {
		b.RowPtr = append(b.RowPtr, p-from+edge)
	}
	for _, c := range of.Col[from:to] {
		b.Col = append(b.Col, c-first+atom)
	}
	b.Bond = append(b.Bond, of.Bond[2*from:2*to]...)
	b.MolPtr = append(b.MolPtr, atom+last-first)
	b.Fingerprints.AddFrom(&of.Fingerprints, int(m))
	if len(of.Descriptors) > 0 {
		b.Descriptors = append(b.Descriptors, of.Descriptors[int(m)*DescriptorCount:(int(m)+1)*DescriptorCount]...)
	}
	b.Embeddings = append(b.Embeddings, rowOf(of.Embeddings, int(m), len(of.MolPtr)-1)...)
}

// SortMolecules sorts molecules of b by their content, so that the result does not depend on
// their order before.
func (b *Batch) SortMolecules(molecules []int32) {
	keys := each.Pairs(molecules, func(m int32) (int32, []byte) { return m, b.content(m) })
	slices.SortStableFunc(molecules, func(x, y int32) int { return bytes.Compare(keys[x], keys[y]) })
}

// content returns all data of a molecule as bytes.
func (b *Batch) content(m int32) (all []byte) {
	one := new(Batch)
	one.reset()
	one.addFrom(b, m)
	for _, part := range []any{one.Atoms, one.Features, one.Places, one.RowPtr, one.Col, one.Bond, one.Fingerprints.Bit, one.Fingerprints.Count} {
		all, _ = binary.Append(all, binary.LittleEndian, part) // slices of numbers do not fail
	}
	return all
}
