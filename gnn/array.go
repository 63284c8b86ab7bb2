package gnn

import (
	"fmt"

	"pacia/data"
	"pacia/data/molecule"
	"pacia/ops"
)

// Array declares numbers that an encoder reads beside the graph: [ops.Graph.Input] returns them as a tensor
// [rows, Width] by the name of the field. Store, batch, device and the slab of a captured step have them by this
// declaration alone.
type Array struct {
	molecule.Field
	// Maker computes them from SMILES, once for each molecule. nil: the batch has them, or Values.
	Maker *molecule.Maker
	// Values computes them from a batch, whenever it is copied to a device. nil: they are the batch's array.
	Values func(*data.Batch) (molecule.Array, error)
}

// Made declares an array that is computed from SMILES.
func Made(m *molecule.Maker) Array { return Array{Field: m.Field, Maker: m} }

// Numbers returns the array of a batch, with the number of rows that the batch's molecules have.
func (a Array) Numbers(h *data.Batch) (n molecule.Array, err error) {
	if n = h.Array(a.Field); a.Values != nil {
		if n, err = a.Values(h); err != nil {
			return n, fmt.Errorf("%s: %w", a.Name, err)
		}
	}
	if got, rows := len(n.Floats)+len(n.Bytes), h.Rows(a.Per); got != rows*a.Width {
		return n, fmt.Errorf("%s: %d numbers do not go with %d rows of %d", a.Name, got, rows, a.Width)
	}
	return n, nil
}

// add copies the array of a batch to a graph on a device.
func (a Array) add(h *data.Batch, g *ops.Graph, d ops.Device) error {
	n, err := a.Numbers(h)
	if err != nil {
		return fmt.Errorf("graph: %w", err)
	}
	shape := []int64{int64(h.Rows(a.Per)), int64(a.Width)}
	if a.Kind == molecule.Byte {
		return ops.Add(g, a.Name, n.Bytes, shape, d)
	}
	return ops.Add(g, a.Name, n.Floats, shape, d)
}

// Fields lists the arrays that batches may have for a model with this reading.
func (r *Reading) Fields() []molecule.Field {
	fields := []molecule.Field{molecule.Features, molecule.Places, molecule.Descriptors, molecule.Embeddings}
	for _, a := range r.Arrays {
		if a.Maker != nil {
			fields = append(fields, a.Field)
		}
	}
	return fields
}

// With returns a reading that also has the given arrays.
func (r *Reading) With(arrays ...Array) *Reading {
	with := *r
	with.Arrays = append(r.Arrays[:len(r.Arrays):len(r.Arrays)], arrays...)
	with.Featurizer = func(fingerprints bool) molecule.Featurizer {
		f := r.Featurizer(fingerprints)
		for _, a := range arrays {
			if a.Maker != nil {
				f = f.With(a.Maker)
			}
		}
		return f
	}
	with.Lacks = func(h *data.Batch) string {
		if lack := r.Lacks(h); lack != "" {
			return lack
		}
		for _, a := range arrays {
			if n := h.Array(a.Field); a.Values == nil && len(n.Floats)+len(n.Bytes) == 0 && h.Rows(a.Per) > 0 {
				return "reads " + a.Name + ", and these molecules come without; write gin, or open the molecules for this encoder"
			}
		}
		return ""
	}
	return &with
}
