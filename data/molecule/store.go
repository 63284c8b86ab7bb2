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
	Atoms   []uint8  // [A, 2] as in Graph; empty if atoms have features
	Bonds   []uint8  // [E, 2]

	Fingerprints Fingerprints
	Named        Named
}

// StoreOf returns a store that refers to the arrays.
func StoreOf(a Arrays) *Store { return &Store{arrays: a} }

// Arrays returns the arrays of the store, which must not be written to.
func (s *Store) Arrays() Arrays { return s.arrays }

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

// Graph returns molecule i without copying it, with the categories of atoms if they have some. It panics if i
// is not in 0..Len()-1.
func (s *Store) Graph(i int) Graph {
	a0, a1 := s.arrays.MolPtr[i], s.arrays.MolPtr[i+1]
	e0, e1 := s.arrays.EdgePtr[i], s.arrays.EdgePtr[i+1]
	n := int32(i)
	g := Graph{RowPtr: s.arrays.RowPtr[a0+n : a1+n+1], Col: s.arrays.Col[e0:e1], Bond: s.arrays.Bonds[2*e0 : 2*e1]}
	if len(s.arrays.Atoms) > 0 {
		g.Atoms = s.arrays.Atoms[2*a0 : 2*a1]
	}
	return g
}

// Elements returns the atomic numbers of molecule i [A], 119 for an unknown one, and the atoms that each bond joins
// [E, 2]. It returns nil if the store has no graphs of elements.
func (s *Store) Elements(i int) (numbers []uint8, ends []int32) {
	if len(s.arrays.Atoms) == 0 || s.Atoms(i) == 0 {
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

// Set replaces the array of a field for all molecules. It must be called before the store is used.
func (s *Store) Set(a Array) { s.arrays.Named.Set(a) }

// Floats returns the numbers of a field for all molecules; nil if they have none.
func (s *Store) Floats(f Field) []float32 { return s.arrays.Named.Floats(f) }

// AddTo appends molecule i to the inputs of a batch.
func (s *Store) AddTo(b *Inputs, i int) {
	g, atom, edge := s.Graph(i), b.MolPtr[len(b.MolPtr)-1], int32(len(b.Col))
	b.Atoms = append(b.Atoms, g.Atoms...)
	b.Bond = append(b.Bond, g.Bond...)
	for _, p := range g.RowPtr[1:] {
		b.RowPtr = append(b.RowPtr, edge+p)
	}
	for _, c := range g.Col {
		b.Col = append(b.Col, atom+int32(c))
	}
	b.MolPtr = append(b.MolPtr, atom+int32(s.Atoms(i)))
	b.Fingerprints.AddFrom(&s.arrays.Fingerprints, i)
	b.add(s.arrays.Named, s.rows(i))
}

// rows returns the rows of molecule i in arrays.
func (s *Store) rows(i int) (r rows) {
	for p := range r {
		r[p] = [2]int{s.firstRow(Per(p), i), s.firstRow(Per(p), i+1)}
	}
	return r
}
