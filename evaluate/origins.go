package evaluate

import (
	"bytes"
	"context"
	"fmt"

	"pacia/data"
	"pacia/data/assay"
	"pacia/data/embedded"
	"pacia/data/rdkit"
	"pacia/data/source"
	"pacia/data/source/fsmol"
	"pacia/data/split"
	"pacia/data/table"
	"pacia/internal/badinput"
	"pacia/internal/each"
	"pacia/run/runconfig"
)

// Origins finds the rows of files that the molecules of a data set come from, as its store holds only graphs.
type Origins struct {
	dataset *data.Dataset
	from    runconfig.Data
	all     []source.Origin // of a table: [n] of the store
}

// NewOrigins returns the Origins of d, which was opened with the settings from.
func NewOrigins(d *data.Dataset, from runconfig.Data) *Origins {
	return &Origins{dataset: d, from: from}
}

// TaskOrigins returns the origins of the molecules of a task, by their rows in the store. It is nil if the file of a task does
// not have the molecules of the task in the same order.
func (o *Origins) TaskOrigins(ctx context.Context, task int) (map[int32]source.Origin, error) {
	of := map[int32]source.Origin{}
	rows := o.dataset.Tasks[task].Rows
	path, err := o.from.Location()
	if err != nil {
		return nil, err
	}
	if o.dataset.Folds != nil {
		all, err := o.ofTask(ctx, path, task)
		if err != nil || all == nil {
			return nil, err
		}
		for i, row := range rows {
			of[row] = all[i]
		}
		return of, nil
	}
	if o.all == nil {
		if o.all, err = tableOrigins(ctx, o.dataset, path, o.from); err != nil {
			return nil, err
		}
	}
	for _, row := range rows {
		of[row] = o.all[row]
	}
	return of, nil
}

// ofTask reads the file of a task of a folder. The task's molecules are in the order of the file's rows, without those
// that RDKit could not read.
func (o *Origins) ofTask(ctx context.Context, dir string, number int) ([]source.Origin, error) {
	task := &o.dataset.Tasks[number]
	by, err := o.from.Labels().Parse()
	if err != nil {
		return nil, err
	}
	skipped := each.Pairs(o.dataset.Skipped, func(v data.Skipped) (string, bool) {
		_, err := rdkit.Parse(v.SMILES)
		return v.SMILES, err != nil // other rows are left out because of their cells
	})
	read := assay.Options{Options: o.from.Reading(), Labels: by}
	all, err := fsmol.TaskOrigins(ctx, dir, task.Name, read, o.from.Rows(), func(smiles string) bool { return skipped[smiles] })
	if err != nil || len(all) != len(task.Rows) {
		return nil, err
	}
	for i, row := range task.Rows {
		if mol, err := rdkit.Parse(all[i].SMILES); err == nil && len(mol.Atoms)/2 != o.dataset.Store.Atoms(int(row)) {
			return nil, nil
		}
	}
	return all, nil
}

// tableOrigins returns the origins of the store's rows, which are the molecules of the file that RDKit can read, in order.
func tableOrigins(ctx context.Context, d *data.Dataset, path string, from runconfig.Data) ([]source.Origin, error) {
	by, err := from.Labels().Parse()
	if err != nil {
		return nil, err
	}
	o := from.Reading()
	var r *table.Reader
	if path == data.Embedded {
		r, err = table.New(path, bytes.NewReader(embedded.CSV()), o)
	} else {
		r, err = table.Open(ctx, path, nil, o)
	}
	if err != nil {
		return nil, err
	}
	defer r.Close()
	read, err := assay.Read(ctx, r, assay.Options{Labels: by})
	if err != nil {
		return nil, err
	}
	texts := append([]string{}, read.SMILES...)
	for i := range read.Reasons {
		texts[i] = "" // as for the store: such a row is not a repeat of a molecule
	}
	lost := each.Pairs(d.Skipped, func(v data.Skipped) (int, bool) { return v.Row, true })
	skipped := each.Of(read.Lines, func(line int) bool { return lost[line] })
	of, err := from.Rows().Distinguish(ctx, texts, split.IsPublished(d.Hash, d.TaskNames()), 0)
	if err != nil {
		return nil, err
	}
	all := each.Of(of.Firsts(skipped), func(row int) source.Origin {
		return source.Origin{SMILES: of.SMILES[of.Molecule(row)], Drawn: read.SMILES[row], Name: read.Names[row], Row: read.Lines[row]}
	})
	if len(all) != d.Store.Len() {
		return nil, &badinput.Error{File: path, What: fmt.Sprintf("has %d molecules, its graph store %d", len(all), d.Store.Len()),
			Fix: "remove the store: data.cache"}
	}
	return all, nil
}
