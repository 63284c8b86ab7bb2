package molecule

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"

	"pacia/internal/each"
)

// Inputs are what encoders read of the n molecules of a batch, one molecule after the other: A atoms, E directed edges.
type Inputs struct {
	Atoms  []uint8 // [A, 2] as in Graph; empty if atoms have features
	RowPtr []int32 // [A+1] edges into atom v: RowPtr[v]..RowPtr[v+1]
	Col    []int32 // [E] atom that the edge comes from, numbered in the batch
	Bond   []uint8 // [E, 2] as in Graph; with features, type (0 single, 1 double, 2 triple) and 0
	MolPtr []int32 // [n+1] atoms of molecule m: MolPtr[m]..MolPtr[m+1]

	Fingerprints Fingerprints // [n]; the zero value if molecules have none
	Named                     // numbers beside the graph
}

// Reset removes all molecules and keeps the memory.
func (b *Inputs) Reset() {
	b.Atoms, b.Bond, b.Col = b.Atoms[:0], b.Bond[:0], b.Col[:0]
	b.RowPtr = append(b.RowPtr[:0], 0)
	b.MolPtr = append(b.MolPtr[:0], 0)
	b.Fingerprints.reset()
	b.Named = b.Named[:0]
}

// AddFrom appends molecule m of another batch.
func (b *Inputs) AddFrom(of *Inputs, m int32) {
	first, last := of.MolPtr[m], of.MolPtr[m+1]
	from, to := of.RowPtr[first], of.RowPtr[last]
	atom, edge := b.MolPtr[len(b.MolPtr)-1], int32(len(b.Col))
	if len(of.Atoms) > 0 {
		b.Atoms = append(b.Atoms, of.Atoms[2*first:2*last]...)
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
	b.add(of.Named, rows{PerAtom: {int(first), int(last)}, PerBond: {int(from), int(to)}, PerMolecule: {int(m), int(m) + 1}})
}

// Rows returns how many rows an array of these molecules has.
func (b *Inputs) Rows(p Per) int {
	return [...]int{PerAtom: len(b.RowPtr) - 1, PerBond: len(b.Col), PerMolecule: len(b.MolPtr) - 1}[p]
}

// EmbeddingsOf returns the vectors [m, W] of m molecules of the batch; nil if they have none.
func (b *Inputs) EmbeddingsOf(molecules []int32) (vectors []float32) {
	all := b.Array(Embeddings)
	for _, m := range molecules {
		if len(all.Floats) > 0 {
			vectors = append(vectors, all.Floats[int(m)*all.Width:(int(m)+1)*all.Width]...)
		}
	}
	return vectors
}

// SortMolecules sorts molecules by their content, so that the result does not depend on
// their order before.
func (b *Inputs) SortMolecules(molecules []int32) {
	keys := each.Pairs(molecules, func(m int32) (int32, []byte) { return m, b.content(m) })
	slices.SortStableFunc(molecules, func(x, y int32) int { return bytes.Compare(keys[x], keys[y]) })
}

// content returns the graph of a molecule and all numbers of its atoms and bonds as bytes.
func (b *Inputs) content(m int32) (all []byte) {
	one := new(Inputs)
	one.Reset()
	one.AddFrom(b, m)
	named := func(p Per) (parts []any) {
		for _, a := range one.Named {
			if a.Per == p {
				parts = append(parts, a.Floats, a.Bytes)
			}
		}
		return parts
	}
	slices.SortFunc(one.Named, func(a, b Array) int { return cmp.Compare(a.Name, b.Name) }) // not as they were made
	parts := slices.Concat([]any{one.Atoms}, named(PerAtom),
		[]any{one.RowPtr, one.Col, one.Bond, one.Fingerprints.Bit, one.Fingerprints.Count}, named(PerBond))
	for _, part := range parts {
		all, _ = binary.Append(all, binary.LittleEndian, part) // slices of numbers do not fail
	}
	return all
}
