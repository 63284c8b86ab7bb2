// Package include has the headers that all C++ below ops shares: those of packages
// core, layers and product.
//
// The C++ of each family of operations is a package of its own below ops, and
// package ops links their table. Go's cache does not see which headers a family
// includes; so these are embedded in this package, which every family imports, as
// it does package cuda for the kernels. They lie apart from their sources so that
// a change to one of those compiles no family.
package include

import "embed"

//go:embed core layers product
var _ embed.FS
