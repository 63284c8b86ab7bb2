package rdkit

import (
	"testing"

	"pacia/harness/bounded"
)

// FuzzParse searches for text that crashes RDKit. It checks that accepted molecules are
// within the bounds that the rest of the program requires.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"CCO", "F/C=C/F", "[C@@H](N)(C)C(=O)O", "c1ccc2[nH]ccc2c1", "[Na+].[Cl-]", "C%12CC%12", "[13CH3:1]*", "CCO |$;;x$|", "[Cu-2]<-N",
	} {
		f.Add(seed)
	}
	for _, bad := range refused {
		f.Add(bad.smiles)
	}
	f.Fuzz(func(t *testing.T, smiles string) {
		if len(smiles) > 200 {
			return // long chains are slow, not different
		}
		var m Mol
		var err error
		bounded.Do(t, func() { m, err = Parse(smiles) })
		if err != nil {
			if err.Error() == "" {
				t.Errorf("%q is refused without a reason", smiles)
			}
			return
		}
		atoms := int32(len(m.Atoms) / 2)
		if atoms == 0 || len(m.Ends) != len(m.Bonds) {
			t.Errorf("%q: %d atoms, %d ends, %d bond features", smiles, atoms, len(m.Ends), len(m.Bonds))
		}
		for i := 0; i < len(m.Atoms); i += 2 {
			if m.Atoms[i] > 118 || m.Atoms[i+1] > 3 {
				t.Errorf("%q: atom categories %v", smiles, m.Atoms[i:i+2])
			}
		}
		for i := 0; i < len(m.Ends); i += 2 {
			u, v := m.Ends[i], m.Ends[i+1]
			if u < 0 || v < 0 || u >= atoms || v >= atoms || u == v || m.Bonds[i] > 3 || m.Bonds[i+1] > 2 {
				t.Errorf("%q: bond %d–%d, categories %v, of %d atoms", smiles, u, v, m.Bonds[i:i+2], atoms)
			}
		}
	})
}
