// Package encoder is C++ of the operations of encoders: embeddings of atoms, the layers of GIN,
// GCN, GraphSAGE and GAT, and the modulation of their outputs.
//
// An operation is a header. libtorch's own headers take half of the time of compiling one, so a few
// operations share a file of C++.
package encoder

// #cgo CXXFLAGS: -O3 -fopenmp -Winvalid-pch -Wall -Wextra -Wno-unused-parameter -Wno-unknown-pragmas -Wno-stringop-overflow -I${SRCDIR}/../include
import "C"

import (
	_ "pacia/cuda" // the kernels
	_ "pacia/ops/include"
)
