package rdkit

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
)

func conform(t *testing.T, smiles string) Conformer {
	t.Helper()
	c, err := Conform(t.Context(), smiles)
	if err != nil {
		t.Fatalf("%s: %v", smiles, err)
	}
	return c
}

// from returns the distance of an atom from the first one in Å.
func (c *Conformer) from(i int) float64 {
	square := 0.0
	for k := range 3 {
		apart := float64(c.Places[3*i+k] - c.Places[k])
		square += apart * apart
	}
	return math.Sqrt(square)
}

// TestConformer checks known distances in ethane, cis- and trans-butene, and benzene. UFF's
// bond lengths are within 0.05 Å of measured ones.
func TestConformer(t *testing.T) {
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 0.05 {
			t.Errorf("%s: %.3f Å, want %.2f", what, got, want)
		}
	}
	ethane := conform(t, "CC")
	near("C–C", ethane.from(1), 1.53)
	cis, trans := conform(t, "C/C=C\\C"), conform(t, "C/C=C/C")
	if a, b := cis.from(3), trans.from(3); !(a < 3.3 && b > 3.7) {
		t.Errorf("the ends of cis-butene are %.2f Å apart, of trans-butene %.2f", a, b)
	}
	benzene := conform(t, "c1ccccc1")
	near("an edge of benzene", benzene.from(1), 1.40)
	near("a diagonal of benzene", benzene.from(3), 2.79)
	for _, c := range []Conformer{ethane, cis, trans, benzene} {
		if c.Flat {
			t.Error("a small molecule has the places of a drawing")
		}
	}
	if c := conform(t, "C"); len(c.Atoms) != 1 || len(c.Places) != 3 || c.Flat {
		t.Errorf("methane: %+v", c)
	}
}

// TestConformerFeatures writes the features of atoms by their names.
func TestConformerFeatures(t *testing.T) {
	var names []string
	for _, group := range []string{"B C N O F P S Cl Br I other", "0n 1n 2n 3n 4n 5n", "0H 1H 2H 3H 4H", "- 0 +", "ring aromatic"} {
		names = append(names, strings.Fields(group)...)
	}
	if len(names) != ConformerFeatures {
		t.Fatalf("%d names of %d features", len(names), ConformerFeatures)
	}
	for smiles, want := range map[string][]string{
		"CO":              {"C 1n 3H 0", "O 1n 1H 0"},
		"C":               {"C 0n 4H 0"},
		"c1cc[nH]c1":      {"C 2n 1H 0 ring aromatic", "C 2n 1H 0 ring aromatic", "C 2n 1H 0 ring aromatic", "N 2n 1H 0 ring aromatic", "C 2n 1H 0 ring aromatic"},
		"C1CC1":           {"C 2n 2H 0 ring", "C 2n 2H 0 ring", "C 2n 2H 0 ring"},
		"[Na+].[Cl-]":     {"other 0n 0H +", "Cl 0n 0H -"},
		"FS(F)(F)(F)(F)F": {"F 1n 0H 0", "S 5n 0H 0", "F 1n 0H 0", "F 1n 0H 0", "F 1n 0H 0", "F 1n 0H 0", "F 1n 0H 0"},
		"BrB(I)P":         {"Br 1n 0H 0", "B 3n 0H 0", "I 1n 0H 0", "P 1n 2H 0"},
		"[Mg+2]":          {"other 0n 0H +"},
	} {
		var got []string
		for _, bits := range conform(t, smiles).Atoms {
			var of []string
			for i, name := range names {
				if bits>>i&1 == 1 {
					of = append(of, name)
				}
			}
			got = append(got, strings.Join(of, " "))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", smiles, got, want)
		}
	}
}

// TestConformersRepeat: coordinates are the same in each call, in one process and in another.
func TestConformersRepeat(t *testing.T) {
	smiles := []string{"CC(=O)Oc1ccccc1C(=O)O", "CCCCCCCCN", "[Na+].CC([O-])=O", "O=C1CCCN1", strings.Repeat("C", 300)}
	all := func() (all []string) {
		for _, s := range smiles {
			all = append(all, fmt.Sprint(conform(t, s)))
		}
		return all
	}
	want := all()
	if got := all(); !slices.Equal(got, want) {
		t.Error("coordinates differ between two calls")
	}
	begun(t, time.Minute, Program())
	if got := all(); !slices.Equal(got, want) {
		t.Error("another process gives other coordinates")
	}
}

// TestConformerFails: a molecule that is too large gets the coordinates of a drawing. One that cannot be read is refused.
func TestConformerFails(t *testing.T) {
	c := conform(t, strings.Repeat("C", 300))
	if !c.Flat || c.Places[2] != 0 || c.from(1) < 1 {
		t.Errorf("902 atoms: drawn is %v, the first bond %.2f Å, the first height %v", c.Flat, c.from(1), c.Places[2])
	}
	for _, smiles := range []string{"", "C(C", "cc", "C\x01"} {
		if _, err := Conform(t.Context(), smiles); err == nil {
			t.Errorf("%q has a conformer", smiles)
		}
	}
	if _, err := takeConformer([]byte{2, 0, 0, 0, 0, 0, 0, 0, 1}); err == nil {
		t.Error("an answer that is too short is accepted")
	}
}

// TestConformerBreaksDown: if embedding crashes RDKit, the coordinates are those of a drawing.
func TestConformerBreaksDown(t *testing.T) {
	served(t, "embedding badly", 5*time.Second)
	for _, smiles := range []string{"CC[U]", "CCO"} {
		if c := conform(t, smiles); c.Flat != (smiles == "CC[U]") {
			t.Errorf("%s: flat is %v", smiles, c.Flat)
		}
	}
}
