// Package relation is C++ of the relation layer: similarities of all pairs of a graph, and the neighbours' mean.
package relation

// #cgo CXXFLAGS: -O3 -fopenmp -Winvalid-pch -Wall -Wextra -Wno-unused-parameter -Wno-unknown-pragmas -Wno-stringop-overflow -I${SRCDIR}/../include
import "C"

import (
	_ "pacia/cuda" // the kernels
	_ "pacia/ops/include"
)
