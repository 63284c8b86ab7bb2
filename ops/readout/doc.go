// Package readout is C++ of vectors of molecules from those of their atoms.
package readout

// #cgo CXXFLAGS: -O3 -fopenmp -Wall -Wextra -Wno-unused-parameter -Wno-unknown-pragmas -Wno-stringop-overflow -I${SRCDIR}/..
import "C"

import (
	_ "pacia/cuda" // the kernels
	_ "pacia/ops/core"
	_ "pacia/ops/layers"
	_ "pacia/ops/product"
)
