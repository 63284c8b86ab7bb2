// Package fingerprint is C++ of the operations of the encoder of fingerprints: h⁰
// of a molecule's counts, and layers of a multilayer perceptron.
//
// An operation is a header: libtorch's own take half of the time of compiling one, so
// that a few share a file of C++.
package fingerprint

// #cgo CXXFLAGS: -O3 -fopenmp -Winvalid-pch -Wall -Wextra -Wno-unused-parameter -Wno-unknown-pragmas -Wno-stringop-overflow -I${SRCDIR}/../include
import "C"

import (
	_ "pacia/cuda" // the kernels
	_ "pacia/ops/include"
)
