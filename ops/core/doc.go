// Package core is what the C++ of all operations is made of: their arguments, the
// choice of who runs them, the launch of kernels, graphs, and loops over rows.
//
// The C++ of a family of operations is a package of its own below ops, of which
// package ops links the table. Families include the headers of this package,
// which Go's cache does not see; so the headers are embedded in its archive, and
// every family imports this package and package cuda, for the kernels.
package core

// #cgo CXXFLAGS: -O3 -fopenmp -Wall -Wextra -Wno-unused-parameter -Wno-unknown-pragmas -Wno-stringop-overflow -I${SRCDIR}/..
// #cgo LDFLAGS: -l:libgomp.a
import "C"

import (
	"embed"

	_ "pacia/cuda" // the kernels
)

//go:embed *.h *.hh
var _ embed.FS
