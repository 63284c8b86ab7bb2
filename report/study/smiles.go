package study

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"pacia/data"
	"pacia/data/assay"
	"pacia/data/embedded"
	"pacia/data/fsmol"
	"pacia/data/rdkit"
	"pacia/data/table"
	"pacia/internal/badinput"
	"pacia/internal/each"
	"pacia/run/runconfig"
)

// addSMILES reads the SMILES of the molecules from the file of the data set, as
// its store holds only graphs.
func (s *Study) addSMILES(ctx context.Context, ds *data.Dataset, from runconfig.Data) error {
	path := from.Path
	texts, err := smiles(ctx, ds, from)
	if err != nil {
		return err
	}
	if len(texts) != ds.Store.Len() {
		return &badinput.Error{File: path, What: fmt.Sprintf("has %d molecules, its graph store %d", len(texts), ds.Store.Len()), Fix: "remove the store: data.cache"}
	}
	return s.each(func(m *Molecule) error {
		m.SMILES = texts[m.row]
		mol, err := rdkit.Parse(m.SMILES)
		if err == nil && len(mol.Atoms)/2 != ds.Store.Atoms(int(m.row)) {
			err = fmt.Errorf("%d atoms, its graph has %d", len(mol.Atoms)/2, ds.Store.Atoms(int(m.row)))
		}
		if err != nil {
			return fmt.Errorf("%s: molecule %s: %w", path, m.SMILES, err)
		}
		return nil
	})
}

func (s *Study) each(do func(*Molecule) error) error {
	for i := range s.Support {
		if err := do(&s.Support[i]); err != nil {
			return err
		}
	}
	for i := range s.Queries {
		if err := do(&s.Queries[i].Molecule); err != nil {
			return err
		}
	}
	return nil
}

// addSMILESOfTask reads the SMILES of the molecules from the file of a task. The task's molecules are in the
// order of the file's rows, without those that RDKit could not read. If the two do not match,
// no molecule gets a SMILES.
func (s *Study) addSMILESOfTask(ctx context.Context, ds *data.Dataset, number int, dir string, from runconfig.Data) error {
	task := &ds.Tasks[number]
	by, err := from.Labels().Parse()
	if err != nil {
		return err
	}
	read, err := fsmol.TaskSMILES(ctx, dir, task.Name, assay.Options{Options: from.Reading(), Labels: by}, from.Rows())
	if err != nil {
		return err
	}
	skipped := each.Pairs(ds.Skipped, func(v data.Skipped) (string, bool) {
		_, err := rdkit.Parse(v.SMILES)
		return v.SMILES, err != nil // other rows are left out because of their cells, and TaskSMILES leaves them out
	})
	read = slices.DeleteFunc(read, func(smiles string) bool { return skipped[smiles] })
	if len(read) != len(task.Rows) {
		return nil
	}
	texts := map[int32]string{}
	for i, row := range task.Rows {
		if mol, err := rdkit.Parse(read[i]); err == nil && len(mol.Atoms)/2 != ds.Store.Atoms(int(row)) {
			return nil
		}
		texts[row] = read[i]
	}
	return s.each(func(m *Molecule) error {
		m.SMILES = texts[m.row]
		return nil
	})
}

// smiles returns the SMILES of the store's rows, which are the molecules of the file that RDKit
// can read, in order.
func smiles(ctx context.Context, ds *data.Dataset, from runconfig.Data) ([]string, error) {
	o := from.Reading()
	var r *table.Reader
	var err error
	if from.Path == data.Embedded {
		r, err = table.New(from.Path, bytes.NewReader(embedded.CSV()), o)
	} else {
		r, err = table.Open(ctx, from.Path, nil, o)
	}
	if err != nil {
		return nil, err
	}
	defer r.Close()
	read, err := assay.Read(ctx, r, assay.Options{Unlabeled: true})
	if err != nil {
		return nil, err
	}
	for i := range read.Reasons {
		read.SMILES[i] = "" // as for the store: such a row is not a repeat of a molecule
	}
	lost := each.Pairs(ds.Skipped, func(v data.Skipped) (int, bool) { return v.Row, true })
	skipped := each.Of(read.Lines, func(line int) bool { return lost[line] })
	of, err := from.Rows().Distinguish(ctx, read.SMILES, ds.IsPublished(), 0)
	if err != nil {
		return nil, err
	}
	return of.Kept(skipped), nil
}
