// Package include has the headers that all C++ below ops shares: those of packages
// core, layers and product.
//
// The C++ of each family of operations is a separate package below ops, and package
// ops links their table. Go's cache does not track which headers a family includes.
// So the headers are embedded in this package, which every family imports, like
// package cuda for the kernels. They are separate from their sources, so that a
// change to a source does not recompile the families.
package include

import "embed"

//go:embed core layers product
var _ embed.FS
