package molecule

// Store holds the graphs of n molecules with A atoms and E directed edges in
// total, in one array for each field. It implements [List]. Atoms have categories or,
// added by [Store.AddFeatures], features. It is read only, and safe for several goroutines.
type Store struct{ arrays Arrays }

// Arrays are the memory of a [Store], which files of graph stores have as it is.
type Arrays struct {
	MolPtr  []int32  // [n+1] atoms of molecule i: MolPtr[i]..MolPtr[i+1]
	EdgePtr []int32  // [n+1] edges of molecule i
	RowPtr  []int32  // [A+n] the RowPtr of each molecule, one after the other
	Col     []uint16 // [E]
	Atoms   []uint8  // [A, 2] as in Graph, or [A, w] with k features as bits, the lowest bit of a byte first
	Bonds   []uint8  // [E, 2]

	Features     int // k; 0: atoms have categories
	Fingerprints Fingerprints
	Descriptors  []float32 // [n, D], or empty
	Embeddings   []float32 // [n, W], or empty
	Places       []float32 // [A, 3] coordinates, or empty
}

// StoreOf returns a store that refers to the arrays.
func StoreOf(a Arrays) *Store { return &Store{arrays: a} }

// Arrays returns the arrays of the store, which must not be written to.
func (s *Store) Arrays() Arrays { return s.arrays }

// AtomWidth returns w, the number of bytes of an atom with k features.
func AtomWidth(features int) int {
	if features > 0 {
		return max(4, (features+7)/8)
	}
	return 2
}

// NewStore returns a store in memory with copies of the graphs.
func NewStore(graphs []Graph) *Store {
	var s Store
	for _, g := range graphs {
		s.addGraph(g)
	}
	return join([]Store{s})
}

// Len returns the number of molecules.
func (s *Store) Len() int { return max(len(s.arrays.MolPtr)-1, 0) }

// Graph returns molecule i, whose atoms have categories, without copying it. It panics if i
// is not in 0..Len()-1.
func (s *Store) Graph(i int) Graph {
	a0, a1 := s.arrays.MolPtr[i], s.arrays.MolPtr[i+1]
	e0, e1 := s.arrays.EdgePtr[i], s.arrays.EdgePtr[i+1]
	n, w := int32(i), int32(AtomWidth(s.arrays.Features))
	return Graph{
		Atoms:  s.arrays.Atoms[w*a0 : w*a1],
		RowPtr: s.arrays.RowPtr[a0+n : a1+n+1],
		Col:    s.arrays.Col[e0:e1],
		Bond:   s.arrays.Bonds[2*e0 : 2*e1],
	}
}

// Elements returns the atomic numbers of molecule i [A], 119 for an unknown one, and the atoms that each bond joins
// [E, 2]. It returns nil if the store has no graphs of elements.
func (s *Store) Elements(i int) (numbers []uint8, ends []int32) {
	if s.arrays.Features > 0 || s.Atoms(i) == 0 {
		return nil, nil
	}
	g := s.Graph(i)
	for a := range g.Len() {
		numbers = append(numbers, g.Atoms[2*a]+1)
		for _, b := range g.Col[g.RowPtr[a]:g.RowPtr[a+1]] {
			if int(b) < a {
				ends = append(ends, int32(b), int32(a))
			}
		}
	}
	return numbers, ends
}

// Atoms returns the number of atoms of molecule i.
func (s *Store) Atoms(i int) int { return int(s.arrays.MolPtr[i+1] - s.arrays.MolPtr[i]) }

// Bonds returns the number of bonds of molecule i.
func (s *Store) Bonds(i int) int { return int(s.arrays.EdgePtr[i+1]-s.arrays.EdgePtr[i]) / 2 }

// Fingerprints returns the fingerprints of all molecules; the zero value if they have none.
func (s *Store) Fingerprints() *Fingerprints { return &s.arrays.Fingerprints }

// AllDescriptors returns the descriptors [n, D] of all molecules; empty if they have none.
func (s *Store) AllDescriptors() []float32 { return s.arrays.Descriptors }

// Describe sets the descriptors [n, D] of all molecules. It must be called before the store is used.
func (s *Store) Describe(values []float32) { s.arrays.Descriptors = values }

// Embed sets the vectors [n, W] of all molecules. It must be called before the store is used.
func (s *Store) Embed(vectors []float32) { s.arrays.Embeddings = vectors }

// appendBits appends the k features of each atom as numbers 0 and 1. It is the inverse of AddFeatures.
func appendBits(to []float32, atoms []uint8, k int) []float32 {
	for w := AtomWidth(k); len(atoms) > 0; atoms = atoms[w:] {
		for i := range k {
			to = append(to, float32(atoms[i/8]>>(i%8)&1))
		}
	}
	return to
}

// rowOf returns row i of values [n, ·].
func rowOf(values []float32, i, n int) []float32 {
	width := len(values) / max(1, n)
	return values[i*width : (i+1)*width]
}

// AddTo appends molecule i to the inputs of a batch.
func (s *Store) AddTo(b *Inputs, i int) {
	g, atom, edge := s.Graph(i), b.MolPtr[len(b.MolPtr)-1], int32(len(b.Col))
	if s.arrays.Features > 0 {
		b.Features = appendBits(b.Features, g.Atoms, s.arrays.Features)
	} else {
		b.Atoms = append(b.Atoms, g.Atoms...)
	}
	b.Bond = append(b.Bond, g.Bond...)
	for _, p := range g.RowPtr[1:] {
		b.RowPtr = append(b.RowPtr, edge+p)
	}
	for _, c := range g.Col {
		b.Col = append(b.Col, atom+int32(c))
	}
	if len(s.arrays.Places) > 0 {
		b.Places = append(b.Places, s.arrays.Places[3*s.arrays.MolPtr[i]:3*s.arrays.MolPtr[i+1]]...)
	}
	b.MolPtr = append(b.MolPtr, atom+int32(s.Atoms(i)))
	b.Fingerprints.AddFrom(&s.arrays.Fingerprints, i)
	if len(s.arrays.Descriptors) > 0 {
		b.Descriptors = append(b.Descriptors, s.arrays.Descriptors[i*DescriptorCount:(i+1)*DescriptorCount]...)
	}
	b.Embeddings = append(b.Embeddings, rowOf(s.arrays.Embeddings, i, s.Len())...)
}
