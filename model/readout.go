package model

import (
	"github.com/sugarme/gotch/ts"

	"pacia/ops"
)

// Legend: A atoms, n molecules of a batch, m of them asked for, d width of the
// atom embeddings, d' of a molecule's vector, d_R of the relation graph's nodes.

// molecules are those of a batch, read out (Eq. 2).
type molecules struct {
	atoms   *ts.Tensor // [A, d] whose means over atoms they are, or nil
	vectors *ts.Tensor // [n, d'] where atoms is nil
}

// readOut makes of the states h⁰ … h^L of the atoms, or of the last of them,
// what model.readout and model.jump say.
func (m *Model) readOut(states []*ts.Tensor, b *batch, s *scope) (*molecules, error) {
	last := states[len(states)-1]
	switch r := m.layout.readout; {
	case r.Plain():
		return &molecules{atoms: last}, nil
	case r.Last():
		states = []*ts.Tensor{last}
	}
	vectors, err := s.keep(m.layout.readout.Molecules(states, b.graph))
	return &molecules{vectors: vectors}, err
}

// of returns the vectors of the molecules which [m]: [m, d'].
func (r *molecules) of(which *ts.Tensor, b *batch) (*ts.Tensor, error) {
	if r.atoms != nil {
		return ops.SegmentMean(r.atoms, b.graph, which)
	}
	return ops.Rows(r.vectors, which)
}

// project maps molecules to nodes [m, d_R] of the relation graph: MLP_R of
// Eq. 10. It returns their vectors, too.
func (m *Model) project(r *molecules, b *batch, which *ts.Tensor, s *scope) (vector, node *ts.Tensor, err error) {
	if vector, err = s.keep(r.of(which, b)); err != nil {
		return nil, nil, err
	}
	node, err = s.keep(ops.MLP(vector, m.layout.projection, ops.Mode{}))
	return vector, node, err
}
