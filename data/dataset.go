package data

import (
	"golang.org/x/sys/unix"

	"pacia/internal/each"
)

// Dataset is the molecules and tasks of one file, or of a folder of task files.
type Dataset struct {
	Name    string
	Store   Molecules
	Tasks   []Task
	Folds   *Split // the split that the data set brings along; nil where it brings none
	Hash    string // SHA-256 of the file, or of all files, in hexadecimal
	Skipped []Skipped
	Told    []string // of each task, where the user said what is active
	Stored  Stored

	mapped []byte // the graph store file; nil where the data set lives in memory
}

// Skipped is a molecule that was left out because RDKit refuses it.
type Skipped struct {
	Row    int    `json:"row"` // line of the file, counted from 1
	SMILES string `json:"smiles"`
	Reason string `json:"reason"`
}

// Stored says where the graphs of a data set lie.
type Stored struct {
	Path  string // graph store file; empty where the data set lives in memory
	Bytes int64  // its size
	Built bool   // the molecules were parsed now, not found in the store
}

// IsPublished reports whether results are published for the data set, so that it is read as
// it was for them.
func (d *Dataset) IsPublished() bool { return isPublished(d.Hash, d.taskNames()) }

func (d *Dataset) taskNames() []string {
	return each.Of(d.Tasks, func(v Task) string { return v.Name })
}

// Close gives the memory map back. The graphs of the store must not be used
// afterwards; tasks may.
func (d *Dataset) Close() error {
	if d.mapped == nil {
		return nil
	}
	mapped := d.mapped
	d.mapped, d.Store = nil, &Store{}
	return unix.Munmap(mapped)
}
