// Package op is C++ of the encoder GNN-FiLM: an atom modulates the messages that it receives.
// The modulation of atoms by a task is in package ops/encoder. The only kernel that it needs on a GPU is
// that of dropout.
package op

// #cgo CXXFLAGS: -O3 -fopenmp -Winvalid-pch -Wall -Wextra -Wno-unused-parameter -Wno-unknown-pragmas -Wno-stringop-overflow -I${SRCDIR}/../../../ops/include
import "C"

import (
	_ "pacia/cuda" // the kernels
	_ "pacia/ops/include"
)
