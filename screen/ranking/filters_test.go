package ranking

import (
	"strings"
	"testing"

	"pacia/data/rdkit"
	"pacia/internal/each"
)

// filtersOf returns what the filters of a Wanted did with the rows of a file, as text.
func filtersOf(t *testing.T, w Wanted, text string) (string, error) {
	t.Helper()
	o := plain
	o.Ranked, o.Wanted = true, w
	table, err := New([]Source{{Name: "a.csv", Text: strings.NewReader(text)}}, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = table.Close() })
	var counts Unmet
	var cells Decimals
	err = Stream(t.Context(), table, 2, 2, lengths, func(c *Chunk[[]int]) error {
		counts.Join(c.Unmet)
		cells.Join(c.Decimals)
		return nil
	})
	if err != nil {
		return "", err
	}
	filters, err := table.Filters(t.Context(), counts, cells)
	return strings.Join(each.Of(filters, Filtered.String), "\n"), err
}

// TestFiltersCount: each filter counts what it leaves out, and one that leaves out nothing or everything says why.
func TestFiltersCount(t *testing.T) {
	const library = "smiles,vendor,price\nC[N+](=O)[O-],Enamine,$10\nc1ccccc1,ChemBridge,20 EUR\nc1ccccc1N(=O)=O,Enamine,30\n" +
		"nonsense,Enamine,1\n"
	for _, c := range []struct {
		w    Wanted
		want string
	}{
		{Wanted{Structure: rdkit.Structure{Match: []string{"c", "C1=CC=CC=C1"}, Exclude: []string{"N(=O)=O", "Br"}}},
			"1 by --match c\n1 by --match C1=CC=CC=C1, also read as c1ccccc1\n2 by --exclude N(=O)=O, also read as [N+]([O-])=O\n" +
				"none by --exclude Br: no molecule has it"},
		{Wanted{Structure: rdkit.Structure{Match: []string{"[#6]", "Br"}, Exclude: []string{"[#6]"}}},
			"none by --match [#6]: every molecule has it\n3 by --match Br: no molecule has it\n3 by --exclude [#6]: every molecule has it"},
		{Wanted{Where: []string{"vendor = enamine", "vendor = enamin", "vendor = Sigma", "vendor != Sigma"}},
			"1 by --where vendor = enamine\n4 by --where vendor = enamin: no row fulfils it; did you mean Enamine?\n" +
				"4 by --where vendor = Sigma: no row fulfils it; cells are Enamine, ChemBridge\nnone by --where vendor != Sigma: every row fulfils it"},
		{Wanted{Where: []string{"price <= 20", "price <= 20 EUR"}},
			"1 by --where price <= 20: cells have the units USD, EUR, none, and their numbers are compared\n3 by --where price <= 20 EUR"},
		{Wanted{Structure: rdkit.Structure{Exclude: []string{"N"}, Properties: true}, Where: []string{"rings >= 1", "price < 20"}},
			"2 by --exclude N\nnone by --where rings >= 1: every row fulfils it\n" +
				"2 by --where price < 20: cells have the units USD, EUR, none, and their numbers are compared"},
	} {
		if got, err := filtersOf(t, c.w, library); err != nil || got != c.want {
			t.Errorf("%+v: (%v)\n%s\nwant\n%s", c.w, err, got, c.want)
		}
	}
}

// TestPatternsFindDrawings: a pattern finds a molecule that is drawn as it is, and one that the model reads so.
func TestPatternsFindDrawings(t *testing.T) {
	const library = "smiles\nOc1ccccn1\nO=c1cccc[nH]1\nC1=CC(=O)NC=C1.Cl\n"
	for pattern, want := range map[string]string{"O=c1cccc[nH]1": "none", "O=C1C=CC=CN1": "none", "Oc1ccccn1": "2", "[OH]C1=NC=CC=C1": "2"} {
		got, err := filtersOf(t, Wanted{Structure: rdkit.Structure{Match: []string{pattern}, Properties: true}}, library)
		if err != nil || !strings.HasPrefix(got, want+" by ") {
			t.Errorf("%s: %s (%v), want %s", pattern, got, err, want)
		}
	}
	if got, err := filtersOf(t, Wanted{Structure: rdkit.Structure{Exclude: []string{"Oc1ccccn1", "O=c1cccc[nH]1"}}}, library); err != nil ||
		got != "1 by --exclude Oc1ccccn1\n3 by --exclude O=c1cccc[nH]1: every molecule has it" {
		t.Errorf("%s (%v)", got, err)
	}
}

// TestCellsOfDrawings: properties and alerts are those of the drawing in the file, and tautomers have one scaffold.
func TestCellsOfDrawings(t *testing.T) {
	o := plain
	o.Ranked, o.Wanted = true, Wanted{Structure: rdkit.Structure{Alerts: true, Scaffold: true}}
	const library = "smiles\nO=C(NO)c1cnc2nc[nH]c2c1\nON=C(O)c1cnc2[nH]cnc2c1\nC1CCS(=O)CC1\nC1CC[S+]([O-])CC1\n"
	table, err := New([]Source{{Name: "a.csv", Text: strings.NewReader(library)}}, o)
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	var brenk, scaffolds []string
	if err := Stream(t.Context(), table, 4, 1, lengths, func(c *Chunk[[]int]) error {
		for _, r := range c.Rows {
			brenk, scaffolds = append(brenk, r.Fields[2]), append(scaffolds, r.Fields[4])
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(brenk[0], "hydroxamic_acid") || !strings.Contains(brenk[1], "oxime_1") || brenk[2] != "" {
		t.Errorf("alerts %q", brenk)
	}
	if scaffolds[0] != scaffolds[1] || scaffolds[2] != "O=S1CCCCC1" || scaffolds[3] != scaffolds[2] {
		t.Errorf("scaffolds %q", scaffolds)
	}
}

// TestConditionsRefuseMixedUnits: numbers in mg and in g are not compared with one that has no unit.
func TestConditionsRefuseMixedUnits(t *testing.T) {
	const library = "smiles,stock\nCCO,5 mg\nCCN,2 g\nCCC,\n"
	_, err := filtersOf(t, Wanted{Where: []string{"stock >= 5"}}, library)
	if err == nil || !strings.Contains(err.Error(), `has cells in mg and in g; write the unit of the number, such as "stock >= 5 mg"`) {
		t.Errorf("cells in mg and g: %v", err)
	}
	if got, err := filtersOf(t, Wanted{Where: []string{"stock >= 5 mg"}}, library); err != nil || got != "1 by --where stock >= 5 mg" {
		t.Errorf("a condition in mg: %s (%v)", got, err)
	}
}
