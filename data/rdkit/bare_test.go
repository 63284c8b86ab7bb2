package rdkit

import (
	"slices"
	"testing"
)

// TestBare: a fingerprint is the same with and without a graph, for molecules with explicit hydrogens,
// stereochemistry of all kinds, charges, isotopes and dummies. Molecules are refused for
// the same reasons.
func TestBare(t *testing.T) {
	whole, bare := Parser{Counts: true}, Parser{Counts: true, Bare: true}
	for _, smiles := range []string{
		"CCO", "C[C@H](N)C(=O)O", "C[C@@H](N)C(=O)[O-]", "F/C=C/F", "F/C=C\\F", "[H]/C(C)=C/C", "[H][C@](C)(F)Cl", "[H]C([H])([H])O",
		"C[C@H](O)[C@@H](O)[C@H](C)O", "OC1CC[C@@H](C)CC1", "c1ccccc1", "c1ccc2[nH]ccc2c1", "[13CH3]C", "[2H]OC", "[2H]C([2H])[2H]", "[H][H]", "[H+]", "*C", "[Na+].[Cl-]",
		"N[Pt@SP1](N)(Cl)Cl", "CC(C)(C)c1ccc2occ(CC(=O)Nc3ccccc3F)c2c1", "O=[N+]([O-])c1ccccc1", "CN=[N+]=[N-]", "C1CC1[C@H]1C[C@@H]1F",
		"c1ccccc", "C(C", "CC(C)(C)(C)C", "cc", "",
	} {
		a, errA := whole.Parse(smiles)
		b, errB := bare.Parse(smiles)
		if errA != nil || errB != nil {
			if errA == nil || errB == nil || errA.Error() != errB.Error() {
				t.Errorf("%q: %v, and alone %v", smiles, errA, errB)
			}
			continue
		}
		if !slices.Equal(a.Counts.Bit, b.Counts.Bit) || !slices.Equal(a.Counts.Count, b.Counts.Count) {
			t.Errorf("%s: fingerprint %v %v, and alone %v %v", smiles, a.Counts.Bit, a.Counts.Count, b.Counts.Bit, b.Counts.Count)
		}
		if len(b.Atoms) != 0 || len(b.Ends) != 0 {
			t.Errorf("%s: %d atoms of a bare molecule", smiles, len(b.Atoms)/2)
		}
	}
}
