// Package gsmeta is C++ of GS-META's relation graphs of molecules and properties. ATen's calls run on a
// GPU, too.
package gsmeta

// #cgo CXXFLAGS: -O3 -fopenmp -Winvalid-pch -Wall -Wextra -Wno-unused-parameter -Wno-unknown-pragmas -Wno-stringop-overflow -I${SRCDIR}/../include
import "C"

import (
	_ "pacia/ops/edges"   // pairs and normed layers
	_ "pacia/ops/include" // the headers, whose changes are to compile this
)
