// Package op is C++ of GS-META's relation graphs of molecules and properties. ATen's calls also
// run on a GPU.
package op

// #cgo CXXFLAGS: -O3 -fopenmp -Winvalid-pch -Wall -Wextra -Wno-unused-parameter -Wno-unknown-pragmas -Wno-stringop-overflow -I${SRCDIR}/../../../ops/include
import "C"

import (
	_ "pacia/model/egnn/op" // pairs and normed layers
	_ "pacia/ops/include"   // a change to the headers compiles this package again
)
