package ranking

import "testing"

// TestKnownMolecules: molecules are compared by structure, not by their SMILES. (Unreadable molecules are not
// in a ranking, and Mark is not called for them.)
func TestKnownMolecules(t *testing.T) {
	k := knownOf([]string{"OCC", "c1ccccc1N", "C[C@H](N)C(=O)O", "CC(=O)[O-].[Na+]", "C(C", "BrCCl", "BrCCl", "[13CH3]O", "*CCC"},
		[]uint8{1, 0, 1, 0, 1, 0, 1, 0, 1})
	for smiles, want := range map[string]Mark{
		"CCO": InSupportActive, "C(O)C": InSupportActive, "[CH3][CH2]O": InSupportActive, "[H]OCC": InSupportActive, "CCO name": InSupportActive,
		"COC": 0, "NC1=CC=CC=C1": InSupportInactive, "Nc%10ccccc%10": InSupportInactive,
		"N[C@@H](C)C(O)=O": InSupportActive, "N[C@H](C)C(O)=O": 0, "NC(C)C(O)=O": 0,
		"[Na+].[O-]C(C)=O": InSupportInactive, "CC(=O)O": 0, "C(C)": 0, "[C": 0, "[]": 0, "": 0, "C(Br)Cl": InSupportActive | InSupportInactive,
		"O[13CH3]": InSupportInactive, "[*]CCC": InSupportActive, "CO": 0, "ClCCl": 0,
	} {
		if got := k.Mark(t.Context(), smiles); got != want {
			t.Errorf("%s: %d, want %d", smiles, got, want)
		}
	}
}

// TestKnownLabelsAddUp: a molecule with two SMILES has the labels of both, and isomers keep their own labels.
func TestKnownLabelsAddUp(t *testing.T) {
	k := knownOf([]string{"OCC", "CCO", "COC"}, []uint8{1, 0, 0})
	for smiles, want := range map[string]Mark{"OCC": InSupportActive | InSupportInactive, "C(O)C": InSupportActive | InSupportInactive, "COC": InSupportInactive} {
		if got := k.Mark(t.Context(), smiles); got != want {
			t.Errorf("%s: %v, want %v", smiles, got, want)
		}
	}
}

// TestComposition: all SMILES of a molecule have the same composition.
func TestComposition(t *testing.T) {
	for _, same := range [][2]string{
		{"c1cc[nH]c1", "C1=CNC=C1"}, {"[Se]1C=CC=C1", "[se]1cccc1"}, {"C[Si](C)(C)C", "[Si](C)(C)(C)C"}, {"[NH4+].[Cl-]", "[Cl-].[NH4+]"}, {"[2H]C", "C"},
	} {
		if a, b := composition(same[0]), composition(same[1]); a != b || a == 0 {
			t.Errorf("%s and %s: %x and %x", same[0], same[1], a, b)
		}
	}
	if composition("CCl") == composition("CC") || composition("[Co]") == composition("CO") || composition("[Sn]") == composition("SN") {
		t.Error("different atoms have the same composition")
	}
}
