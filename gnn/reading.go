package gnn

import (
	"fmt"

	"pacia/data"
	"pacia/data/category"
	"pacia/data/molecule"
	"pacia/data/source/fsmol"
	"pacia/ops"
)

// Reading is a form of molecules that encoders read.
type Reading struct {
	// Featurizer parses them, with fingerprints or without.
	Featurizer func(fingerprints bool) molecule.Featurizer
	// Lacks returns why a batch cannot be read and what to write, as the end of a sentence
	// that begins with the encoder's name. It returns "" for a batch that can be read.
	Lacks func(h *data.Batch) string
	// Graph copies a batch to a device.
	Graph func(Input, ops.Device) (*ops.Graph, error)
	// Check returns an error for atoms and bonds that would make a kernel access memory out
	// of bounds, for steps that do not call Graph. It may be nil.
	Check func(h *data.Batch) error
	// Whole: a molecule is one row, and atoms have no rows.
	Whole bool
	// Rows is what a captured step has of each atom, which Graph copies otherwise. Without a name, it has nothing.
	Rows Array
	// Arrays are numbers beside the graph; see [Reading.With].
	Arrays []Array
	// Varies: the operations differ between batches of one shape, so that a step cannot be
	// captured and replayed.
	Varies bool
}

// Categories are the graphs of MoleculeNet's data sets: an atom is an element and a
// chirality, a bond a type and a direction (Hu et al. 2020).
var Categories = &Reading{
	Featurizer: func(fingerprints bool) molecule.Featurizer {
		if fingerprints {
			return molecule.GraphsAndFingerprints()
		}
		return molecule.Featurizer{}
	},
	Lacks: func(h *data.Batch) string {
		switch none := NoGraphs(h); {
		case none != "":
			return none
		case len(h.Floats(molecule.Places)) > 0:
			return inSpace
		case len(h.Floats(molecule.Features)) > 0:
			return "reads the categories of MoleculeNet's atoms, and these have FS-Mol's features; write pna"
		}
		return ""
	},
	Graph: func(in Input, d ops.Device) (*ops.Graph, error) {
		g := hostGraph(in.Batch)
		g.Row, g.Table, g.Levels = in.Row, in.Table, in.Levels
		return ops.NewGraph(g, d)
	},
	Rows: Array{
		Field:  molecule.Field{Name: ops.Categories, Kind: molecule.Byte, Width: 2},
		Values: func(h *data.Batch) (molecule.Array, error) { return molecule.Array{Bytes: h.Atoms}, nil },
	},
	Check: func(h *data.Batch) error {
		for i := 0; i < len(h.Atoms); i += 2 {
			if n := h.Atoms[i]; n >= category.AtomicNumbers {
				return fmt.Errorf("atom %d has the atomic number's category %d, out of range of 0 to %d", i/2, n, category.AtomicNumbers-1)
			}
		}
		g := hostGraph(h)
		return g.Check()
	},
}

// Features are the graphs of FS-Mol's task files: an atom has 32 features, a bond a type.
var Features = &Reading{
	Featurizer: fsmol.Featurizer,
	Lacks: func(h *data.Batch) string {
		switch none := NoGraphs(h); {
		case none != "":
			return none
		case len(h.Floats(molecule.Places)) > 0:
			return inSpace
		case len(h.Floats(molecule.Features)) == 0:
			return "reads the features of atoms, and these molecules come without; write gin, or the folder of files of FS-Mol's form as data.path"
		}
		return ""
	},
	Graph: func(in Input, d ops.Device) (*ops.Graph, error) {
		g := hostGraph(in.Batch)
		g.Levels = in.Levels
		return ops.NewGraph(g, d)
	},
	Rows: Array{Field: molecule.Features.Wide(category.Features)},
	Check: func(h *data.Batch) error {
		g := hostGraph(h)
		return g.Check()
	},
}

// Fingerprints are counts of Morgan's environments, without atoms.
var Fingerprints = &Reading{
	Featurizer: func(bool) molecule.Featurizer { return molecule.FingerprintsOnly() },
	Lacks: func(h *data.Batch) string {
		if h.Fingerprints.Len() != len(h.MolPtr)-1 {
			return "reads fingerprints, and these molecules come without; write gin, or open the molecules for this encoder"
		}
		return ""
	},
	Graph:  func(in Input, d ops.Device) (*ops.Graph, error) { return ops.NewCountGraph(in.Counts, in.Bits, d) },
	Whole:  true,
	Varies: true, // the offsets of molecules' entries
}

const inSpace = "reads graphs, and these molecules are atoms in space; write mat, or open the molecules for this encoder"

// NoGraphs is a [Reading.Lacks] that reports missing atoms.
func NoGraphs(h *data.Batch) string {
	if len(h.Floats(molecule.Features)) == 0 && len(h.Atoms) == 0 {
		return "reads graphs, and these molecules come without; write fingerprint, or open the molecules for this encoder"
	}
	return ""
}

func hostGraph(h *data.Batch) ops.HostGraph {
	return ops.HostGraph{Atoms: h.Atoms, Features: h.Floats(molecule.Features), RowPtr: h.RowPtr, Col: h.Col, Bond: h.Bond, MolPtr: h.MolPtr, Group: h.GroupPtr}
}
