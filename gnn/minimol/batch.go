package minimol

import (
	"slices"

	"github.com/sugarme/gotch/ts"

	"pacia/data/rdkit"
	"pacia/ops"
)

// Legend: A atoms, E bonds counted in both directions, n molecules.

// batch holds molecules in Go's memory, in the form of [input].
type batch struct {
	atoms  []uint8 // [A, rdkit.MiniMolAtom]
	rowPtr []int32 // [A+1]
	col    []int32 // [E]
	code   []uint8 // [E]
	molPtr []int32 // [n+1]
}

func newBatch() *batch { return &batch{rowPtr: []int32{0}, molPtr: []int32{0}} }

// add appends a molecule. The bonds of an atom keep their order.
func (b *batch) add(m rdkit.MiniMol) {
	first, bond := b.molPtr[len(b.molPtr)-1], int32(len(b.col))
	atoms := len(m.Atoms) / rdkit.MiniMolAtom
	b.atoms = append(b.atoms, m.Atoms...)
	ends := make([]int32, atoms+1) // end of the bonds of each atom, counted from bond
	for _, v := range m.Ends {
		ends[v+1]++
	}
	for v := range atoms {
		ends[v+1] += ends[v]
		b.rowPtr = append(b.rowPtr, bond+ends[v+1])
	}
	b.col = slices.Grow(b.col, len(m.Ends))[:len(b.col)+len(m.Ends)]
	b.code = slices.Grow(b.code, len(m.Ends))[:len(b.code)+len(m.Ends)]
	next := ends[:atoms]
	put := func(v, u int32, code uint8) {
		b.col[bond+next[v]], b.code[bond+next[v]] = first+u, code
		next[v]++
	}
	for i, code := range m.Codes {
		u, v := m.Ends[2*i], m.Ends[2*i+1]
		put(u, v, code)
		put(v, u, code)
	}
	b.molPtr = append(b.molPtr, first+int32(atoms))
}

// vectors returns the network's vectors [n, Width]. turn, unless nil, sets the signs of the
// eigenvectors in the spectrum [A, 32]; see [input].
func (b *batch) vectors(turn func(spectrum []float32)) (vectors []float32, err error) {
	parameters, err := network()
	if err != nil {
		return nil, err
	}
	err = ops.InScope(func(s *ops.Scope) {
		var in input
		in.rowPtr, in.col, in.molPtr = place(b.rowPtr, s), place(b.col, s), place(b.molPtr, s)
		in.code = place(b.code, s)
		in.atoms = s.Keep(ops.New(b.atoms, []int64{int64(len(b.rowPtr) - 1), rdkit.MiniMolAtom}, ops.CPU))
		in.spectrum = s.Keep(spectrum(in.rowPtr, in.col, in.molPtr))
		if in.signed = turn != nil; in.signed {
			values := ops.Try(ops.Read(in.spectrum)).In(s)
			turn(values)
			in.spectrum = s.Keep(ops.New(values, []int64{int64(len(b.rowPtr) - 1), spectrumWidth}, ops.CPU))
		}
		vectors = ops.Try(ops.Read(s.Keep(vectorsOf(in, parameters, layers)))).In(s)
	})
	return vectors, err
}

func place[T ops.Element](values []T, s *ops.Scope) *ts.Tensor {
	return s.Keep(ops.Vector(values, ops.CPU))
}
