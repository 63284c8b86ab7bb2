package screen

import (
	"context"

	"pacia/data/molecule"
	"pacia/data/source"
	"pacia/data/table"
	"pacia/internal/each"
	"pacia/model"
)

// leastPast is the number of molecules from which on a past assay counts.
const leastPast = 5

// OpenHistory opens files of past assays.
func OpenHistory(ctx context.Context, files []string, reading table.Options, threads int) (past []model.Past, err error) {
	for _, file := range files {
		d, err := source.Open(ctx, file, source.Options{
			Options: reading, Threads: threads, Featurizer: molecule.FingerprintsOnly(),
			Rows: source.Rows{Molecules: source.RowsParents, Repeats: source.RowsMerge},
		})
		if err != nil {
			return nil, err
		}
		past = append(past, model.Past{Data: d, Tasks: each.If(each.Order[int](len(d.Tasks)), func(t int) bool {
			return len(d.Tasks[t].Rows) >= leastPast
		})})
	}
	return past, nil
}

// Recall returns models that also compare molecules by past assays.
func Recall(members []*model.Model, past []model.Past) (all []*model.Model, err error) {
	if len(past) == 0 {
		return members, nil
	}
	for _, m := range members {
		if m, err = m.Recall(past); err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}
