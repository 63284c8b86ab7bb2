package pretrain

import (
	"context"
	"strings"

	"pacia/data/rdkit"
	"pacia/data/workers"
	"pacia/internal/each"
)

// exclude leaves out the molecules of another file. It compares canonical SMILES, for salts
// those of the largest fragment.
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

// identities returns a key for each SMILES that is equal for SMILES of the same molecule, and ""
// for one that cannot be read.
func identities(ctx context.Context, smiles []string, threads int) []string {
	names := make([]string, len(smiles))
	workers.InChunks(ctx, "molecules compared", len(smiles), threads, func() func(_, first, end int) {
		return func(_, first, end int) {
			for i := first; i < end && ctx.Err() == nil; i++ {
				names[i] = identity(ctx, smiles[i])
			}
		}
	})
	return names
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
