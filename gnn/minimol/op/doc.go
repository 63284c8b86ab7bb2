// Package op is the C++ of the encoder MiniMol (Kläser et al., arXiv 2404.14986): a GIN with
// bonds in its messages (GINE), layer norms and a virtual node. Its vector of a molecule is the
// maximum over its atoms.
//
//   - spectrum.cc describes an atom's place in the graph: return probabilities of random walks, and
//     eigenvectors of the Laplacian;
//   - network.hh names the parameters, rows.hh has what is done row by row, plain.cc is the network's definition, with gradients;
//   - trained.cc has its layers in loops that keep what gradients need;
//   - infer.cc is the network without gradients: a thread takes some molecules through all layers, so
//     that their states stay in its cache.
package op

// #cgo CXXFLAGS: -O3 -fopenmp -Winvalid-pch -Wall -Wextra -Wno-unused-parameter -Wno-unknown-pragmas -Wno-stringop-overflow -I${SRCDIR}/../../../ops/include
import "C"

import (
	_ "pacia/cuda" // the kernels
	_ "pacia/ops/include"
)
