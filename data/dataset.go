package data

import (
	"golang.org/x/sys/unix"

	"pacia/data/molecule"
	"pacia/internal/each"
)

// Embedded is the path of the embedded data set.
const Embedded = "embedded"

// Dataset is the molecules and tasks of one file, or of a folder of task files.
type Dataset struct {
	Name    string
	Store   molecule.List
	Tasks   []Task
	Folds   *Split // the split in the data set's own files; nil: none
	Hash    string // SHA-256 of the file, or of all files, in hexadecimal
	Skipped []Skipped
	Notes   []string // the assumptions by which the file was read, for the user
	Stored  Stored
	Mapped  []byte // the graph store file, which Close unmaps; nil if the data set is in memory only
}

// Split lists the tasks of a data set that are for training and those that are for
// testing, by their numbers, counted from 0.
type Split struct {
	Train []int `json:"train"`
	Valid []int `json:"valid,omitempty"` // for validation; empty: training holds some out, see HoldOut
	Test  []int `json:"test"`
}

// Skipped is a row whose molecule was left out because it cannot be read.
type Skipped struct {
	Row    int    `json:"row"` // line of the file, counted from 1
	SMILES string `json:"smiles"`
	Reason string `json:"reason"`
}

// Stored describes the graph store of a data set.
type Stored struct {
	Path  string // graph store file; empty if the data set is in memory only
	Bytes int64  // its size
	Built bool   // the molecules were parsed now, not read from the store
}

// TaskNames returns the names of all tasks.
func (d *Dataset) TaskNames() []string {
	return each.Of(d.Tasks, func(v Task) string { return v.Name })
}

// Close unmaps the graph store. Its graphs must not be used afterwards; the tasks remain
// valid.
func (d *Dataset) Close() error {
	if d.Mapped == nil {
		return nil
	}
	mapped := d.Mapped
	d.Mapped, d.Store = nil, &molecule.Store{}
	return unix.Munmap(mapped)
}
