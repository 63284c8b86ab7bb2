// Package edges is C++ of the edge-labelling graph network, whose graphs hold the relation of each two
// molecules as an edge. ATen's calls run on a GPU, too.
package edges

// #cgo CXXFLAGS: -O3 -fopenmp -Winvalid-pch -Wall -Wextra -Wno-unused-parameter -Wno-unknown-pragmas -Wno-stringop-overflow -I${SRCDIR}/../include
import "C"

import _ "pacia/ops/include" // the headers, whose changes are to compile this
