// Package op is C++ of the two stages that MHNfs puts before the comparison of a query with its
// support: retrieval from a context by a modern Hopfield network, and attention among a query and
// its support. ATen's calls also run on a GPU.
package op

// #cgo CXXFLAGS: -O3 -fopenmp -Winvalid-pch -Wall -Wextra -Wno-unused-parameter -Wno-unknown-pragmas -Wno-stringop-overflow -I${SRCDIR}/../../../ops/include
import "C"

import _ "pacia/ops/include" // a change to the headers compiles this package again
