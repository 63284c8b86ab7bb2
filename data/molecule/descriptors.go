package molecule

import (
	"context"
	"math"

	"pacia/data/rdkit"
	"pacia/data/workers"
)

// DescriptorCount is the number D of descriptors of a molecule.
const DescriptorCount = rdkit.DescriptorCount

// describer is implemented by a [List] that can hold descriptors.
type describer interface {
	// Describe sets the descriptors [n, D] of all molecules.
	Describe(values []float32)
}

// Described returns a Featurizer that also computes descriptors. They are this program's, even if
// a file contains others.
func (f Featurizer) Described() Featurizer {
	d := f
	d.Name, d.Descriptors = f.Name+", descriptors 1", true
	d.Parse = func(ctx context.Context, smiles []string, threads int) (List, []int32, []error) {
		m, index, errs := f.ParseSMILES(ctx, smiles, threads)
		Describe(ctx, m.(describer), parsed(smiles, index, m.Len()), threads)
		return m, index, errs
	}
	return d
}

// Describe computes the descriptors of all molecules of m from their SMILES, in the same order,
// over threads goroutines (0: one for each core). A descriptor that is not defined or that RDKit
// cannot compute is NaN or infinite. After ctx is done, the remaining ones are NaN.
func Describe(ctx context.Context, m describer, smiles []string, threads int) {
	values := make([]float32, len(smiles)*DescriptorCount)
	workers.InChunks(ctx, "descriptors", len(smiles), threads, func() func(int, int, int) {
		return func(_, first, end int) {
			for i := first; i < end; i++ {
				describe(ctx, values[i*DescriptorCount:(i+1)*DescriptorCount], smiles[i])
			}
		}
	})
	m.Describe(values)
}

// describe writes the descriptors [D] of a molecule. Finite values stay finite: those out of the range
// of float32 become its nearest finite number.
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

// DescriptorsOf returns the descriptors [n, D] of a store; ok is false if its molecules have none.
func DescriptorsOf(m List) (values []float32, ok bool) {
	store, ok := m.(interface{ AllDescriptors() []float32 })
	if !ok || len(store.AllDescriptors()) != m.Len()*DescriptorCount {
		return nil, false
	}
	return store.AllDescriptors(), true
}
