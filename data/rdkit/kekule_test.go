package rdkit

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestParseKekule(t *testing.T) {
	for _, tt := range []struct {
		smiles, atoms string
		ends          []int32
		types         []uint8
	}{
		{"C#N", "C:6,0,1,0,false N:7,0,1,0,false", []int32{0, 1}, []uint8{2}},
		{"[Na+].[O-]C=C", "Na:11,1,0,0,false O:8,-1,1,0,false C:6,0,2,0,false C:6,0,1,0,false", []int32{1, 2, 2, 3}, []uint8{0, 1}},
		{"[CH2]C", "C:6,0,1,1,false C:6,0,1,0,false", []int32{0, 1}, []uint8{0}}, // a radical
		{"c1cc1", "", nil, nil},
		{"*1CN1", "*:0,0,2,0,true C:6,0,2,0,true N:7,0,2,0,true", []int32{0, 1, 1, 2, 2, 0}, []uint8{0, 0, 0}},
	} {
		m, err := ParseKekule(t.Context(), tt.smiles, true)
		if tt.ends == nil {
			if err == nil {
				t.Errorf("%s is read", tt.smiles)
			}
			continue
		}
		var atoms []string
		for _, a := range m.Atoms {
			atoms = append(atoms, fmt.Sprintf("%s:%d,%d,%d,%d,%t", a.Symbol, a.Number, a.Charge, a.Degree, a.Radicals, a.InRing))
		}
		if err != nil || strings.Join(atoms, " ") != tt.atoms || !slices.Equal(m.Ends, tt.ends) || !slices.Equal(m.Types, tt.types) {
			t.Errorf("%s: %v %v %v (%v)\nwant %s %v %v", tt.smiles, atoms, m.Ends, m.Types, err, tt.atoms, tt.ends, tt.types)
		}
	}
}

// TestKekuleBonds: in these molecules, each atom other than nitrogen has exactly one double
// bond.
func TestKekuleBonds(t *testing.T) {
	for _, smiles := range []string{"c1ccccc1", "c1ccc2ccccc2c1", "c1ccc2[nH]ccc2c1", "O=c1cc[nH]cc1"} {
		m, err := ParseKekule(t.Context(), smiles, true)
		if err != nil {
			t.Fatal(err)
		}
		double := make([]int, len(m.Atoms))
		for i, bond := range m.Types {
			if bond == 1 {
				double[m.Ends[2*i]]++
				double[m.Ends[2*i+1]]++
			}
		}
		for i, n := range double {
			if aromaticN := m.Atoms[i].Symbol == "N"; n != 1 && !aromaticN {
				t.Errorf("%s: atom %d (%s) has %d double bonds, want 1", smiles, i, m.Atoms[i].Symbol, n)
			}
		}
	}
}

// TestKekuleCounts counts the environments of methane, ethane and propane: the carbons,
// and those of larger radius.
func TestKekuleCounts(t *testing.T) {
	for smiles, want := range map[string]int{"C": 1, "CC": 2 + 1, "CCC": 3 + 2 + 1} {
		m, err := ParseKekule(t.Context(), smiles, true)
		if err != nil {
			t.Fatal(err)
		}
		sum := 0
		for _, n := range m.Counts.Count {
			sum += int(n)
		}
		if !slices.IsSorted(m.Counts.Bit) || sum != want {
			t.Errorf("%s: %d environments, want %d, at %v", smiles, sum, want, m.Counts.Bit)
		}
	}
}

func TestParseKekuleRefuses(t *testing.T) {
	for _, bad := range refused {
		reason := strings.Replace(bad.reason, "not single, double, triple or aromatic", "not single, double or triple", 1)
		if _, err := ParseKekule(t.Context(), bad.smiles, false); err == nil || err.Error() != reason {
			t.Errorf("%q: %v, want %s", bad.smiles, err, reason)
		}
	}
	if _, err := ParseKekule(t.Context(), "C->[Cu]", false); err == nil || !strings.Contains(err.Error(), "not single, double") {
		t.Errorf("a dative bond: %v", err)
	}
}
