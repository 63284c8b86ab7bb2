package targets

import (
	_ "embed" // the table
	"fmt"
	"strings"
	"sync"
)

//go:embed training.tsv
var training string

// targetOf returns the targets of training assays, by names of assays.
var targetOf = sync.OnceValue(func() map[string]string {
	of := make(map[string]string)
	for i, line := range strings.Split(strings.TrimSuffix(training, "\n"), "\n")[1:] {
		target, assays, ok := strings.Cut(line, "\t")
		if !ok {
			panic(fmt.Sprintf("training.tsv, row %d: no tab", i+2)) // a test reads the table
		}
		for _, assay := range strings.Fields(assays) {
			of["CHEMBL"+assay] = target
		}
	}
	return of
})

// A Shared is a target that several tasks measure.
type Shared struct {
	Target string // its number in ChEMBL 27
	Tasks  []int  // indices into the list of names
}

// SharedBy returns the targets that two or more of these tasks measure, in the order of
// their first tasks. Only training assays of FS-Mol have any.
func SharedBy(tasks []string) (shared []Shared) {
	place := make(map[string]int)
	for i, task := range tasks {
		target, known := targetOf()[task]
		if !known {
			continue
		}
		at, met := place[target]
		if !met {
			at = len(shared)
			place[target], shared = at, append(shared, Shared{Target: target})
		}
		shared[at].Tasks = append(shared[at].Tasks, i)
	}
	several := shared[:0]
	for _, s := range shared {
		if len(s.Tasks) > 1 {
			several = append(several, s)
		}
	}
	return several
}
