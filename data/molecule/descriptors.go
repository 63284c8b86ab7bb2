package molecule

import (
	"context"
	"math"

	"pacia/data/rdkit"
)

// DescriptorCount is the number D of descriptors of a molecule.
const DescriptorCount = rdkit.DescriptorCount

// Described returns a Featurizer that also computes descriptors. They are this program's, even if
// a file contains others.
func (f Featurizer) Described() Featurizer { return f.With(&Describer) }

// Describer computes descriptors. A descriptor that is not defined or that RDKit cannot compute is NaN or infinite.
var Describer = Maker{Name: "descriptors 1", Unit: "descriptors", Field: Descriptors,
	Make: func(ctx context.Context, smiles []string) ([]float32, error) {
		values := make([]float32, len(smiles)*DescriptorCount)
		for i := range smiles {
			describe(ctx, values[i*DescriptorCount:(i+1)*DescriptorCount], smiles[i])
		}
		return values, nil
	}}

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
