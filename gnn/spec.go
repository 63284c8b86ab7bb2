package gnn

import (
	"pacia/data"
	"pacia/gnn/params"
	"pacia/ops"
)

// Spec describes an encoder to the rest of the program, which names no encoder. Package
// encoders has the table.
type Spec struct {
	Name   string // of model.encoder
	Source string // where it was published
	Reads  *Reading
	Shares Sharing
	Joins  bool // NAME+fingerprint joins its molecules' vectors with fingerprints
	Heads  int  // of attention, if model.heads is 0; 0: no heads

	// Check returns an error for settings that the encoder does not support. nil: it
	// supports all.
	Check func(Config) error
	New   func(*params.Set, Config) (Encoder, error)

	// LocalName maps the name of a tensor of public weights to ours, or to "" if the encoder
	// does not have it. nil: no public weights.
	LocalName func(published string) string
	// Mark is a tensor of layer 0 that no other encoder with public weights has; it may be empty.
	Mark string
}

// Sharing defines which atoms of a batch share rows, on a CPU, because their environments
// are equal.
type Sharing int

const (
	// SharesNone is for encoders with a separate row for every atom.
	SharesNone Sharing = iota
	// SharesFirst is for encoders with a first layer on distinct environments, as all layers are for
	// queries of one task. The norm of a layer depends on the group of an atom.
	SharesFirst
	// SharesAll is for encoders with all layers on the distinct environments of each group where dropout
	// allows it. The norm of a layer depends on the atom alone.
	SharesAll
)

// Input is a batch in Go's memory, as passed to an encoder.
//
// Legend: A atoms, F counts of a fingerprint.
type Input struct {
	*data.Batch
	Levels []ops.HostLevel // rows of equal environments; nil: each atom has its own
	Row    []int32         // [A] row of each atom before layer 0, with Levels
	Table  int             // rows of the table that Row refers to; see [ops.HostGraph]
	Counts ops.Counts      // of an encoder that reads fingerprints
	Bits   int             // F
	Joined bool            // the molecules' vectors are joined with Counts
}

// Graph copies the encoder's inputs from a batch to a device.
func (s Spec) Graph(in Input, d ops.Device) (*ops.Graph, error) {
	g, err := s.Reads.Graph(in, d)
	if err != nil {
		return nil, err
	}
	for _, a := range s.Reads.Arrays {
		if err := a.add(in.Batch, g, d); err != nil {
			g.Drop()
			return nil, err
		}
	}
	return g, nil
}
