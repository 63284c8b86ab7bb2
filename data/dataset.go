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
	Folds   *Split // the split in the data set's own files; nil: none
	Hash    string // SHA-256 of the file, or of all files, in hexadecimal
	Skipped []Skipped
	Notes   []string // the assumptions by which the file was read, for the user
	Stored  Stored

	mapped []byte // the graph store file; nil if the data set is in memory only
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

// IsPublished reports whether results are published for the data set. Such a data set is read as it
// was for these results.
func (d *Dataset) IsPublished() bool { return isPublished(d.Hash, d.taskNames()) }

func (d *Dataset) taskNames() []string {
	return each.Of(d.Tasks, func(v Task) string { return v.Name })
}

// Close unmaps the graph store. Its graphs must not be used afterwards; the tasks remain
// valid.
func (d *Dataset) Close() error {
	if d.mapped == nil {
		return nil
	}
	mapped := d.mapped
	d.mapped, d.Store = nil, &Store{}
	return unix.Munmap(mapped)
}
