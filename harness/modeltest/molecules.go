package modeltest

import (
	"math"
	"math/rand/v2"
	"slices"

	"pacia/data"
	"pacia/data/molecule"
	"pacia/data/rdkit"
	"pacia/gnn"
	"pacia/gnn/minimol"
	"pacia/model"
)

// RandomStore returns n random molecules. Each is a tree of 1 to 12 atoms, with random
// counts of some of the first 40 bits as its fingerprint.
func RandomStore(seed uint64, n int) *molecule.Store {
	r := rand.New(rand.NewPCG(seed, 2))
	graphs := make([]molecule.Graph, n)
	for i := range graphs {
		graphs[i] = tree(r, 1+r.IntN(12))
	}
	s := molecule.NewStore(graphs)
	for range graphs {
		var bits, counts []uint16
		for bit := range uint16(40) {
			if c := r.IntN(8); c > 4 {
				bits, counts = append(bits, bit), append(counts, uint16(c-4))
			}
		}
		s.Fingerprints().Add(bits, counts)
	}
	return s
}

func tree(r *rand.Rand, atoms int) molecule.Graph {
	type end struct {
		atom      uint16
		kind, dir uint8
	}
	ends := make([][]end, atoms)
	for a := 1; a < atoms; a++ {
		b, kind, dir := r.IntN(a), uint8(r.IntN(4)), uint8(r.IntN(3))
		ends[a], ends[b] = append(ends[a], end{uint16(b), kind, dir}), append(ends[b], end{uint16(a), kind, dir})
	}
	g := molecule.Graph{RowPtr: []int32{0}}
	for _, es := range ends {
		g.Atoms = append(g.Atoms, uint8(r.IntN(118)), uint8(r.IntN(4)))
		for _, e := range es {
			g.Col, g.Bond = append(g.Col, e.atom), append(g.Bond, e.kind, e.dir)
		}
		g.RowPtr = append(g.RowPtr, int32(len(g.Col)))
	}
	return g
}

// Readable returns the batch with the inputs of the model's encoder: features in place of
// categories for PNA, places for MAT, and fingerprints if it reads them.
func Readable(m *model.Model, b *data.Batch) *data.Batch {
	encoder, _ := m.Config().EncoderSpec()
	b = ReadableBy(encoder.Reads, b)
	if (m.Config().ReadsFingerprints() || m.Traits().Compares) && b.Fingerprints.Len() == 0 {
		b = Fingerprinted(b)
	}
	if m.Config().Descriptors && len(b.Floats(molecule.Descriptors)) == 0 {
		b = Described(b)
	}
	if m.Config().Embeds() && len(b.Floats(molecule.Embeddings)) == 0 {
		b = Embedded(b)
	}
	return b
}

// Embedded returns the batch with vectors of four numbers that depend on the molecules' fingerprints.
func Embedded(from *data.Batch) *data.Batch { return embedded(from, 4) }

func embedded(from *data.Batch, width int) *data.Batch {
	b := *from
	var vectors []float32
	for m := range len(b.MolPtr) - 1 {
		bits, counts := b.Fingerprints.At(m)
		seed := uint64(len(bits))
		for k, bit := range bits {
			seed = 31*seed + uint64(bit)*uint64(counts[k])
		}
		r := rand.New(rand.NewPCG(seed, 3))
		for range width {
			vectors = append(vectors, float32(r.NormFloat64()))
		}
	}
	b.SetFloats(molecule.Embeddings, len(b.MolPtr)-1, vectors)
	return &b
}

// wide is like Embedded, with vectors of the width of MiniMol's.
func wide(from *data.Batch) *data.Batch {
	if from.Fingerprints.Len() == 0 {
		from = Fingerprinted(from)
	}
	return embedded(from, minimol.Width)
}

// ReadableBy returns the batch with all inputs that a reading needs, if such a batch can be made.
func ReadableBy(r *gnn.Reading, b *data.Batch) *data.Batch {
	for _, with := range []func(*data.Batch) *data.Batch{Fingerprinted, Featured, Placed, wide, mini} {
		if r.Lacks(b) == "" {
			break
		}
		if other := numbered(r.Arrays, with(b)); r.Lacks(other) == "" {
			b = other
		}
	}
	return numbered(r.Arrays, b)
}

// numbered returns the batch with all arrays that are otherwise computed from SMILES. Their numbers depend on the graph,
// and not on the order of atoms, bonds and molecules.
func numbered(arrays []gnn.Array, b *data.Batch) *data.Batch {
	for _, a := range arrays {
		if a.Maker != nil && len(b.Floats(a.Field)) == 0 {
			with := *b
			with.SetFloats(a.Field, b.Rows(a.Per), numbers(b, a.Field))
			b = &with
		}
	}
	return b
}

