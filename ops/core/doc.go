// Package core is the common part of the C++ of all operations: their arguments, the choice of the
// path that runs them, the launch of kernels, graphs, and loops over rows.
package core

// #cgo CXXFLAGS: -O3 -fopenmp -Winvalid-pch -Wall -Wextra -Wno-unused-parameter -Wno-unknown-pragmas -Wno-stringop-overflow -I${SRCDIR}/../include
// #cgo CFLAGS: -I${SRCDIR}/../include
// #cgo LDFLAGS: -l:libgomp.a
import "C"

import (
	_ "pacia/cuda" // the kernels
	_ "pacia/ops/include"
)
