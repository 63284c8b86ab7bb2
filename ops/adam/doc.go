// Package adam is C++ of the optimiser, by loops and by kernels.
package adam

// #cgo CXXFLAGS: -O3 -fopenmp -Winvalid-pch -Wall -Wextra -Wno-unused-parameter -Wno-unknown-pragmas -Wno-stringop-overflow -I${SRCDIR}/../include
import "C"

import (
	"embed"

	_ "pacia/cuda" // the kernels
	_ "pacia/ops/include"
)

//go:embed *.h
var _ embed.FS
