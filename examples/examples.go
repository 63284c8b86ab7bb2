// Package examples holds an assay to try the program with: examples/assay/README.md says
// what it is and where it is from.
package examples

import _ "embed" // the files

// Support is the file of labelled molecules, and Library that of those to be ranked.
var (
	//go:embed assay/support.csv
	Support string
	//go:embed assay/library.csv
	Library string
)
