package fsmol

import (
	"context"
	"runtime"
	"sync"

	"pacia/data"
)

// Featurizer is the benchmark's way to see molecules, for data.Open: atoms of
// 32 features, and bonds of three kinds, with fingerprints or without. Its number goes up whenever those of a
// SMILES would come out different.
func Featurizer(fingerprints bool) data.Featurizer {
	f := data.Featurizer{Name: "FS-Mol features 2", Features: true, Fingerprints: fingerprints}
	if fingerprints {
		f.Name += ", fingerprints 1"
	}
	f.Parse = func(ctx context.Context, smiles []string, threads int) (data.Molecules, []int32, []error) {
		return ParseSMILES(ctx, smiles, fingerprints, threads)
	}
	return f
}

// ParseSMILES makes the benchmark's graphs of molecules, by RDKit, over threads
// goroutines (0: one for each core), as data.ParseSMILES makes graphs of
// categories: those that could be made, in order, with the row of each or −1, and
// the reason why it has none, or nil; once ctx is done, that is the reason of all
// that are left.
func ParseSMILES(ctx context.Context, smiles []string, fingerprints bool, threads int) (s *data.Store, index []int32, errs []error) {
	s, index, errs = data.NewStore(nil), make([]int32, len(smiles)), make([]error, len(smiles))
	eachParsed(ctx, smiles, threads, fingerprints, func(i int, m *Molecule, err error) {
		if index[i], errs[i] = -1, err; err == nil {
			index[i] = int32(s.Len())
			m.addTo(s)
		}
	})
	return s, index, errs
}

// eachParsed calls f, in order, with the molecule of each SMILES, which runs of
// goroutines parse.
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
		data.Report(ctx, "molecules", run+n, len(smiles))
	}
}
