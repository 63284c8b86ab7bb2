// Package weights holds the model that ships with the program.
//
//  1. fsmol.safetensors is a model that was trained on FS-Mol's assays and written by
//     pacia export --half: `make model` makes it again, docs/model.md is its card. Its
//     metadata are its settings, its seed, the hash of its data, and the version of the
//     program.
//  2. Open opens a checkpoint, or this model for an empty path. This model needs no other
//     file and no network.
package weights

import (
	_ "embed" // the model
	"strings"

	"pacia/run/checkpoint"
)

//go:embed fsmol.safetensors
var fsmol string

// Shipped is the name of the model that ships.
const Shipped = "the model that ships"

// Open opens the checkpoint or exported model at path. An empty path opens the model that
// ships.
func Open(path string) (*checkpoint.File, error) {
	if path != "" {
		return checkpoint.Open(path)
	}
	return checkpoint.Read(Shipped, strings.NewReader(fsmol), int64(len(fsmol)))
}
