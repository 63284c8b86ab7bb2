// Package lists is C++ of arithmetic on lists of tensors, one for each parameter of a model: the
// building blocks of gradient steps inside of a step.
package lists

// #cgo CXXFLAGS: -O3 -fopenmp -Winvalid-pch -Wall -Wextra -Wno-unused-parameter -Wno-unknown-pragmas -Wno-stringop-overflow -I${SRCDIR}/../include
import "C"

import (
	"embed"

	_ "pacia/cuda" // the kernels
	_ "pacia/ops/include"
)

//go:embed *.h
var _ embed.FS
