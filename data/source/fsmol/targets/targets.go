// Package targets has the targets of FS-Mol's assays for validation and testing, and
// groups them as in Table 2 of the paper (tab:fsmol).
//
// targets.tsv has, for each of the 40 and 157 assays, the EC numbers of its target, their
// EC class and the protein family in ChEMBL's classification. It is an excerpt of
// datasets/targets/{valid,test}_proteins.csv of microsoft/FS-Mol (commit 92aa95d),
// which derives from ChEMBL 27; both are licensed CC BY-SA 3.0, and so is the excerpt.
// training.tsv, of train_proteins.csv there, has the numbers of the training assays of
// each target that several of them measure, and classes.tsv those of each class of proteins.
package targets

import (
	_ "embed" // the table
	"fmt"
	"strings"
	"sync"
)

//go:embed targets.tsv
var table string

// Categories of Table 2. They depend on the first number of the EC. The kinases of the table are
// all 125 transferases; 100 of them belong to the protein family of kinases.
const (
	Kinases         = "kinases"         // transferases, EC 2
	Hydrolases      = "hydrolases"      // EC 3
	Oxidoreductases = "oxidoreductases" // EC 1
	Others          = "other enzymes"   // in Table 2 only among all tasks
)

// Categories lists them in the order of Table 2.
var Categories = []string{Kinases, Hydrolases, Oxidoreductases, Others}

// A Target is the target of an assay.
type Target struct {
	Assay  string // ChEMBL's name of the assay, and the name of the task
	Fold   string // valid or test
	EC     string // numbers of the enzymes, joined by commas
	Class  string // EC class: transferase, hydrolase, …
	Family string // protein family
}

// Category returns the target's category in Table 2.
func (t Target) Category() string {
	switch t.Class {
	case "transferase":
		return Kinases
	case "hydrolase":
		return Hydrolases
	case "oxidoreductase":
		return Oxidoreductases
	}
	return Others
}

// all returns the table by assays.
var all = sync.OnceValue(func() map[string]Target {
	of := make(map[string]Target)
	for i, line := range strings.Split(strings.TrimSuffix(table, "\n"), "\n")[1:] {
		c := strings.Split(line, "\t")
		if len(c) != 5 {
			panic(fmt.Sprintf("targets.tsv, row %d: %d columns", i+2, len(c))) // a test reads the table
		}
		of[c[0]] = Target{c[0], c[1], c[2], c[3], c[4]}
	}
	return of
})

// Find returns the target of an assay of FS-Mol for validation or testing; ok is false for any
// other task.
func Find(assay string) (t Target, ok bool) {
	t, ok = all()[assay]
	return t, ok
}

// A Category is a category of Table 2 with its tasks.
type Category struct {
	Name  string
	Tasks []int // indices into the list of names
}

// Group returns the categories of tasks in the order of Table 2, without empty ones. Tasks that are
// not FS-Mol's are in no category.
func Group(tasks []string) (groups []Category) {
	for _, name := range Categories {
		c := Category{Name: name}
		for i, task := range tasks {
			if t, ok := Find(task); ok && t.Category() == name {
				c.Tasks = append(c.Tasks, i)
			}
		}
		if len(c.Tasks) > 0 {
			groups = append(groups, c)
		}
	}
	return groups
}
