package embedded

import (
	"bytes"
	_ "embed"
)

// TrainTasks is the number of training tasks. They are the first columns
// after the SMILES; the other columns are the held-out tasks.
const TrainTasks = 34

//go:embed embedded.csv.gz
var table []byte

// CSV returns the data set as gzip-compressed CSV in the layout of
// MoleculeNet: a column smiles, then a column for each task with 1 for active, 0 for
// inactive and nothing for a molecule that was not measured. The caller may
// change the bytes.
func CSV() []byte { return bytes.Clone(table) }
