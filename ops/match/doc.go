// Package match is C++ of the comparison of a query with each molecule of its task's support, and
// of the refinement of both before it by two LSTMs. ATen's calls also run on a GPU.
package match

// #cgo CXXFLAGS: -O3 -fopenmp -Winvalid-pch -Wall -Wextra -Wno-unused-parameter -Wno-unknown-pragmas -Wno-stringop-overflow -I${SRCDIR}/../include
import "C"

import _ "pacia/ops/include" // a change to the headers compiles this package again
