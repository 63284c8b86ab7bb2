package chem

import (
	"math"
	"testing"
)

// The values are RDKit's documented ones for aspirin: Crippen's logP 1.3101
// and Ertl's TPSA 63.60.
func TestDescribeAspirin(t *testing.T) {
	acid, err := Compile("[CX3](=O)[OX2H1]")
	if err != nil {
		t.Fatal(err)
	}
	aromatic, err := Compile("c")
	if err != nil {
		t.Fatal(err)
	}
	m, err := Describe("OC(=O)c1ccccc1OC(C)=O", []Pattern{acid, aromatic})
	if err != nil {
		t.Fatal(err)
	}
	if want := "CC(=O)Oc1ccccc1C(=O)O"; m.SMILES != want {
		t.Errorf("canonical SMILES %q, want %q", m.SMILES, want)
	}
	if m.Matches[0] != 1 || m.Matches[1] != 6 {
		t.Errorf("matches of acid and aromatic carbon %v, want [1 6]", m.Matches)
	}
	for d, want := range map[Descriptor]float64{
		HeavyAtoms: 13, LogP: 1.3101, TPSA: 63.60, Donors: 1, Acceptors: 3,
		Rings: 1, AromaticRings: 1, FractionCSP3: 1.0 / 9,
	} {
		if got := m.Values[d]; math.Abs(got-want) > 1e-6 {
			t.Errorf("%v %v, want %v", d, got, want)
		}
	}
}

func TestDescribeDropsFalseStereo(t *testing.T) {
	m, err := Describe("C[C@H](C)O", nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := "CC(C)O"; m.SMILES != want {
		t.Errorf("SMILES %q, want %q: the tagged atom is not a stereocentre", m.SMILES, want)
	}
}

func TestBadInput(t *testing.T) {
	for _, s := range []string{"c1ccc", "C(C)(C)(C)(C)C", "xyz"} {
		if _, err := Describe(s, nil); err == nil {
			t.Errorf("Describe(%q) accepted what RDKit cannot read", s)
		}
	}
	if _, err := Compile("[#6"); err == nil {
		t.Error("Compile accepted a broken pattern")
	}
}
