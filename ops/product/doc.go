// Package product makes the matrix products of the operations on the CPU, most of a step's time. It
// is C++ only, which package ops calls:
//
//   - product.hh has products of tensors, with the bias and the activation that
//     follow them, and chooses the implementation;
//   - panels.hh has products of a few rows with a matrix that many products share;
//   - sparse.hh has products of a matrix of mostly zeros, by lists of its other entries
//     (entries.hh);
//   - few.hh has products with too few rows or columns for a tile, which are limited by memory
//     bandwidth;
//   - tile.hh has the basis of the others: tiles of the result that stay in registers, of
//     vectors (tile.cc, dot.cc) or of a matrix unit (amx.cc, parts.hh);
//   - vector.hh has sums of rows, and the products of one row with another.
//
// The headers only declare, so that a change to an operation does not compile the loops again.
package product

// #cgo CXXFLAGS: -O3 -fopenmp -Winvalid-pch -Wall -Wextra -Wno-unused-parameter -Wno-unknown-pragmas -Wno-stringop-overflow -I${SRCDIR}/../include
import "C"

import (
	_ "pacia/cuda" // constants that kernels share
	_ "pacia/ops/include"
)
