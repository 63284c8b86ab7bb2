package data

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"pacia/data/note"
	"pacia/data/rdkit"
	"pacia/data/standard"
	"pacia/internal/each"
)

// Values of [Rows].
const (
	RowsAuto    = "auto"    // a published data set: drawn and keep; any other: parents and merge
	RowsDrawn   = "drawn"   // the model reads a molecule as it is drawn
	RowsParents = "parents" // the model reads the neutral parent of a salt
	RowsKeep    = "keep"    // each row counts
	RowsMerge   = "merge"   // a molecule of several rows counts once
)

// Rows define the molecules of the rows of a table. Empty values mean drawn and keep, as before these
// settings existed. Command predict reads its files with parents and merge.
type Rows struct{ Molecules, Repeats string }

// of resolves auto, for a table that is a published data set or not.
func (r Rows) of(published bool) (parents, merge bool) {
	auto := !published
	return r.Molecules == RowsParents || r.Molecules == RowsAuto && auto, r.Repeats == RowsMerge || r.Repeats == RowsAuto && auto
}

// Distinct are the u molecules of n rows.
type Distinct struct {
	SMILES []string // [u] as the model reads them
	Of     []int32  // [n] the molecule of each row; nil: one for each row

	notes []note.Note
}

// Distinguish returns the molecules of n rows. A row without a SMILES is a molecule of its own.
func (r Rows) Distinguish(ctx context.Context, smiles []string, published bool, threads int) (*Distinct, error) {
	parents, merge := r.of(published)
	d := &Distinct{SMILES: smiles}
	if !parents && !merge {
		return d, nil
	}
	seen, keys := make([]string, len(smiles)), make([]string, len(smiles))
	var changes standard.Changes
	var mu sync.Mutex
	InChunks(ctx, "rows", len(smiles), threads, func() func(int, int, int) {
		return func(_, first, end int) {
			var own standard.Changes
			for i := first; i < end && ctx.Err() == nil; i++ {
				text, change := smiles[i], standard.Unchanged
				if parents && text != "" {
					text, change, _ = standard.Options{}.Molecule(ctx, text) // an error is the parser's to report
				}
				own.Add(change, 0)
				seen[i], keys[i] = text, text
				if merge && text != "" {
					if canonical, err := rdkit.Canonical(ctx, text); err == nil {
						keys[i] = canonical
					}
				}
			}
			mu.Lock()
			changes.Join(own)
			mu.Unlock()
		}
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if parents {
		changes.Mixtures = 0 // mixtures are unchanged
		d.notes = changes.Notes("data.molecules")
	}
	if d.SMILES = seen; merge {
		d.unite(keys)
	}
	return d, nil
}

// unite merges the rows with the same key into one molecule.
func (d *Distinct) unite(keys []string) {
	of := map[string]int32{}
	rows := d.SMILES
	d.SMILES, d.Of = nil, make([]int32, len(rows))
	for i, key := range keys {
		molecule, known := of[key]
		if !known || key == "" {
			molecule = int32(len(d.SMILES))
			d.SMILES = append(d.SMILES, rows[i])
			of[key] = molecule
		}
		d.Of[i] = molecule
	}
}

// Spread expands index and errs from molecules [u] to rows [n].
func (d *Distinct) Spread(index []int32, errs []error) ([]int32, []error) {
	if d.Of == nil {
		return index, errs
	}
	ofRows, errsOfRows := make([]int32, len(d.Of)), make([]error, len(d.Of))
	for i, molecule := range d.Of {
		ofRows[i], errsOfRows[i] = index[molecule], errs[molecule]
	}
	return ofRows, errsOfRows
}

// Merge replaces several labels of a molecule in one task by the most frequent one. It leaves out
// a molecule with equally many of both. It returns notes on this and on changed molecules.
func (d *Distinct) Merge(tasks []Task) (lines []string) {
	lines = each.Of(d.notes, func(n note.Note) string { return n.String() })
	if d.Of == nil {
		return lines
	}
	labels, molecules, tied := 0, 0, 0
	for i := range tasks {
		l, m, t := tasks[i].mergeRows()
		labels, molecules, tied = labels+l, molecules+m, tied+t
	}
	if molecules == 0 {
		return lines
	}
	line := fmt.Sprintf("%d labels belong to %d molecules with several rows, counted per task: "+
		"a molecule counts once, with the label that most of its rows have", labels, molecules)
	if tied > 0 {
		line += fmt.Sprintf("; ties are left out (%d)", tied)
	}
	return append(lines, line+" (data.repeats)")
}

// mergeRows replaces several labels of a row by one. It returns the number of labels of such rows, the
// number of these rows, and how many of them were left out because of a tie.
func (t *Task) mergeRows() (labels, molecules, tied int) {
	counts := map[int32]*[2]int{}
	for i, row := range t.Rows {
		if counts[row] == nil {
			counts[row] = new([2]int)
		}
		counts[row][t.Labels[i]]++
	}
	if len(counts) == len(t.Rows) {
		return 0, 0, 0
	}
	var kept Task
	for _, row := range t.Rows {
		c := counts[row]
		if c == nil {
			continue // a repeat
		}
		delete(counts, row)
		if n := c[0] + c[1]; n > 1 {
			labels, molecules = labels+n, molecules+1
		}
		if c[0] == c[1] {
			tied++
			continue
		}
		var label uint8
		if c[1] > c[0] {
			label = 1
		}
		kept.Rows, kept.Labels = append(kept.Rows, row), append(kept.Labels, label)
	}
	t.Rows, t.Labels = kept.Rows, kept.Labels
	return labels, molecules, tied
}

// Kept returns the SMILES of the molecules in a store: those without a row in skipped [n].
func (d *Distinct) Kept(skipped []bool) (smiles []string) {
	lost := make([]bool, len(d.SMILES))
	for i, s := range skipped {
		at := i
		if d.Of != nil {
			at = int(d.Of[i])
		}
		lost[at] = lost[at] || s
	}
	for i, text := range d.SMILES {
		if !lost[i] {
			smiles = append(smiles, text)
		}
	}
	return slices.Clip(smiles)
}
