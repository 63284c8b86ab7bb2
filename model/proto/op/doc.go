// Package op is C++ of metrics in which a query is compared with the class means of its task's
// support: inner products and Mahalanobis distances. ATen's calls also run on a GPU.
package op

// #cgo CXXFLAGS: -O3 -fopenmp -Winvalid-pch -Wall -Wextra -Wno-unused-parameter -Wno-unknown-pragmas -Wno-stringop-overflow -I${SRCDIR}/../../../ops/include
import "C"

import _ "pacia/ops/include" // a change to the headers compiles this package again
