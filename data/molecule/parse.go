package molecule

import (
	"context"

	"pacia/data/rdkit"
	"pacia/data/workers"
)

// ParseSMILES parses molecules over threads goroutines (0: one for each core)
// into a store in memory, which contains those that could be parsed, in order.
//
// index [len(smiles)] is the row of each molecule in the store, or −1. errs
// [len(smiles)] is the reason why it could not be parsed, or nil. After ctx is done,
// the remaining molecules have the context's error.
func ParseSMILES(ctx context.Context, smiles []string, threads int) (s *Store, index []int32, errs []error) {
	return parser{}.store(ctx, smiles, threads)
}

// parser selects the parts of molecules that are made.
type parser struct {
	counts bool // fingerprints
	bare   bool // no graphs
	space  bool // coordinates and features of atoms, in place of categories
	mini   bool // MiniMol's features of atoms, in place of categories
}

func (p parser) parse(ctx context.Context, smiles []string, threads int) (List, []int32, []error) {
	return p.store(ctx, smiles, threads)
}

func (p parser) store(ctx context.Context, smiles []string, threads int) (s *Store, index []int32, errs []error) {
	errs = make([]error, len(smiles))
	parts := make([]Store, workers.Chunks(len(smiles)))
	workers.InChunks(ctx, "molecules", len(smiles), threads, func() func(int, int, int) {
		read := rdkit.Parser{Counts: p.counts, Bare: p.bare}
		return func(chunk, first, end int) { p.run(ctx, &read, &parts[chunk], smiles[first:end], errs[first:end]) }
	})
	return join(parts), indexOf(errs), errs
}

// run appends the molecules that can be parsed to a part, and sets the errors of the others.
func (p parser) run(ctx context.Context, read *rdkit.Parser, to *Store, smiles []string, errs []error) {
	var mini []rdkit.MiniMol
	if p.mini {
		mini = miniMols(smiles)
	}
	read.ParseAll(ctx, smiles, func(i int, m rdkit.Mol, err error) {
		var in *rdkit.Conformer
		switch {
		case err == nil && p.space:
			in, err = conformed(ctx, smiles[i], len(m.Atoms)/2)
		case err == nil && p.mini && len(mini[i].Atoms)/rdkit.MiniMolAtom != len(m.Atoms)/2:
			err = errMini
		}
		if errs[i] = err; err != nil {
			return
		}
		if p.mini {
			to.addMini(mini[i])
		} else {
			to.addMol(m, in)
		}
		if p.counts {
			to.arrays.Fingerprints.Add(m.Counts.Bit, m.Counts.Count)
		}
	})
}

// indexOf numbers the entries without an error.
func indexOf(errs []error) []int32 {
	index := make([]int32, len(errs))
	var n int32
	for i, err := range errs {
		if err != nil {
			index[i] = -1
			continue
		}
		index[i] = n
		n++
	}
	return index
}

// GraphsFromSMILES returns the graph of each SMILES, or the error if it cannot be
// parsed. The graphs share one store in memory.
func GraphsFromSMILES(smiles []string) ([]Graph, []error) {
	s, index, errs := ParseSMILES(context.Background(), smiles, 0)
	graphs := make([]Graph, len(smiles))
	for i, row := range index {
		if row >= 0 {
			graphs[i] = s.Graph(int(row))
		}
	}
	return graphs, errs
}
