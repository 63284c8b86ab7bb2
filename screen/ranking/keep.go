package ranking

import (
	"context"
	"slices"

	"pacia/data/rdkit"
)

// fulfils reports whether a prepared row is wanted, counts the filters that it does not fulfil, and fills in its computed
// cells. A row that RDKit cannot describe is kept, so that it is listed with the reason.
func (t *Table) fulfils(ctx context.Context, r *Row, counts Unmet) bool {
	if r.Reason != nil {
		return true
	}
	var unmet []int // of the patterns
	if !t.options.Wanted.Empty() {
		var cells []string
		var err error
		if cells, unmet, err = t.structure(ctx, r); err != nil {
			r.SMILES, r.Reason = "", err
			return true
		}
		copy(r.Fields[min(t.described, len(r.Fields)):], cells)
	}
	patterns := t.options.Wanted.patterns()
	counts.add(0, patterns, unmet)
	kept := len(unmet) == 0
	for i, c := range t.conditions {
		if len(unmet) > 0 && c.At >= t.described && c.At < t.described+t.computed {
			continue // its cell was not computed
		}
		fulfilled := c.Holds(r.Fields)
		counts.addOne(patterns+i, fulfilled)
		kept = kept && fulfilled
	}
	return kept
}

// structure returns the patterns that a row does not fulfil, and its computed cells if there are none. Properties and
// alerts are those of the drawing in the file, in which tables and rules for chemists have a molecule. The scaffold is
// that of the drawing that the model reads, so that tautomers have one. A pattern may match either.
func (t *Table) structure(ctx context.Context, r *Row) (cells []string, unmet []int, err error) {
	w := t.options.Wanted.Structure
	if r.Parent == r.SMILES {
		return w.Of(ctx, r.SMILES)
	}
	patterns := rdkit.Structure{Match: w.Match, Exclude: w.Exclude}
	_, drawn, err := patterns.Of(ctx, r.Parent)
	if err != nil {
		return nil, nil, err
	}
	_, read, err := patterns.Of(ctx, r.SMILES)
	if err != nil {
		return nil, nil, err
	}
	for i := range len(w.Match) + len(w.Exclude) {
		a, b := slices.Contains(drawn, i), slices.Contains(read, i)
		if a && b || i >= len(w.Match) && (a || b) {
			unmet = append(unmet, i)
		}
	}
	if len(unmet) > 0 {
		return nil, unmet, nil
	}
	described := w
	described.Match, described.Exclude, described.Scaffold = nil, nil, false
	if !described.Empty() {
		if cells, _, err = described.Of(ctx, r.Parent); err != nil {
			return nil, nil, err
		}
	}
	if w.Scaffold {
		scaffold, _, err := rdkit.Structure{Scaffold: true}.Of(ctx, r.SMILES)
		return append(cells, scaffold...), nil, err
	}
	return cells, nil, nil
}
