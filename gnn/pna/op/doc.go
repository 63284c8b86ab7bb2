// Package op is C++ of FS-Mol's PNA encoder.
package op

// #cgo CXXFLAGS: -O3 -fopenmp -Winvalid-pch -Wall -Wextra -Wno-unused-parameter -Wno-unknown-pragmas -Wno-stringop-overflow -I${SRCDIR}/../../../ops/include
import "C"

import (
	_ "pacia/cuda" // the kernels
	_ "pacia/ops/include"
)
