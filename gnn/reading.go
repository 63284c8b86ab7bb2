package gnn

import (
	"pacia/data"
	"pacia/data/fsmol"
	"pacia/ops"
)

// Reading is a kind of molecules that encoders read.
type Reading struct {
	// Form parses them, with fingerprints or without.
	Form func(fingerprints bool) data.Form
	// Lacks says why a batch cannot be read, and what to write, as the end of a sentence
	// that begins with the encoder's name. It returns "" for a batch that can be read.
	Lacks func(h *data.Batch) string
	// Graph copies a batch to a device.
	Graph func(Input, ops.Device) (*ops.Graph, error)
	// Whole: a molecule is one row, and its atoms have none.
	Whole bool
	// Varies: the work on two batches of one shape differs, so that a step cannot be
	// captured and repeated.
	Varies bool
}

// Categories are the graphs of MoleculeNet's data sets: an atom is an element and a
// chirality, a bond a type and a direction (Hu et al. 2020).
var Categories = &Reading{
	Form: func(fingerprints bool) data.Form {
		if fingerprints {
			return data.GraphsAndFingerprints()
		}
		return data.Form{}
	},
	Lacks: func(h *data.Batch) string {
		switch none := NoGraphs(h); {
		case none != "":
			return none
		case len(h.Places) > 0:
			return inSpace
		case len(h.Features) > 0:
			return "reads the categories of MoleculeNet's atoms, and these have FS-Mol's features; write pna"
		}
		return ""
	},
	Graph: func(in Input, d ops.Device) (*ops.Graph, error) {
		return ops.NewGraph(ops.HostGraph{Atoms: in.Atoms, RowPtr: in.RowPtr, Col: in.Col, Bond: in.Bond, MolPtr: in.MolPtr,
			Group: in.GroupPtr, Row: in.Row, Table: in.Table, Levels: in.Levels}, d)
	},
}

// Features are the graphs of FS-Mol's task files: an atom has 32 features, a bond a type.
var Features = &Reading{
	Form: fsmol.Form,
	Lacks: func(h *data.Batch) string {
		switch none := NoGraphs(h); {
		case none != "":
			return none
		case len(h.Places) > 0:
			return inSpace
		case len(h.Features) == 0:
			return "reads the features of atoms, and these molecules come without; write gin, or the folder of files of FS-Mol's form as data.path"
		}
		return ""
	},
	Graph: func(in Input, d ops.Device) (*ops.Graph, error) {
		return ops.NewFeatureGraph(ops.FeatureGraph{Features: in.Features, RowPtr: in.RowPtr, Col: in.Col, Type: bondTypes(in.Batch),
			MolPtr: in.MolPtr, Group: in.GroupPtr, Levels: in.Levels}, d)
	},
}

// Fingerprints are counts of Morgan's environments, without atoms.
var Fingerprints = &Reading{
	Form: func(bool) data.Form { return data.FingerprintsOnly() },
	Lacks: func(h *data.Batch) string {
		if h.Fingerprints.Len() != len(h.MolPtr)-1 {
			return "reads fingerprints, and these molecules come without; write gin, or open the molecules for this encoder"
		}
		return ""
	},
	Graph:  func(in Input, d ops.Device) (*ops.Graph, error) { return ops.NewCountGraph(in.Counts, in.Bits, d) },
	Whole:  true,
	Varies: true, // where a molecule's entries begin
}

const inSpace = "reads graphs, and these molecules are atoms in space; write mat, or open the molecules for this encoder"

// NoGraphs is [Reading.Lacks] for what every encoder of atoms needs.
func NoGraphs(h *data.Batch) string {
	if len(h.Features) == 0 && len(h.Atoms) == 0 {
		return "reads graphs, and these molecules come without; write fingerprint, or open the molecules for this encoder"
	}
	return ""
}

// bondTypes [E] are without the directions, which bonds between atoms with
// features do not have.
func bondTypes(h *data.Batch) []uint8 {
	types := make([]uint8, len(h.Col))
	for i := range types {
		types[i] = h.Bond[2*i]
	}
	return types
}
