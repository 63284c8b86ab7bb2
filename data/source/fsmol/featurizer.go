package fsmol

import (
	"context"
	"runtime"
	"sync"

	"pacia/data/molecule"
	"pacia/data/workers"
)

// Featurizer returns the benchmark's representation of molecules, for source.Open: atoms with
// 32 features and bonds of three types, with or without fingerprints. The number in its name is
// incremented when the result for a SMILES changes.
func Featurizer(fingerprints bool) molecule.Featurizer {
	f := molecule.Featurizer{Name: "FS-Mol features 2", Features: true, Fingerprints: fingerprints}
	if fingerprints {
		f.Name += ", fingerprints 1"
	}
	f.Parse = func(ctx context.Context, smiles []string, threads int) (molecule.List, []int32, []error) {
		return ParseSMILES(ctx, smiles, fingerprints, threads)
	}
	return f
}

// ParseSMILES makes the benchmark's graphs of molecules with RDKit, over threads
// goroutines (0: one for each core). The results are as those of molecule.ParseSMILES: a store
// of the molecules that could be parsed, the row of each or −1, and its error or nil. After
// ctx is done, the remaining molecules have the context's error.
func ParseSMILES(ctx context.Context, smiles []string, fingerprints bool, threads int) (s *molecule.Store, index []int32, errs []error) {
	s, index, errs = molecule.NewStore(nil), make([]int32, len(smiles)), make([]error, len(smiles))
	eachParsed(ctx, smiles, threads, fingerprints, func(i int, m *Molecule, err error) {
		if index[i], errs[i] = -1, err; err == nil {
			index[i] = int32(s.Len())
			m.addTo(s)
		}
	})
	return s, index, errs
}

// eachParsed parses SMILES over goroutines, and calls f with each molecule or error, in
// order.
func eachParsed(ctx context.Context, smiles []string, threads int, fingerprints bool, f func(i int, m *Molecule, err error)) {
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	for run := 0; run < len(smiles); run += 1024 * threads {
		n := min(1024*threads, len(smiles)-run)
		molecules, errs := make([]Molecule, n), make([]error, n)
		var wg sync.WaitGroup
		for first := range min(threads, n) {
			wg.Go(func() {
				for i := first; i < n; i += threads {
					if errs[i] = ctx.Err(); errs[i] == nil {
						molecules[i], errs[i] = fromSMILES(ctx, smiles[run+i], fingerprints)
					}
				}
			})
		}
		wg.Wait()
		for i := range molecules {
			f(run+i, &molecules[i], errs[i])
		}
		workers.Report(ctx, "molecules", run+n, len(smiles))
	}
}
