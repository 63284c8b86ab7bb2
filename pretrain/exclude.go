package pretrain

import (
	"context"
	"runtime"
	"strings"
	"sync"

	"pacia/data"
	"pacia/data/rdkit"
	"pacia/internal/each"
)

// exclude leaves out the molecules of another file, found by their canonical SMILES,
// of salts by that of the largest fragment.
func (l *Library) exclude(ctx context.Context, src Source, from *reader) error {
	if src.Exclude == "" {
		return nil
	}
	other := reader{options: src.Options}
	if err := other.from(ctx, src.Exclude); err != nil {
		return err
	}
	out := each.Pairs(identities(ctx, other.smiles, src.Threads), func(name string) (string, bool) { return name, name != "" })
	left := make([]bool, len(from.smiles))
	for i, name := range identities(ctx, from.smiles, src.Threads) {
		if left[i] = out[name]; left[i] {
			l.Excluded++
		}
	}
	from.leave(left)
	return ctx.Err()
}

// identities are equal for SMILES of one molecule; "" where there is none.
func identities(ctx context.Context, smiles []string, threads int) []string {
	names := make([]string, len(smiles))
	inChunks(ctx, "molecules compared", len(smiles), threads, func(first, end int) {
		for i := first; i < end; i++ {
			names[i] = identity(ctx, smiles[i])
		}
	})
	return names
}

// inChunks divides n molecules over threads goroutines (0: one for each core), reports
// progress as what, and returns when all are done, or ctx is.
func inChunks(ctx context.Context, what string, n, threads int, do func(first, end int)) {
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	const chunk = 512
	next := make(chan int)
	var wg sync.WaitGroup
	for range threads {
		wg.Go(func() {
			for first := range next {
				do(first, min(first+chunk, n))
			}
		})
	}
	for first := 0; first < n && ctx.Err() == nil; first += chunk {
		next <- first
		data.Report(ctx, what, min(first+chunk, n), n)
	}
	close(next)
	wg.Wait()
}

func identity(ctx context.Context, smiles string) string {
	name, err := rdkit.Canonical(ctx, smiles)
	if strings.Contains(smiles, ".") {
		name, err = rdkit.LargestFragment(ctx, smiles)
	}
	if err != nil {
		return ""
	}
	return name
}
