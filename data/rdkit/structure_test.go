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
		cells, wanted, err := all.Of(context.Background(), c.smiles)
		if err != nil || !wanted || len(cells) != len(all.Columns()) {
			t.Fatalf("%s: %q, %t, %v", c.smiles, cells, wanted, err)
		}
		if got := strings.Join(cells[:7], " "); got != c.properties {
			t.Errorf("%s: %s, want %s", c.smiles, got, c.properties)
		}
		if cells[10] != c.scaffold {
			t.Errorf("%s: scaffold %q, want %q", c.smiles, cells[10], c.scaffold)
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
			if _, wanted, err := c.s.Of(context.Background(), smiles); err != nil {
				t.Fatal(err)
			} else if wanted {
				got = append(got, i)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%+v keeps %v, want %v", c.s, got, c.want)
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
