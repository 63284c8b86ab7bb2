// Package tensors is C++ of what package ops does with tensors beside calculating:
// between Go's memory and libtorch's, on the way to a device, backward.
package tensors

// #cgo CXXFLAGS: -O3 -fopenmp -Winvalid-pch -Wall -Wextra -Wno-unused-parameter -Wno-unknown-pragmas -Wno-stringop-overflow -I${SRCDIR}/../include
import "C"

import (
	"embed"

	_ "pacia/cuda" // the kernels
	_ "pacia/ops/include"
)

//go:embed *.h
var _ embed.FS
