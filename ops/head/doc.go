// Package head is C++ of the end of the model: hypernetworks, MLPs, mixtures of layers, the classifier and the loss.
package head

// #cgo CXXFLAGS: -O3 -fopenmp -Wall -Wextra -Wno-unused-parameter -Wno-unknown-pragmas -Wno-stringop-overflow -I${SRCDIR}/..
import "C"

import (
	_ "pacia/cuda" // the kernels
	_ "pacia/ops/core"
	_ "pacia/ops/layers"
	_ "pacia/ops/product"
)
