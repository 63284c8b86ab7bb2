package history

import (
	"context"

	"pacia/data"
	"pacia/data/molecule"
	"pacia/data/source"
	"pacia/data/table"
	"pacia/internal/each"
)

// least is the number of molecules from which on a past assay counts.
const least = 5

// Past holds past assays. Nil has none.
type Past struct{ files []file }

// file is a file of past assays.
type file struct {
	path   string
	data   *data.Dataset
	assays []int // tasks that count
}

// Open reads files of past assays. It tells the Progress of ctx what it assumes.
func Open(ctx context.Context, files []string, reading table.Options, threads int) (*Past, error) {
	if len(files) == 0 {
		return nil, nil
	}
	past := new(Past)
	for _, path := range files {
		d, err := source.Open(ctx, path, source.Options{
			Options: reading, Threads: threads, Featurizer: molecule.FingerprintsOnly(),
			Rows: source.Rows{Molecules: source.RowsParents, Repeats: source.RowsMerge},
		})
		if err != nil {
			return nil, err
		}
		past.files = append(past.files, file{path, d, each.If(each.Order[int](len(d.Tasks)), func(t int) bool {
			return len(d.Tasks[t].Rows) >= least
		})})
	}
	return past, nil
}
