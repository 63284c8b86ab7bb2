package source

import (
	"context"
	"fmt"
	"sync"

	"pacia/data"
	"pacia/data/note"
	"pacia/data/replicates"
	"pacia/data/standard"
	"pacia/data/workers"
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

// resolve resolves auto, for a table that is a published data set or not.
func (r Rows) resolve(published bool) (parents, merge bool) {
	auto := !published
	return r.Molecules == RowsParents || r.Molecules == RowsAuto && auto, r.Repeats == RowsMerge || r.Repeats == RowsAuto && auto
}

// Drawn reports whether molecules are read as drawn, of a published data set or not.
func (r Rows) Drawn(published bool) bool {
	parents, _ := r.resolve(published)
	return !parents
}

// Distinct are the u molecules of n rows.
type Distinct struct {
	SMILES  []string // [u] as the model reads them
	Indices []int32  // [n] the molecule of each row; nil: one for each row

	first []int32 // [u] the first row of each molecule, with Indices
	notes []note.Note
}

// Distinguish returns the molecules of n rows. A row without a SMILES is a molecule of its own.
func (r Rows) Distinguish(ctx context.Context, smiles []string, published bool, threads int) (*Distinct, error) {
	parents, merge := r.resolve(published)
	d := &Distinct{SMILES: smiles}
	if !parents && !merge {
		return d, nil
	}
	seen, keys := make([]string, len(smiles)), make([]string, len(smiles))
	var changes standard.Changes
	var mu sync.Mutex
	workers.InChunks(ctx, "rows", len(smiles), threads, func() func(int, int, int) {
		return func(_, first, end int) {
			var own standard.Changes
			for i := first; i < end && ctx.Err() == nil; i++ {
				text, change := smiles[i], standard.Unchanged
				if parents && text != "" {
					text, change, _ = standard.Options{}.Molecule(ctx, text) // an error is the parser's to report
				}
				own.Add(change, 0)
				if seen[i] = text; merge {
					keys[i] = replicates.Key(ctx, text)
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
		d.Indices, d.first = replicates.Group(keys)
		d.SMILES = each.At(seen, d.first)
	}
	return d, nil
}

// Spread expands index and errs from molecules [u] to rows [n].
func (d *Distinct) Spread(index []int32, errs []error) ([]int32, []error) {
	if d.Indices == nil {
		return index, errs
	}
	ofRows, errsOfRows := make([]int32, len(d.Indices)), make([]error, len(d.Indices))
	for i, molecule := range d.Indices {
		ofRows[i], errsOfRows[i] = index[molecule], errs[molecule]
	}
	return ofRows, errsOfRows
}

// Repeats returns how many rows of a file repeat a molecule of it. index [n] is the molecule of each row, or −1 for a
// row that cannot be read.
func Repeats(index []int32) (n int) {
	seen := map[int32]bool{}
	for _, molecule := range index {
		if molecule >= 0 && seen[molecule] {
			n++
		}
		seen[molecule] = true
	}
	return n
}

// Merge replaces several labels of a molecule in one task by the most frequent one. It leaves out
// a molecule with equally many of both. It returns notes on this, with the number of rows that repeat a molecule, and
// on changed molecules.
func (d *Distinct) Merge(tasks []data.Task, repeats int) (lines []string) {
	lines = each.Of(d.notes, func(n note.Note) string { return n.String() })
	if d.Indices == nil {
		return lines
	}
	tied := 0
	for i := range tasks {
		tied += mergeRows(&tasks[i])
	}
	if repeats == 0 {
		return lines
	}
	line := "a row repeats a molecule"
	if repeats > 1 {
		line = fmt.Sprintf("%d rows repeat a molecule", repeats)
	}
	line += ": it counts once in each task, with the label that most of its rows have"
	if tied > 0 {
		line += fmt.Sprintf("; ties are left out (%d)", tied)
	}
	return append(lines, line+" (data.repeats)")
}

// Changed returns what was changed in molecules.
func (d *Distinct) Changed() []string {
	return each.Of(d.notes, func(n note.Note) string { return n.Text })
}

// mergeRows replaces several labels of a row by one. It returns how many rows were left out because of a tie.
func mergeRows(t *data.Task) (tied int) {
	counts := replicates.Count(t.Rows, t.Labels)
	if len(counts) == len(t.Rows) {
		return 0
	}
	var kept data.Task
	for _, row := range t.Rows {
		votes, first := counts[row]
		delete(counts, row)
		if first && votes.Tied() {
			tied++
		} else if first {
			kept.Rows, kept.Labels = append(kept.Rows, row), append(kept.Labels, votes.Label())
		}
	}
	t.Rows, t.Labels = kept.Rows, kept.Labels
	return tied
}

// Molecule returns the molecule of a row.
func (d *Distinct) Molecule(row int) int {
	if d.Indices == nil {
		return row
	}
	return int(d.Indices[row])
}

// First returns the first row of a molecule.
func (d *Distinct) First(molecule int) int {
	if d.Indices == nil {
		return molecule
	}
	return int(d.first[molecule])
}

// Firsts returns the first row of each molecule in a store: those without a row in skipped [n].
func (d *Distinct) Firsts(skipped []bool) (rows []int) {
	lost := make([]bool, len(d.SMILES))
	for i, s := range skipped {
		lost[d.Molecule(i)] = lost[d.Molecule(i)] || s
	}
	for at := range d.SMILES {
		if !lost[at] {
			rows = append(rows, d.First(at))
		}
	}
	return rows
}

// An Origin is the row of a file that a molecule of a data set comes from, the first one of several.
type Origin struct {
	SMILES string // that the model reads
	Drawn  string // in the file
	Name   string // of the compound; empty: the file has none
	Row    int    // of the file, from 1; 0: a file that is not a table
}
