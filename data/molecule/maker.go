package molecule

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"slices"
	"strings"

	"pacia/data/workers"
)

// Maker computes an array of molecules from their SMILES, such as their descriptors.
type Maker struct {
	Name  string // part of a Featurizer's name; changes with the numbers
	Unit  string // of its progress
	Field Field  // of float32
	// Make returns the numbers [rows, Width] of molecules, one molecule after the other in the order of its atoms
	// or bonds in [Graph], and NaN for what cannot be computed. Several goroutines may call it.
	Make func(ctx context.Context, smiles []string) ([]float32, error)
}

// With returns a Featurizer that also computes the array of m.
func (f Featurizer) With(m *Maker) Featurizer {
	d := f
	d.Name, d.Makers = f.Name+", "+m.Name, append(d.Makers[:len(d.Makers):len(d.Makers)], m)
	d.Parse = func(ctx context.Context, smiles []string, threads int) (List, []int32, []error) {
		list, index, errs := f.ParseSMILES(ctx, smiles, threads)
		m.Fill(ctx, list.(*Store), parsed(smiles, index, list.Len()), threads)
		return list, index, errs
	}
	return d
}

// Joined returns a Featurizer that also computes the arrays of another one. ok is false if the two differ in more than such
// arrays, as graphs and fingerprints do.
func (f Featurizer) Joined(other Featurizer) (_ Featurizer, ok bool) {
	if f.plain() != other.plain() {
		return f, false
	}
	for _, m := range other.Makers {
		if !f.Makes(m.Field) {
			f = f.With(m)
		}
	}
	return f, true
}

// plain returns the name without those of the makers.
func (f Featurizer) plain() string {
	name := f.Name
	for _, m := range slices.Backward(f.Makers) {
		name = strings.TrimSuffix(name, ", "+m.Name)
	}
	return name
}

// Makes reports whether the Featurizer computes the array of a field.
func (f Featurizer) Makes(field Field) bool {
	for _, m := range f.Makers {
		if m.Field.Name == field.Name {
			return true
		}
	}
	return false
}

func parsed(smiles []string, index []int32, n int) []string {
	kept := make([]string, 0, n)
	for i, row := range index {
		if row >= 0 {
			kept = append(kept, smiles[i])
		}
	}
	return kept
}

// Fill sets the array of all molecules of s from their SMILES, in the same order, over threads goroutines (0: one for
// each core). If Make fails, the error is logged and the numbers are NaN. After ctx is done, the remaining ones are NaN.
func (m *Maker) Fill(ctx context.Context, s *Store, smiles []string, threads int) {
	row := func(i int) int { return m.Field.Width * s.firstRow(m.Field.Per, i) }
	values := make([]float32, row(len(smiles)))
	for i := range values {
		values[i] = float32(math.NaN())
	}
	workers.InChunks(ctx, m.Unit, len(smiles), threads, func() func(int, int, int) {
		return func(_, first, end int) {
			if ctx.Err() != nil {
				return
			}
			to := values[row(first):row(end)]
			made, err := m.Make(ctx, smiles[first:end])
			if err == nil && len(made) != len(to) {
				err = fmt.Errorf("%d numbers, not %d", len(made), len(to))
			}
			if err != nil {
				slog.Warn("molecules without "+m.Field.Name, "maker", m.Name, "molecules", end-first, "reason", err)
				return
			}
			copy(to, made)
		}
	})
	s.Set(Array{Field: m.Field, Floats: values})
}

// firstRow returns the first row of molecule i in an array, or of one after the last the number of rows.
func (s *Store) firstRow(p Per, i int) int {
	switch p {
	case PerAtom:
		return int(s.arrays.MolPtr[i])
	case PerBond:
		return int(s.arrays.EdgePtr[i])
	default:
		return i
	}
}

// FloatsOf returns the numbers of a field of a list; ok is false if it has none.
func FloatsOf(m List, f Field) (values []float32, ok bool) {
	if s, is := m.(interface{ Floats(Field) []float32 }); is {
		values = s.Floats(f)
	}
	return values, len(values) > 0
}
