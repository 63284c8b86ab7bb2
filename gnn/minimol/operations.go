package minimol

import (
	"github.com/sugarme/gotch/ts"

	_ "pacia/gnn/minimol/op" // the operations
	"pacia/ops"
)

// Legend: A atoms, E bonds counted in both directions, n molecules, L layers.

var (
	spectrumOp = ops.Named("walks and eigenvectors")
	minimolOp  = ops.Named("minimol")
)

// Width is the number of entries of a vector.
const Width = 512

// spectrumWidth is the number of entries that describe an atom's place in its molecule's graph.
const spectrumWidth = 32

// spectrum returns descriptions [A, spectrumWidth] of each atom's place in its molecule's graph, on the
// CPU: 16 return probabilities of random walks, the lowest 8 eigenvalues of the Laplacian, and the atom's
// entries of their eigenvectors. rowptr [A+1] and col [E] are bonds as in [ops.HostGraph], mol [n+1] offsets
// of the molecules' atoms.
func spectrum(rowptr, col, mol *ts.Tensor) (*ts.Tensor, error) {
	return spectrumOp.One(ops.Args{In: []*ts.Tensor{rowptr, col, mol}})
}

// input holds molecules in MiniMol's form, see gnn/minimol/op/network.hh.
type input struct {
	atoms    *ts.Tensor // [A, 9] uint8
	spectrum *ts.Tensor // [A, spectrumWidth]
	rowPtr   *ts.Tensor // [A+1] int32
	col      *ts.Tensor // [E] int32
	code     *ts.Tensor // [E] uint8
	molPtr   *ts.Tensor // [n+1] int32
	// signed makes the network use the given signs of the eigenvectors. Otherwise it takes the
	// mean over both signs of the features that it computes from each eigenvector.
	signed bool
	// standard standardises the vectors, unless it is zero.
	standard moments
}

// moments is the mean and the inverse deviation of each number of a vector [Width].
type moments struct{ mean, inverse *ts.Tensor }

// vectorsOf returns the vectors [n, Width] of molecules by a network of L layers, whose
// parameters are in the order of gnn/minimol/op/network.hh. The whole network is one operation, with
// gradients for its parameters if these require them.
func vectorsOf(m input, parameters []*ts.Tensor, layers int) (*ts.Tensor, error) {
	in := append([]*ts.Tensor{m.atoms, m.spectrum, m.rowPtr, m.col, m.code, m.molPtr, m.standard.mean, m.standard.inverse}, parameters...)
	return minimolOp.One(ops.Args{In: in, Ints: []int64{ops.Flag(m.signed), int64(layers)}})
}
