package gnn

import (
	"pacia/data"
	"pacia/gnn/params"
	"pacia/ops"
)

// Spec describes an encoder to the rest of the program, which names none: package
// encoders has the table.
type Spec struct {
	Name   string // of model.encoder
	Source string // where it was published
	Reads  *Reading
	Shares Sharing
	Joins  bool // NAME+fingerprint joins its molecules' vectors with fingerprints
	Heads  int  // of attention, where model.heads is 0; 0: it has no heads

	// Check reports settings that the encoder cannot be made of; nil: there are none.
	Check func(Config) error
	New   func(*params.Set, Config) (Encoder, error)
	// Inputs adds what the encoder alone reads to the graph that Reads makes, by
	// [ops.Add]; nil: it reads nothing else.
	Inputs func(Input, *ops.Graph, ops.Device) error

	// Own translates the name of a tensor of public weights; it returns "" for one that
	// the encoder does not have. nil: there are no public weights.
	Own func(published string) string
	// Mark is a tensor of layer 0 that no other encoder with public weights has; it may be empty.
	Mark string
}

// Sharing is which atoms of a batch an encoder computes once, on a CPU, because their
// environments are equal.
type Sharing int

const (
	// SharesNone is for encoders that give every atom a row of its own.
	SharesNone Sharing = iota
	// SharesFirst is for encoders with a first layer on distinct environments, as all layers are for
	// queries of one task. The norm of a layer depends on the group of an atom.
	SharesFirst
	// SharesAll is for encoders with all layers on the distinct environments of each group where dropout
	// allows it. The norm of a layer depends on the atom alone.
	SharesAll
)

// Input is a batch in Go's memory, as the model hands it to an encoder.
//
// Legend: A atoms, F counts of a fingerprint.
type Input struct {
	*data.Batch
	Levels []ops.HostLevel // rows of equal environments; nil: each atom has its own
	Row    []int32         // [A] row of each atom before layer 0, with Levels
	Table  int             // rows of the table that Row is of; see [ops.HostGraph]
	Counts ops.Counts      // of an encoder that reads fingerprints
	Bits   int             // F
}

// Graph copies to a device what the encoder reads of a batch.
func (s Spec) Graph(in Input, d ops.Device) (*ops.Graph, error) {
	g, err := s.Reads.Graph(in, d)
	if err != nil || s.Inputs == nil {
		return g, err
	}
	if err := s.Inputs(in, g, d); err != nil {
		g.Drop()
		return nil, err
	}
	return g, nil
}
