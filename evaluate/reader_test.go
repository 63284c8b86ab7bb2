package evaluate_test

import (
	"slices"
	"testing"

	"pacia/data/rdkit"
	"pacia/evaluate"
	"pacia/model"
	"pacia/ops"
	"pacia/weights"
)

// TestReader: the model that ships knows molecules in drawings other than its own, as another tautomer with a hydrogen
// of carbon moved, and not isomers of them. As drawn, nothing changes.
func TestReader(t *testing.T) {
	err := ops.Pinned(1, func() error {
		m := shipped(t)
		defer m.Drop()
		read, err := evaluate.NewReader([]*model.Model{m}, false)
		if err != nil {
			return err
		}
		knows, err := evaluate.KnownTo([]*model.Model{m})
		if err != nil {
			return err
		}
		known := func(smiles string) bool {
			p := rdkit.Parser{Counts: true, Bare: true}
			mol, err := p.Parse(smiles)
			return err == nil && knows(mol.Counts.Bit, mol.Counts.Count)
		}
		for _, c := range []struct {
			what, smiles string
			tautomers    int
		}{
			{"losartan, 1H-tetrazole", "CCCCc1nc(Cl)c(CO)n1Cc1ccc(cc1)-c1ccccc1-c1nnn[nH]1", 0},
			{"allopurinol", "O=c1[nH]cnc2n[nH]cc12", 0},
			{"dexamethasone", "CC1CC2C3CCC4=CC(=O)C=CC4(C)C3(F)C(O)CC2(C)C1(O)C(=O)CO", 1},
		} {
			given := []string{"CCCCCCCCCCCCCCF", c.smiles}
			got, tautomers := read.Drawings(t.Context(), given)
			if known(c.smiles) || !known(got[1]) || got[0] != given[0] || tautomers != c.tautomers || given[1] != c.smiles {
				t.Errorf("%s is read as %q, %d as other tautomers", c.what, got, tautomers)
			}
		}
		drawn, err := evaluate.NewReader([]*model.Model{m}, true)
		if err != nil {
			return err
		}
		all := []string{"O=c1[nH]cnc2[nH]ncc12", "not a molecule", ""}
		if got, n := drawn.Drawings(t.Context(), all); !slices.Equal(got, all) || n != 0 {
			t.Errorf("as drawn: %q", got)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// shipped opens the model that ships.
func shipped(t *testing.T) *model.Model {
	t.Helper()
	f, err := weights.Open("")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	m, err := f.Model("cpu")
	if err != nil {
		t.Fatal(err)
	}
	return m
}
