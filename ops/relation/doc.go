// Package relation is C++ of the relation graph: the nodes of the first layer with dropout, and each layer's similarities of
// all pairs and means of neighbours.
package relation

// #cgo CXXFLAGS: -O3 -fopenmp -Winvalid-pch -Wall -Wextra -Wno-unused-parameter -Wno-unknown-pragmas -Wno-stringop-overflow -I${SRCDIR}/../include
import "C"

import (
	_ "pacia/cuda" // the kernels
	_ "pacia/ops/include"
)
