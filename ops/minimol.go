package ops

import "github.com/sugarme/gotch/ts"

// Legend: A atoms, E bonds counted in both directions, n molecules, L layers.

var (
	spectrumOp = Named("walks and eigenvectors")
	minimolOp  = Named("minimol")
)

// MiniMolWidth is the width of MiniMol's vectors.
const MiniMolWidth = 512

// SpectrumWidth is the number of entries that describe an atom's place in its molecule's graph.
const SpectrumWidth = 32

// Spectrum returns descriptions [A, SpectrumWidth] of each atom's place in its molecule's graph, on the
// CPU: 16 return probabilities of random walks, the lowest 8 eigenvalues of the Laplacian, and the atom's
// entries of their eigenvectors. rowptr [A+1] and col [E] are bonds as in [HostGraph], mol [n+1] offsets
// of the molecules' atoms.
func Spectrum(rowptr, col, mol *ts.Tensor) (*ts.Tensor, error) {
	return spectrumOp.One(Args{In: []*ts.Tensor{rowptr, col, mol}})
}

// MiniMolInput holds molecules in MiniMol's form, see ops/minimol/network.hh.
type MiniMolInput struct {
	Atoms    *ts.Tensor // [A, 9] uint8
	Spectrum *ts.Tensor // [A, SpectrumWidth]
	RowPtr   *ts.Tensor // [A+1] int32
	Col      *ts.Tensor // [E] int32
	Code     *ts.Tensor // [E] uint8
	MolPtr   *ts.Tensor // [n+1] int32
	// Signed makes the network use the given signs of the eigenvectors. Otherwise it takes the
	// mean over both signs of the features that it computes from each eigenvector.
	Signed bool
	// Standard standardises the vectors, unless it is zero.
	Standard MiniMolStandard
}

// MiniMolStandard is the mean and the inverse deviation of each number of a vector [MiniMolWidth].
type MiniMolStandard struct{ Mean, Inverse *ts.Tensor }

// MiniMol returns the vectors [n, MiniMolWidth] of molecules by a network of L layers, whose
// parameters are in the order of ops/minimol/network.hh. The whole network is one operation, with
// gradients for its parameters if these require them.
func MiniMol(m MiniMolInput, parameters []*ts.Tensor, layers int) (*ts.Tensor, error) {
	in := append([]*ts.Tensor{m.Atoms, m.Spectrum, m.RowPtr, m.Col, m.Code, m.MolPtr, m.Standard.Mean, m.Standard.Inverse}, parameters...)
	return minimolOp.One(Args{In: in, Ints: []int64{Flag(m.Signed), int64(layers)}})
}
