// Package gnnfilm is C++ of the encoder GNN-FiLM: an atom modulates the messages that come to it.
// The modulation of atoms by a task is not here but in package encoder. A GPU needs no kernels of
// its own for it but that of dropout.
package gnnfilm

// #cgo CXXFLAGS: -O3 -fopenmp -Winvalid-pch -Wall -Wextra -Wno-unused-parameter -Wno-unknown-pragmas -Wno-stringop-overflow -I${SRCDIR}/../include
import "C"

import (
	_ "pacia/cuda" // the kernels
	_ "pacia/ops/include"
)
