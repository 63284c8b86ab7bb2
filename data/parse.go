package data

import (
	"context"

	"pacia/data/rdkit"
)

// ParseSMILES parses molecules over threads goroutines (0: one for each core)
// into a store in memory, which holds those that could be parsed, in order.
//
// index [len(smiles)] gives the row of each in the store, or −1; errs
// [len(smiles)] the reason why it has none, or nil. Once ctx is done, that is the
// reason of all that are left.
func ParseSMILES(ctx context.Context, smiles []string, threads int) (s *Store, index []int32, errs []error) {
	return parser{}.store(ctx, smiles, threads)
}

// parser says what is made of molecules.
type parser struct {
	counts bool // fingerprints
	bare   bool // no graphs
	space  bool // atoms in space, in place of categories
	mini   bool // what MiniMol reads, in place of categories
}

func (p parser) parse(ctx context.Context, smiles []string, threads int) (Molecules, []int32, []error) {
	return p.store(ctx, smiles, threads)
}

func (p parser) store(ctx context.Context, smiles []string, threads int) (s *Store, index []int32, errs []error) {
	errs = make([]error, len(smiles))
	parts := make([]Store, chunksOf(len(smiles)))
	InChunks(ctx, "molecules", len(smiles), threads, func() func(int, int, int) {
		read := rdkit.Parser{Counts: p.counts, Bare: p.bare}
		return func(chunk, first, end int) { p.run(ctx, &read, &parts[chunk], smiles[first:end], errs[first:end]) }
	})
	return join(parts), indexOf(errs), errs
}

// run appends the molecules that can be parsed to a part, and says why for the others.
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
			to.fingerprints.Add(m.Counts.Bit, m.Counts.Count)
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

// GraphsFromSMILES returns the graph of each SMILES, or the reason why it has
// none. The graphs share one store in memory.
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
