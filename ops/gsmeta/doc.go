// Package gsmeta is C++ of GS-META's relation graphs of molecules and properties. ATen's calls also
// run on a GPU.
package gsmeta

// #cgo CXXFLAGS: -O3 -fopenmp -Winvalid-pch -Wall -Wextra -Wno-unused-parameter -Wno-unknown-pragmas -Wno-stringop-overflow -I${SRCDIR}/../include
import "C"

import (
	_ "pacia/ops/edges"   // pairs and normed layers
	_ "pacia/ops/include" // a change to the headers compiles this package again
)
