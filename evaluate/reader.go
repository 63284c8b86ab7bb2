package evaluate

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"pacia/data/molecule"
	"pacia/data/rdkit"
	"pacia/data/source"
	"pacia/data/tautomer"
	"pacia/model"
	"pacia/ops"
)

// A Reader reads molecules for models, in the drawings that these know.
//
// A model knows a molecule in one drawing, that of its training tasks. A molecule in another drawing is found if the
// model has seen its skeleton: among the drawings of package tautomer, or as RDKit's canonical tautomer, in which
// hydrogens of carbon move too. The latter joins different compounds now and then, so that it is reported, and serves
// the model alone: comparisons of molecules with each other use the drawing that the Reader is given.
type Reader struct {
	form      molecule.Featurizer
	bare      molecule.Featurizer // without vectors of a pretrained encoder
	knows     func(bit, count []uint16) bool
	skeletons []func(uint64) bool
	members   []*model.Model
}

// NewReader returns the Reader of an ensemble of models ([Inputs]). With drawn, it reads molecules as they are given.
func NewReader(members []*model.Model, drawn bool) (r *Reader, err error) {
	r = &Reader{members: members}
	if r.form, err = Inputs(members); err == nil {
		r.bare, err = bareInputs(members)
	}
	if err != nil {
		return nil, err
	}
	if drawn {
		return r, nil
	}
	knows, err := KnownTo(members)
	if err != nil || knows == nil {
		return r, err
	}
	for _, m := range members {
		seen, err := m.Skeletons()
		if err != nil {
			return nil, err
		}
		if seen != nil {
			r.skeletons = append(r.skeletons, seen)
		}
	}
	r.knows = knows
	return r, nil
}

// KnownTo returns a function that reports whether one of the models has learnt from a molecule with a fingerprint; nil
// if no model has a record.
func KnownTo(members []*model.Model) (func(bit, count []uint16) bool, error) {
	var all []func(bit, count []uint16) bool
	for _, m := range members {
		knows, err := m.SeenInTraining()
		if err != nil {
			return nil, err
		}
		if knows != nil {
			all = append(all, knows)
		}
	}
	if len(all) == 0 {
		return nil, nil
	}
	return func(bit, count []uint16) bool {
		return slices.ContainsFunc(all, func(knows func(bit, count []uint16) bool) bool { return knows(bit, count) })
	}, nil
}

// KnownRows reports which molecules of a store a model has learnt from; nil if it has no record.
func KnownRows(m *model.Model, s molecule.List) ([]bool, error) {
	knows, err := KnownTo([]*model.Model{m})
	of, ok := molecule.FingerprintsOf(s)
	if err != nil || knows == nil || !ok {
		return nil, err
	}
	known := make([]bool, s.Len())
	for i := range known {
		known[i] = knows(of.At(i))
	}
	return known, nil
}

// Parse parses drawings, as ParseSMILES does.
func (r *Reader) Parse(ctx context.Context, drawings []string, threads int) (m molecule.List, index []int32, errs []error) {
	return r.form.ParseSMILES(ctx, drawings, threads)
}

// ParseBare is Parse without vectors of a pretrained encoder.
func (r *Reader) ParseBare(ctx context.Context, drawings []string, threads int) (m molecule.List, index []int32, errs []error) {
	return r.bare.ParseSMILES(ctx, drawings, threads)
}

// tried is the number of drawings of a molecule in which a model may know it.
const tried = 64

// Drawings returns molecules in the drawings that the models know, and the number of those that they know as a tautomer
// in which a hydrogen of carbon has moved.
func (r *Reader) Drawings(ctx context.Context, smiles []string) (drawn []string, tautomers int) {
	p := rdkit.Parser{Counts: true, Bare: true}
	known := func(text string) bool {
		m, err := p.Parse(text)
		return err == nil && r.knows(m.Counts.Bit, m.Counts.Count)
	}
	drawn = smiles
	for i, text := range smiles {
		if !r.seen(text) || ctx.Err() != nil || known(text) {
			continue
		}
		to, moved := r.find(ctx, text, known)
		if to == "" {
			continue
		}
		if &drawn[0] == &smiles[0] {
			drawn = slices.Clone(smiles)
		}
		if drawn[i] = to; moved {
			tautomers++
		}
	}
	return drawn, tautomers
}

// Redraw returns Drawings for a data set, with a name that depends on the molecules that the models know.
func (r *Reader) Redraw() (source.Redraw, error) {
	if len(r.skeletons) == 0 {
		return source.Redraw{}, nil
	}
	h := fnv.New64a()
	for _, m := range r.members {
		for _, b := range m.Buffers() {
			if !strings.HasPrefix(b.Name, model.MemoryPrefix) {
				continue
			}
			values, err := ops.Read(b.Tensor)
			if err == nil {
				err = binary.Write(h, binary.LittleEndian, values)
			}
			if err != nil {
				return source.Redraw{}, err
			}
		}
	}
	return source.Redraw{
		Name: fmt.Sprintf(", drawn as models know them %x", h.Sum64()),
		Drawings: func(ctx context.Context, smiles []string) []string {
			drawn, _ := r.Drawings(ctx, smiles)
			return drawn
		},
	}, nil
}

// find returns the drawing in which a molecule is known, and whether a hydrogen of carbon has moved; "" if there is
// none.
func (r *Reader) find(ctx context.Context, text string, known func(string) bool) (to string, moved bool) {
	for _, other := range tautomer.Drawings(text, tried) {
		if known(other) {
			return other, false
		}
	}
	if other, err := rdkit.Tautomer(ctx, text); err == nil && known(other) {
		return other, true
	}
	return "", false
}

// seen reports whether a model may have seen a molecule's skeleton.
func (r *Reader) seen(smiles string) bool {
	if len(r.skeletons) == 0 {
		return false
	}
	skeleton := tautomer.Skeleton(smiles)
	return skeleton != 0 && slices.ContainsFunc(r.skeletons, func(has func(uint64) bool) bool { return has(skeleton) })
}
