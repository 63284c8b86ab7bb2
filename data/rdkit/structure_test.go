package rdkit

import (
	"context"
	"slices"
	"strings"
	"testing"
)

// The figures are from RDKit 2026.09 in Python: Descriptors.MolWt, MolLogP, TPSA,
// NumHDonors, NumHAcceptors, RingCount, QED.qed and MurckoScaffold.MurckoScaffoldSmiles.
func TestStructureDescribes(t *testing.T) {
	all := Structure{Properties: true, Alerts: true, Scaffold: true}
	for _, c := range []struct{ smiles, properties, scaffold string }{
		{"CC(=O)Oc1ccccc1C(=O)O", "180.16 1.31 63.60 1 3 1 0.550", "c1ccccc1"},
		{"CCO", "46.07 -0.00 20.23 1 1 0 0.407", ""},
		{"Cc1ccc(cc1)C(=O)NCc1ccncc1", "226.28 2.32 41.99 1 2 2 0.872", "O=C(NCc1ccncc1)c1ccccc1"},
	} {
		cells, unmet, err := all.Of(context.Background(), c.smiles)
		if err != nil || len(unmet) > 0 || len(cells) != len(all.Columns()) {
			t.Fatalf("%s: %q, %v, %v", c.smiles, cells, unmet, err)
		}
		if got := strings.Join(cells[:7], " "); got != c.properties {
			t.Errorf("%s: %s, want %s", c.smiles, got, c.properties)
		}
		if cells[10] != c.scaffold {
			t.Errorf("%s: scaffold %q, want %q", c.smiles, cells[10], c.scaffold)
		}
	}
}

// TestScaffoldOfSpellings: a compound in two spellings has one scaffold, and so have its stereoisomers.
func TestScaffoldOfSpellings(t *testing.T) {
	for _, c := range []struct{ smiles, want string }{
		{`C/C(c1ccccn1)=C\c1ccccc1`, "C(=Cc1ccccn1)c1ccccc1"},
		{`CC(\c1ccccn1)=C/c1ccccc1`, "C(=Cc1ccccn1)c1ccccc1"},
		{"CCOc1ccccc1O[C@H](c1ccccc1)[C@H]1CNCCO1", "c1ccc(OC(c2ccccc2)C2CNCCO2)cc1"},
		{"CCOc1ccccc1O[C@@H](c1ccccc1)[C@@H]1CNCCO1", "c1ccc(OC(c2ccccc2)C2CNCCO2)cc1"},
	} {
		cells, _, err := Structure{Scaffold: true}.Of(context.Background(), c.smiles)
		if err != nil || cells[0] != c.want {
			t.Errorf("%s: scaffold %q, %v, want %q", c.smiles, cells, err, c.want)
		}
	}
}

func TestStructureAlerts(t *testing.T) {
	for smiles, want := range map[string][3]bool{ // pains, brenk, nih
		"CCc1ccccc1":              {},
		"O=C1CSC(=S)N1":           {true, true, false},
		"O=C1NC(=S)SC1=Cc1ccccc1": {true, true, true},
		"CC(=O)Cl":                {false, true, true},
	} {
		cells, _, err := Structure{Alerts: true}.Of(context.Background(), smiles)
		if err != nil {
			t.Fatal(err)
		}
		if got := [3]bool{cells[0] != "", cells[1] != "", cells[2] != ""}; got != want {
			t.Errorf("%s: alerts %q, want %v", smiles, cells, want)
		}
	}
}

