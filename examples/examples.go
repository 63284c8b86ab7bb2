// Package examples embeds an assay to try the program with. examples/assay/README.md
// describes the assay and its source.
package examples

import _ "embed" // the files

// Support is the file of labelled molecules, and Library the file of molecules to rank.
var (
	//go:embed assay/support.csv
	Support string
	//go:embed assay/library.csv
	Library string
)
