// Package op is C++ of the head of ADKF-IFT: a Gaussian process on the vectors of molecules,
// with exact derivatives in float64. Three of its numbers are fitted to each task.
package op

// #cgo CXXFLAGS: -O3 -fopenmp -Winvalid-pch -Wall -Wextra -Wno-unused-parameter -Wno-unknown-pragmas -Wno-stringop-overflow -I${SRCDIR}/../../../ops/include
import "C"

import (
	_ "pacia/cuda" // the kernels
	_ "pacia/ops/include"
)