func TestStructureFilters(t *testing.T) {
	molecules := []string{"CC(=O)N", "CC(=O)Nc1ccccc1", "c1ccccc1Cl", "CC(=O)Nc1ccccc1Cl"}
	for _, c := range []struct {
		s    Structure
		want []int
	}{
		{Structure{}, []int{0, 1, 2, 3}},
		{Structure{Match: []string{"C(=O)N"}}, []int{0, 1, 3}},
		{Structure{Match: []string{"C(=O)N", "c1ccccc1"}}, []int{1, 3}},
		{Structure{Exclude: []string{"[Cl]"}}, []int{0, 1}},
		{Structure{Match: []string{"c"}, Exclude: []string{"C(=O)N", "Br"}}, []int{2}},
	} {
		var got []int
		for i, smiles := range molecules {
			if _, unmet, err := c.s.Of(context.Background(), smiles); err != nil {
				t.Fatal(err)
			} else if len(unmet) == 0 {
				got = append(got, i)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%+v keeps %v, want %v", c.s, got, c.want)
		}
	}
}

// TestPatternsAsDrawn checks that a pattern finds what a molecule that was drawn so contains, in any of its drawings, and
// that a SMARTS with primitives finds what it states.
func TestPatternsAsDrawn(t *testing.T) {
	for _, c := range []struct{ pattern, also, finds, leaves string }{
		{"N(=O)=O", "[N+]([O-])=O", "C[N+](=O)[O-] c1ccccc1N(=O)=O", "CON=O CN CN=O"},
		{"[N+](=O)[O-]", "", "C[N+](=O)[O-] CN(=O)=O", "CON=O"},
		{"[CX4]N(=O)=O", "[CX4][N+]([O-])=O", "C[N+](=O)[O-]", "c1ccccc1[N+](=O)[O-]"},
		{"[#6]-[#7](=[#8])=[#8]", "[#6]-[N+]([O-])=[#8]", "c1ccccc1[N+](=O)[O-]", "CON=O"},
		{"C1=CC=CC=C1", "c1ccccc1", "Cc1ccccc1 C1=CC=CC=C1N", "c1ccncc1 C1=CCC=CC1"},
		{"[#6]-1=[#6]-[#6]=[#6]-[#6]=[#6]-1", "c1ccccc1", "Cc1ccccc1", "C1CCCCC1"},
		{"C1=CC=C2C(=C1)C=CN2", "c1ccc2c(c1)ccn2", "Cn1ccc2ccccc12", "c1ccccc1"},
		{"O=C1C=CC=CN1", "O=c1ccccn1", "O=c1cccc[nH]1 Cn1ccccc1=O", "Oc1ccccn1"},
		{"O=C1C=CC(=O)C=C1", "", "O=C1C=CC(=O)C=C1", "c1ccccc1"},
		{"S=O", "", "CS(=O)C C[S+]([O-])C CS(=O)(=O)C", "CSC C[S+](C)C"},
		{"[S+][O-]", "S=O", "CS(=O)C C[S+]([O-])C", "CSC C[S+](C)C"},
		{"P=O", "", "CP(=O)(C)C C[P+]([O-])(C)C", "CP(C)C"},
		{"[#16X3]=[OX1]", "", "CS(=O)C", "C[S+]([O-])C"},
		{"N=N#N", "N=[N+]=[N-]", "CN=[N+]=[N-] C[N-][N+]#N CN=N#N", "CN=NC"},
		{"[N-][N+]#N", "N=[N+]=[N-]", "CN=[N+]=[N-] C[N-][N+]#N CN=N#N", "CN=NC"},
		{"N=[N+]=[N-]", "", "CN=[N+]=[N-] C[N-][N+]#N", "CN=NC"},
		{"O=N1=CC=CC=C1", "[O-][n+]1ccccc1", "[O-][n+]1ccccc1 O=n1ccccc1", "c1ccncc1"},
		{"C(=O)[O-]", "C(=O)[OH1]", "CC(=O)O CC(=O)[O-]", "CC(=O)OC"},
		{"C[NH+](C)C", "C[N+0H0](C)C", "CN(C)C C[NH+](C)C", "CNC C[N+](C)(C)C"},
		{"[H]C(=O)C", "", "CC=O", "CC(=O)C"},
		{"CCl", "", "CCl", "Clc1ccccc1"},
	} {
		s := Structure{Match: []string{c.pattern}}
		if also, err := s.Readings(t.Context()); err != nil || !slices.Equal(also, []string{c.also}) {
			t.Errorf("%s is also read as %q (%v), want %q", c.pattern, also, err, c.also)
		}
		for _, smiles := range strings.Fields(c.finds + " " + c.leaves) {
			_, unmet, err := s.Of(t.Context(), smiles)
			if want := slices.Contains(strings.Fields(c.finds), smiles); err != nil || (len(unmet) == 0) != want {
				t.Errorf("%s finds %s: %t, want %t (%v)", c.pattern, smiles, !want, want, err)
			}
		}
	}
}

// TestUnmetPatterns checks that each pattern is answered by itself, also after one that is not fulfilled.
func TestUnmetPatterns(t *testing.T) {
	s := Structure{Match: []string{"c", "N"}, Exclude: []string{"O", "Cl"}}
	for smiles, want := range map[string][]int{"Nc1ccccc1": nil, "CO": {0, 1, 2}, "Oc1ccccc1Cl": {1, 2, 3}} {
		if _, unmet, err := s.Of(t.Context(), smiles); err != nil || !slices.Equal(unmet, want) {
			t.Errorf("%s does not fulfil %v, want %v (%v)", smiles, unmet, want, err)
		}
	}
}

func TestStructureRefuses(t *testing.T) {
	for _, smarts := range []string{"", "C(", "[", "C C", "C\nC", "−", strings.Repeat("C", maxSMARTS+1)} {
		for _, s := range []Structure{{Match: []string{smarts}}, {Exclude: []string{"N", smarts}}} {
			if err := s.Check(context.Background()); err == nil {
				t.Errorf("%.20q is accepted", smarts)
			}
		}
	}
	if err := (Structure{Match: []string{"[#6]=O", "[$(C=O)]"}}).Check(context.Background()); err != nil {
		t.Error(err)
	}
	if _, _, err := (Structure{}).Of(context.Background(), "C1CC"); err == nil {
		t.Error("a malformed SMILES is described")
	}
}
