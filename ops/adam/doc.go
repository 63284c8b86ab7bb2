// Package adam is C++ of the optimiser, by loops and by kernels.
package adam

// #cgo CXXFLAGS: -O3 -fopenmp -Wall -Wextra -Wno-unused-parameter -Wno-unknown-pragmas -Wno-stringop-overflow -I${SRCDIR}/..
import "C"

import (
	"embed"

	_ "pacia/cuda" // the kernels
	_ "pacia/ops/core"
)

//go:embed *.h
var _ embed.FS
