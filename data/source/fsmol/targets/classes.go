package targets

import (
	_ "embed" // the table
	"fmt"
	"strings"
	"sync"
)

//go:embed classes.tsv
var classes string

// classOf returns the protein classes of training assays, by names of assays.
var classOf = sync.OnceValue(func() map[string]string {
	of := make(map[string]string)
	for i, line := range strings.Split(strings.TrimSuffix(classes, "\n"), "\n")[1:] {
		class, assays, ok := strings.Cut(line, "\t")
		if !ok {
			panic(fmt.Sprintf("classes.tsv, row %d: no tab", i+2)) // a test reads the table
		}
		for _, assay := range strings.Fields(assays) {
			of["CHEMBL"+assay] = class
		}
	}
	return of
})

// ClassOf returns ChEMBL's class of the protein that a training assay of FS-Mol measures, such as
// "Cytochrome P450 3A4"; empty if FS-Mol states none, and for any other task.
func ClassOf(assay string) string { return classOf()[assay] }
