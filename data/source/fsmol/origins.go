package fsmol

import (
	"context"
	"slices"

	"pacia/data"
	"pacia/data/assay"
	"pacia/data/source"
	"pacia/internal/badinput"
	"pacia/internal/each"
)

// TaskOrigins returns the origins of the molecules of a task in a folder for OpenFolder, in the order of its file. o and
// rows define how CSV files are read. Molecules for which lost is true are left out.
func TaskOrigins(
	ctx context.Context, dir, task string, o assay.Options, rows source.Rows, lost func(smiles string) bool,
) ([]source.Origin, error) {
	f, tables, err := dataFiles(dir)
	if err != nil {
		return nil, err
	}
	if !tables {
		for _, path := range f.paths {
			if TaskName(path) == task {
				return ofTaskFile(ctx, path, lost)
			}
		}
	} else {
		paths := each.At(f.paths, slices.Concat(f.parts[2], f.parts[1], f.parts[0])) // most often a test task
		// Most files contain one task and have its name.
		slices.SortStableFunc(paths, func(a, b string) int { return named(b, task) - named(a, task) })
		for _, path := range paths {
			t, err := readTable(ctx, path, o, 0)
			if err != nil {
				return nil, err
			}
			for i := range t.Tasks {
				if t.Tasks[i].Name == task {
					return ofTable(ctx, t.Assay, &t.Tasks[i], rows, lost)
				}
			}
		}
	}
	return nil, &badinput.Error{File: dir, What: "no file has the task " + task, Fix: "give the folder that the model was tested on"}
}

// named returns 1 if a table has the name of a task, and 0 otherwise.
func named(path, task string) int {
	if tableName(path) == task {
		return 1
	}
	return 0
}

func ofTaskFile(ctx context.Context, path string, lost func(string) bool) ([]source.Origin, error) {
	molecules, err := readTask(ctx, path)
	if err != nil {
		return nil, err
	}
	molecules = slices.DeleteFunc(molecules, func(m Molecule) bool { return lost(m.SMILES) })
	return each.Of(molecules, func(m Molecule) source.Origin { return source.Origin{SMILES: m.SMILES, Drawn: m.SMILES} }), nil
}

// ofTable merges the rows of a task's molecules as for the data set, so that they are in the order of the task.
func ofTable(ctx context.Context, a *assay.Assay, t *assay.Task, rows source.Rows, lost func(string) bool) ([]source.Origin, error) {
	var measured []int32
	one := []data.Task{{Name: t.Name}}
	for i, row := range t.Rows {
		if a.Reasons[int(row)] == nil && !lost(a.SMILES[row]) {
			measured, one[0].Labels = append(measured, row), append(one[0].Labels, t.Labels[i])
		}
	}
	of, err := rows.Distinguish(ctx, each.At(a.SMILES, measured), false, 0)
	if err != nil {
		return nil, err
	}
	for i := range measured {
		one[0].Rows = append(one[0].Rows, int32(of.Molecule(i)))
	}
	of.Merge(one, 0)
	return each.Of(one[0].Rows, func(at int32) source.Origin {
		row := measured[of.First(int(at))]
		return source.Origin{SMILES: of.SMILES[at], Drawn: a.SMILES[row], Name: a.Names[row], Row: a.Lines[row]}
	}), nil
}
