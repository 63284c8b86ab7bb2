// Package replicates finds the rows of a table that are one molecule, and counts their labels.
package replicates

import (
	"context"

	"pacia/data/rdkit"
)

// Key returns a text that all SMILES of a molecule share, the canonical one. A SMILES that cannot be read is a key of its
// own: the model's parser reports the error.
func Key(ctx context.Context, smiles string) string {
	if canonical, err := rdkit.Canonical(ctx, smiles); err == nil && smiles != "" {
		return canonical
	}
	return smiles
}

// Group returns the molecule of each row [n] and the first row of each molecule [u], by the keys of the rows [n].
// Molecules are numbered by their first rows. A row without a key is a molecule of its own.
func Group(keys []string) (molecules, first []int32) {
	known := map[string]int32{}
	molecules = make([]int32, len(keys))
	for i, key := range keys {
		at, found := known[key]
		if !found || key == "" {
			at = int32(len(first))
			known[key], first = at, append(first, int32(i))
		}
		molecules[i] = at
	}
	return molecules, first
}

// Votes are the numbers of a molecule's rows with label 0 and with label 1.
type Votes [2]int

// Count counts the labels [n] of the rows of each molecule.
func Count(molecules []int32, labels []uint8) map[int32]Votes {
	all := map[int32]Votes{}
	for i, molecule := range molecules {
		v := all[molecule]
		v[labels[i]]++
		all[molecule] = v
	}
	return all
}

// Disagree reports whether there are rows with both labels.
func (v Votes) Disagree() bool { return v[0] > 0 && v[1] > 0 }

// Tied reports whether as many rows have label 1 as label 0. Such a molecule has no label.
func (v Votes) Tied() bool { return v[0] == v[1] }

// Label returns the label of most rows.
func (v Votes) Label() uint8 {
	if v[1] > v[0] {
		return 1
	}
	return 0
}
