package fsmol

import "pacia/data"

// Store holds n molecules with A atoms in all, one array a field: data.Molecules
// whose atoms have features. It is read only once its data set is opened, and
// then safe for several goroutines.
type Store struct {
	molPtr  []int32            // [n+1] atoms of molecule i: molPtr[i]..molPtr[i+1]
	atoms   []uint32           // [A] as in Graph
	bondPtr [BondTypes][]int32 // [n+1] bonds of type t of molecule i
	bonds   [BondTypes][]uint16

	smiles      []string  // [n]
	descriptors []float32 // [n, width] those of the files
	width       int
	computed    []float32 // [n, data.DescriptorCount], or nothing

	embeddings []float32 // [n, W], or nothing

	fingerprints data.Fingerprints
}

func newStore() *Store {
	s := &Store{molPtr: []int32{0}}
	for t := range s.bondPtr {
		s.bondPtr[t] = []int32{0}
	}
	return s
}

// add appends a molecule.
func (s *Store) add(m *Molecule) {
	s.smiles = append(s.smiles, m.SMILES)
	s.atoms = append(s.atoms, m.Graph.Atoms...)
	s.molPtr = append(s.molPtr, int32(len(s.atoms)))
	for t := range s.bonds {
		s.bonds[t] = append(s.bonds[t], m.Graph.Bonds[t]...)
		s.bondPtr[t] = append(s.bondPtr[t], int32(len(s.bonds[t])/2))
	}
	s.descriptors = append(s.descriptors, m.Descriptors...)
	if m.Fingerprint != nil || s.fingerprints.Len() > 0 {
		for s.fingerprints.Len() < s.Len()-1 {
			s.fingerprints.AddCounts(nil)
		}
		s.fingerprints.AddCounts(m.Fingerprint)
	}
}

// Len returns the number of molecules.
func (s *Store) Len() int { return len(s.smiles) }

// SMILES returns the SMILES of molecule i.
func (s *Store) SMILES(i int) string { return s.smiles[i] }

// Graph returns the graph of molecule i without copying it; it has no Types.
func (s *Store) Graph(i int) Graph {
	g := Graph{Atoms: s.atoms[s.molPtr[i]:s.molPtr[i+1]]}
	for t := range g.Bonds {
		g.Bonds[t] = s.bonds[t][2*s.bondPtr[t][i] : 2*s.bondPtr[t][i+1]]
	}
	return g
}

// Descriptors returns those of molecule i; the slice must not be written to.
func (s *Store) Descriptors(i int) []float32 { return s.descriptors[i*s.width : (i+1)*s.width] }

// Describe takes the descriptors [n, data.DescriptorCount] of all molecules that go into
// batches, in place of those of the files.
func (s *Store) Describe(values []float32) { s.computed = values }

// Embed takes the vectors [n, W] of all molecules.
func (s *Store) Embed(vectors []float32) { s.embeddings = vectors }

// AllDescriptors returns what Describe took.
func (s *Store) AllDescriptors() []float32 { return s.computed }

// Fingerprints returns those of all molecules; the zero value where they have none.
func (s *Store) Fingerprints() *data.Fingerprints { return &s.fingerprints }

// Fingerprint appends the [Counts] counts of molecule i.
func (s *Store) Fingerprint(to []uint16, i int) []uint16 {
	start := len(to)
	to = append(to, make([]uint16, Counts)...)
	if s.fingerprints.Len() == 0 {
		return to
	}
	bits, counts := s.fingerprints.Of(i)
	for k, bit := range bits {
		to[start+int(bit)] = counts[k]
	}
	return to
}
