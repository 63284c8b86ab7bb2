package ranking

import (
	"context"
	"slices"
	"strings"

	"pacia/data/rdkit"
)

// keep reports whether a prepared row is wanted, counts the filters that it does not fulfil, and fills in its computed
// cells. A row that RDKit cannot describe is kept, so that it is listed with the reason.
func (t *Table) keep(ctx context.Context, r *Row, counts Unmet) bool {
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
		if len(unmet) > 0 && c.At >= t.described && c.At < t.described+t.made {
			continue // its cell was not computed
		}
		fulfilled := c.Holds(r.Fields)
		counts.addOne(patterns+i, fulfilled)
		kept = kept && fulfilled
	}
	return kept
}

// structure returns the patterns that a row does not fulfil, and its computed cells if there are none. A pattern finds
// what it finds in the drawing that the model reads, or in the parent as it was drawn: that of another tautomer.
func (t *Table) structure(ctx context.Context, r *Row) (cells []string, unmet []int, err error) {
	w := &t.options.Wanted
	if cells, unmet, err = w.Of(ctx, r.SMILES); err != nil || w.patterns() == 0 {
		return cells, unmet, err
	}
	drawn := t.drawn(ctx, r)
	if drawn == r.SMILES {
		return cells, unmet, nil
	}
	_, other, err := rdkit.Structure{Match: w.Match, Exclude: w.Exclude}.Of(ctx, drawn)
	if err != nil {
		return nil, nil, err
	}
	var both []int
	for i := range w.patterns() {
		a, b := slices.Contains(unmet, i), slices.Contains(other, i)
		if a && b || i >= len(w.Match) && (a || b) {
			both = append(both, i)
		}
	}
	if len(both) == 0 && len(unmet) > 0 {
		described := w.Structure
		described.Match, described.Exclude = nil, nil
		cells, _, err = described.Of(ctx, r.SMILES)
	}
	return cells, both, err
}

// drawn returns the molecule of a row without salts and charges, but in the drawing of the file.
func (t *Table) drawn(ctx context.Context, r *Row) string {
	text := strings.TrimSpace(r.Fields[t.SMILES])
	if text == r.SMILES || t.options.Standard.Drawn || t.options.Standard.Largest {
		return r.SMILES
	}
	parent, err := rdkit.Parent(ctx, text)
	if err != nil {
		return r.SMILES
	}
	return parent
}
