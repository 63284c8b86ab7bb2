// Package relation is C++ of the relation layer: similarities of all pairs of a graph, and the neighbours' mean.
package relation

// #cgo CXXFLAGS: -O3 -fopenmp -Wall -Wextra -Wno-unused-parameter -Wno-unknown-pragmas -Wno-stringop-overflow -I${SRCDIR}/..
import "C"

import (
	_ "pacia/cuda" // the kernels
	_ "pacia/ops/core"
	_ "pacia/ops/layers"
	_ "pacia/ops/product"
)
