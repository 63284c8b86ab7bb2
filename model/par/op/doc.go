// Package op is C++ of the head of PAR: property-aware vectors, a relation graph, and gradient
// steps on a part of the head. The gradients of these steps are differentiated in turn.
package op

// #cgo CXXFLAGS: -O3 -fopenmp -Winvalid-pch -Wall -Wextra -Wno-unused-parameter -Wno-unknown-pragmas -Wno-stringop-overflow -I${SRCDIR}/../../../ops/include
import "C"

import (
	_ "pacia/cuda" // the kernels
	_ "pacia/ops/include"
	_ "pacia/ops/relation" // the similarity of pairs
)
