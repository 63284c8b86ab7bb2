package data

import (
	"context"
	"math"

	"pacia/data/rdkit"
)

// DescriptorCount is the number D of descriptors of a molecule.
const DescriptorCount = rdkit.DescriptorCount

// describer is Molecules that can keep descriptors.
type describer interface {
	// Describe takes the descriptors [n, D] of all molecules.
	Describe(values []float32)
}

// Described returns the form with descriptors of the molecules beside what they have:
// this project's own, also where a file brings others.
func (f Featurizer) Described() Featurizer {
	d := f
	d.Name, d.Descriptors = f.Name+", descriptors 1", true
	d.Parse = func(ctx context.Context, smiles []string, threads int) (Molecules, []int32, []error) {
		m, index, errs := f.ParseSMILES(ctx, smiles, threads)
		Describe(ctx, m.(describer), parsed(smiles, index, m.Len()), threads)
		return m, index, errs
	}
	return d
}

// Describe computes the descriptors of all molecules, whose SMILES are in their order,
// over threads goroutines (0: one for each core). Where one is not defined, or RDKit
// computes none, it is NaN or infinite. Once ctx is done, the others are NaN.
func Describe(ctx context.Context, m describer, smiles []string, threads int) {
	values := make([]float32, len(smiles)*DescriptorCount)
	InChunks(ctx, "descriptors", len(smiles), threads, func() func(int, int, int) {
		return func(_, first, end int) {
			for i := first; i < end; i++ {
				describe(ctx, values[i*DescriptorCount:(i+1)*DescriptorCount], smiles[i])
			}
		}
	})
	m.Describe(values)
}

// describe writes the descriptors [D] of a molecule. Finite ones stay finite: what
// float32 has no room for becomes its largest number.
func describe(ctx context.Context, to []float32, smiles string) {
	var own [DescriptorCount]float64
	values := own[:0]
	if ctx.Err() == nil {
		if all, err := rdkit.Descriptors(ctx, values, smiles); err == nil {
			values = all
		}
	}
	for i := range to {
		switch {
		case i >= len(values):
			to[i] = float32(math.NaN())
		case math.IsInf(values[i], 0):
			to[i] = float32(values[i])
		default:
			to[i] = float32(max(-math.MaxFloat32, min(math.MaxFloat32, values[i])))
		}
	}
}

// DescriptorsOf returns those [n, D] of a store; ok is false where its molecules come without.
func DescriptorsOf(m Molecules) (values []float32, ok bool) {
	store, ok := m.(interface{ AllDescriptors() []float32 })
	if !ok || len(store.AllDescriptors()) != m.Len()*DescriptorCount {
		return nil, false
	}
	return store.AllDescriptors(), true
}
