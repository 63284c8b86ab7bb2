package molecule

import (
	"bytes"
	"encoding/binary"
	"slices"

	"pacia/internal/each"
)

// Inputs are what encoders read of the n molecules of a batch, one molecule after the other: A atoms, E directed edges.
type Inputs struct {
	Atoms    []uint8   // [A, 2] as in Graph; empty if atoms have features
	Features []float32 // [A, k], such as those of FS-Mol; empty if atoms have categories
	Places   []float32 // [A, 3] coordinates in Å, with the features of rdkit.Conformer; otherwise empty
	RowPtr   []int32   // [A+1] edges into atom v: RowPtr[v]..RowPtr[v+1]
	Col      []int32   // [E] atom that the edge comes from, numbered in the batch
	Bond     []uint8   // [E, 2] as in Graph; with features, type (0 single, 1 double, 2 triple) and 0

	Fingerprints Fingerprints // [n]; the zero value if molecules have none
	Descriptors  []float32    // [n, D]; empty if molecules have none
	Embeddings   []float32    // [n, W] from an [Embedder], NaN for a molecule that it cannot read; empty if molecules have none

	MolPtr []int32 // [n+1] atoms of molecule m: MolPtr[m]..MolPtr[m+1]
}

// Reset removes all molecules and keeps the memory.
func (b *Inputs) Reset() {
	b.Atoms, b.Features, b.Places = b.Atoms[:0], b.Features[:0], b.Places[:0]
	b.Bond, b.Col = b.Bond[:0], b.Col[:0]
	b.RowPtr = append(b.RowPtr[:0], 0)
	b.MolPtr = append(b.MolPtr[:0], 0)
	b.Fingerprints.reset()
	b.Descriptors, b.Embeddings = b.Descriptors[:0], b.Embeddings[:0]
}

// AddFrom appends molecule m of another batch.
func (b *Inputs) AddFrom(of *Inputs, m int32) {
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

// EmbeddingsOf returns the vectors [m, W] of m molecules of the batch; nil if they have none.
func (b *Inputs) EmbeddingsOf(molecules []int32) (vectors []float32) {
	for _, m := range molecules {
		vectors = append(vectors, rowOf(b.Embeddings, int(m), len(b.MolPtr)-1)...)
	}
	return vectors
}

// SortMolecules sorts molecules by their content, so that the result does not depend on
// their order before.
func (b *Inputs) SortMolecules(molecules []int32) {
	keys := each.Pairs(molecules, func(m int32) (int32, []byte) { return m, b.content(m) })
	slices.SortStableFunc(molecules, func(x, y int32) int { return bytes.Compare(keys[x], keys[y]) })
}

// content returns all data of a molecule as bytes.
func (b *Inputs) content(m int32) (all []byte) {
	one := new(Inputs)
	one.Reset()
	one.AddFrom(b, m)
	for _, part := range []any{one.Atoms, one.Features, one.Places, one.RowPtr, one.Col, one.Bond,
		one.Fingerprints.Bit, one.Fingerprints.Count} {
		all, _ = binary.Append(all, binary.LittleEndian, part) // slices of numbers do not fail
	}
	return all
}
