package study

import (
	"context"
	"fmt"

	"pacia/data"
	"pacia/data/rdkit"
	"pacia/evaluate"
	"pacia/run/runconfig"
)

// addSMILES reads the SMILES of the molecules of a task from the file of the data set, as its store holds only graphs. If
// the file of a task and the task do not match, no molecule gets a SMILES.
func (s *Study) addSMILES(ctx context.Context, ds *data.Dataset, task int, from runconfig.Data) error {
	of, err := evaluate.NewOrigins(ds, from).TaskOrigins(ctx, task)
	if err != nil || of == nil {
		return err
	}
	return s.each(func(m *Molecule) error {
		m.SMILES = of[m.row].SMILES
		mol, err := rdkit.Parse(m.SMILES)
		if err == nil && len(mol.Atoms)/2 != ds.Store.Atoms(int(m.row)) {
			err = fmt.Errorf("%d atoms, its graph has %d", len(mol.Atoms)/2, ds.Store.Atoms(int(m.row)))
		}
		if err != nil {
			return fmt.Errorf("%s: molecule %s: %w", from.Path, m.SMILES, err)
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
