package history

import (
	"slices"

	"pacia/internal/each"
)

// Files returns what was read of each file.
func (p *Past) Files() []Read {
	if p == nil {
		return nil
	}
	return each.Of(p.files, func(f *file) Read {
		return Read{File: f.path, Assays: len(f.assays), Molecules: f.molecules(), Notes: f.notes}
	})
}

// Known returns the numbers of past assays and of their molecules.
func (p *Past) Known() (assays, molecules int) {
	if p == nil {
		return 0, 0
	}
	for _, f := range p.files {
		assays += len(f.assays)
	}
	return assays, len(p.keys)
}

// HasKey reports whether a molecule with a key of KeysOf is in a past assay.
func (p *Past) HasKey(key uint64) bool {
	if p == nil {
		return false
	}
	_, has := slices.BinarySearch(p.keys, key)
	return has
}

// Assays returns the names of the past assays, in the order in which models have them.
func (p *Past) Assays() (names []string) {
	if p == nil {
		return nil
	}
	for _, f := range p.files {
		for _, t := range f.assays {
			names = append(names, f.data.Tasks[t].Name)
		}
	}
	return names
}
