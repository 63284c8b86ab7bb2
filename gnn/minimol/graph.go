package minimol

import (
	"fmt"

	"github.com/sugarme/gotch/ts"

	"pacia/data"
	"pacia/data/molecule"
	"pacia/data/rdkit"
	"pacia/gnn"
	"pacia/ops"
)

// Legend: A atoms, E bonds counted in both directions, n molecules.

// Names of the network's inputs in a graph; see [input].
const (
	inAtoms    = "MiniMol's atoms"
	inSpectrum = "MiniMol's walks and eigenvectors"
	inRowPtr   = "MiniMol's bonds, offsets"
	inCol      = "MiniMol's bonds, ends"
	inCode     = "MiniMol's bonds, codes"
	inMolPtr   = "MiniMol's molecules"
)

// graphs is molecules in the form of [molecule.MiniMol]. After the network a molecule is one row.
var graphs = &gnn.Reading{
	Featurizer: molecule.MiniMol,
	Lacks: func(h *data.Batch) string {
		if len(h.Floats(molecule.Features)) != molecule.MiniMolFeatures*(len(h.RowPtr)-1) {
			return "reads graphs of MiniMol's form, and these molecules have others; write gin, or open the molecules for this encoder"
		}
		return ""
	},
	Graph:  graph,
	Whole:  true,
	Varies: true, // the order and the number of the sums over atoms
}

// graph copies a batch to a device. It computes the spectrum, so that a graph store need not keep 128
// bytes of each atom. This takes a twentieth of the time of the network without gradients.
func graph(in gnn.Input, d ops.Device) (*ops.Graph, error) {
	n := len(in.MolPtr) - 1
	g, err := ops.NewCountGraph(ops.Counts{Ptr: make([]int32, n+1), Group: in.Counts.Group}, in.Bits, d)
	if err != nil {
		return nil, err
	}
	if err := add(g, in.Batch, d); err != nil {
		g.Drop()
		return nil, err
	}
	return g, nil
}

func add(g *ops.Graph, h *data.Batch, d ops.Device) error {
	atoms, code := int64(len(h.RowPtr)-1), make([]uint8, len(h.Col))
	for e := range code {
		code[e] = h.Bond[2*e]
	}
	spectrum, err := spectrumOf(h)
	if err != nil {
		return fmt.Errorf("graph: %w", err)
	}
	if err := ops.Add(g, inAtoms, bytesOf(h.Floats(molecule.Features)), []int64{atoms, rdkit.MiniMolAtom}, d); err != nil {
		return err
	}
	if err := ops.Add(g, inSpectrum, spectrum, []int64{atoms, spectrumWidth}, d); err != nil {
		return err
	}
	if err := ops.Add(g, inCode, code, []int64{int64(len(code))}, d); err != nil {
		return err
	}
	for name, values := range map[string][]int32{inRowPtr: h.RowPtr, inCol: h.Col, inMolPtr: h.MolPtr} {
		if err := ops.Add(g, name, values, []int64{int64(len(values))}, d); err != nil {
			return err
		}
	}
	return nil
}

// bytesOf returns the bytes with the bits of features.
func bytesOf(bits []float32) []uint8 {
	all := make([]uint8, len(bits)/8)
	for i, bit := range bits {
		if bit != 0 {
			all[i/8] |= 1 << (i % 8)
		}
	}
	return all
}

// spectrumOf returns the spectrum [A, spectrumWidth] of the batch's atoms.
func spectrumOf(h *data.Batch) (values []float32, err error) {
	err = ops.InScope(func(s *ops.Scope) {
		values = ops.Try(ops.Read(s.Keep(spectrum(place(h.RowPtr, s), place(h.Col, s), place(h.MolPtr, s))))).In(s)
	})
	return values, err
}

// inputOf returns the network's inputs from a graph, which keeps owning the tensors.
func inputOf(g *ops.Graph) (in input, err error) {
	for _, f := range []struct {
		name string
		to   **ts.Tensor
	}{{inAtoms, &in.atoms}, {inSpectrum, &in.spectrum}, {inRowPtr, &in.rowPtr}, {inCol, &in.col}, {inCode, &in.code}, {inMolPtr, &in.molPtr}} {
		if *f.to, err = g.Input(f.name); err != nil {
			return in, err
		}
	}
	return in, nil
}
