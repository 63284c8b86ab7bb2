// Package head is C++ of the end of the model: hypernetworks, MLPs, mixtures of layers, the classifier and the loss.
package head

// #cgo CXXFLAGS: -O3 -fopenmp -Winvalid-pch -Wall -Wextra -Wno-unused-parameter -Wno-unknown-pragmas -Wno-stringop-overflow -I${SRCDIR}/../include
import "C"

import (
	_ "pacia/cuda" // the kernels
	_ "pacia/ops/include"
)