// numbers returns numbers [rows, Width] that depend on the degrees of atoms, and on the size of molecules.
func numbers(b *data.Batch, f molecule.Field) (values []float32) {
	add := func(seed int32) {
		r := rand.New(rand.NewPCG(uint64(seed), 5))
		for range f.Width {
			values = append(values, float32(r.NormFloat64()))
		}
	}
	if f.Per == molecule.PerMolecule {
		for m := range len(b.MolPtr) - 1 {
			add(b.MolPtr[m+1] - b.MolPtr[m])
		}
		return values
	}
	degree := func(v int32) int32 { return b.RowPtr[v+1] - b.RowPtr[v] }
	for v := range int32(b.Rows(molecule.PerAtom)) {
		if f.Per == molecule.PerAtom {
			add(degree(v))
			continue
		}
		for _, u := range b.Col[b.RowPtr[v]:b.RowPtr[v+1]] {
			add(degree(v) * degree(u))
		}
	}
	return values
}

// mini returns the batch with inputs of MiniMol's layers that depend on the categories of atoms and bonds.
func mini(from *data.Batch) *data.Batch {
	b := *from
	b.Atoms, b.Bond = nil, slices.Clone(from.Bond)
	var features []float32
	b.Levels, b.AtomRow = nil, nil
	for i := 0; i+1 < len(from.Atoms); i += 2 {
		n, c := from.Atoms[i], from.Atoms[i+1]
		for _, value := range []uint8{1 + n%4, 127 + c%3, n % 2, c % 2, n / 2 % 2, n % 44, n % 20, n % 8, c % 8} {
			for bit := range 8 {
				features = append(features, float32(value>>bit&1))
			}
		}
	}
	b.SetFloats(molecule.Features, len(b.RowPtr)-1, features)
	for i := 0; i < len(b.Bond); i += 2 {
		b.Bond[i], b.Bond[i+1] = 14*b.Bond[i]+2*b.Bond[i+1], 0
	}
	return &b
}

// Fingerprinted returns the batch with fingerprints that depend on the features or
// categories of the molecules' atoms.
func Fingerprinted(from *data.Batch) *data.Batch {
	b := *from
	b.Fingerprints = molecule.Fingerprints{}
	features := b.Array(molecule.Features)
	for m := range len(b.MolPtr) - 1 {
		var counts [molecule.FingerprintLength]uint16
		for v := b.MolPtr[m]; v < b.MolPtr[m+1]; v++ {
			kind := uint64(b.RowPtr[v+1] - b.RowPtr[v])
			if len(b.Atoms) > 0 {
				kind += 8 * uint64(b.Atoms[2*v])
			} else {
				kind += 8 * uint64(math.Float32bits(features.Floats[int(v)*features.Width]))
			}
			counts[rand.New(rand.NewPCG(kind, 7)).IntN(len(counts))]++
		}
		b.Fingerprints.AddCounts(counts[:])
	}
	return &b
}

// Described returns the batch with descriptors that depend on the molecules' numbers of atoms
// and counts.
func Described(from *data.Batch) *data.Batch {
	b := *from
	var descriptors []float32
	for m := range len(b.MolPtr) - 1 {
		bits, _ := b.Fingerprints.At(m)
		r := rand.New(rand.NewPCG(uint64(b.MolPtr[m+1]-b.MolPtr[m]), uint64(len(bits))))
		for range molecule.DescriptorCount {
			descriptors = append(descriptors, float32(r.NormFloat64()))
		}
	}
	b.SetFloats(molecule.Descriptors, len(b.MolPtr)-1, descriptors)
	return &b
}

// Placed returns the batch with atoms in space, with features and places that depend on
// their categories.
func Placed(from *data.Batch) *data.Batch {
	b := *from
	b.Atoms = nil
	b.SetFloats(molecule.Features, len(b.RowPtr)-1, atomNumbers(from, rdkit.ConformerFeatures, 0))
	b.SetFloats(molecule.Places, len(b.RowPtr)-1, atomNumbers(from, 3, 1))
	return &b
}

// atomNumbers returns each numbers per atom, which depend on the atom's categories.
func atomNumbers(b *data.Batch, each int, stream uint64) (to []float32) {
	for i := 0; i < len(b.Atoms); i += 2 {
		r := rand.New(rand.NewPCG(uint64(b.Atoms[i])+1000*stream, uint64(b.Atoms[i+1])))
		for range each {
			to = append(to, float32(r.NormFloat64()))
		}
	}
	return to
}

// Featured returns the batch with atom features that depend on the categories, and
// bonds of three types without directions.
func Featured(from *data.Batch) *data.Batch {
	b := *from
	b.Atoms, b.Bond = nil, slices.Clone(from.Bond)
	b.Levels, b.AtomRow = nil, nil // from may have been prepared
	b.SetFloats(molecule.Features, len(b.RowPtr)-1, atomNumbers(from, 32, 0))
	for i := 0; i < len(b.Bond); i += 2 {
		b.Bond[i], b.Bond[i+1] = b.Bond[i]%3, 0
	}
	return &b
}
