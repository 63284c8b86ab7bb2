// Package par is C++ of the head of PAR: property-aware vectors, a relation graph, and gradient steps on a part of the head, whose own gradients are differentiated.
package par

// #cgo CXXFLAGS: -O3 -fopenmp -Winvalid-pch -Wall -Wextra -Wno-unused-parameter -Wno-unknown-pragmas -Wno-stringop-overflow -I${SRCDIR}/../include
import "C"

import (
	_ "pacia/cuda" // the kernels
	_ "pacia/ops/include"
)
