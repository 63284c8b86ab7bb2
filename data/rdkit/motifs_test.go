package rdkit

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// motifsOf also returns the motifs as text: each as name:atoms, then the edges as pairs of motifs.
func motifsOf(t *testing.T, smiles string) (Motifs, string) {
	t.Helper()
	var m Motifs
	AllMotifs(t.Context(), []string{smiles}, func(_ int, got Motifs, err error) {
		if m = got; err != nil {
			t.Fatalf("%s: %v", smiles, err)
		}
	})
	var text []string
	for i, atoms := range m.Atoms {
		text = append(text, m.Names[i]+":"+strings.ReplaceAll(strings.Trim(fmt.Sprint(atoms), "[]"), " ", ","))
	}
	for _, e := range m.Edges {
		text = append(text, fmt.Sprintf("%d-%d", e[0], e[1]))
	}
	return m, strings.Join(text, " ")
}

// TestMotifs compares with molecules that were divided by hand. In aspirin, BRICS cuts the bonds 1-3, 3-4
// and 9-10. The two carboxyl carbons have three neighbours, so that all of their bonds are cut. BRICS
// does not cut off a methyl group.
func TestMotifs(t *testing.T) {
	for _, tt := range []struct{ what, smiles, want string }{
		{"aspirin", "CC(=O)Oc1ccccc1C(=O)O", "C:0 C:1 O:2 O:3 c1ccccc1:4,5,6,7,8,9 C:10 O:11 O:12 0-1 1-2 1-3 3-4 4-5 5-6 5-7"},
		{"two ethers between chains", "CCCOCCOCCC", "CCC:0,1,2 O:3 CC:4,5 O:6 CCC:7,8,9 0-1 1-2 2-3 3-4"},
		{"charges stay, hydrogens fill the valence", "O=[N+]([O-])c1ccccc1CNC(C)=O", "O:0 [NH4+]:1 [OH-]:2 c1ccccc1:3,4,5,6,7,8 C:9 N:10 C:11 C:12 O:13 0-1 1-2 1-3 3-4 4-5 5-6 6-7 6-8"},
		{"biphenyl with a chain: rings are cut from each other", "CCOc1ccc(cc1)-c1ccccc1", "CC:0,1 O:2 c1ccccc1:3,4,5,6,7,8 c1ccccc1:9,10,11,12,13,14 0-1 1-2 2-3"},
		{"rings that share a bond stay together", "CCOc1ccc2ccccc2c1COC", "CC:0,1 O:2 c1ccc2ccccc2c1:3,4,5,6,7,8,9,10,11,12 C:13 CO:14,15 0-1 1-2 2-3 3-4"},

		{"one BRICS bond is not enough: the junction tree", "CCOC", "CC:0,1 CO:1,2 CO:2,3 0-1 1-2"},
		{"ethanol", "CCO", "CC:0,1 CO:1,2 0-1"},
		{"methane", "C", "C:0"},
		{"benzene", "c1ccccc1", "c1ccccc1:0,1,2,3,4,5"},
		{"three bonds meet in an atom of its own", "CC(C)C", "CC:0,1 CC:1,2 CC:1,3 C:1 0-3 1-3 2-3"},
		{"a ring and a bond share an atom", "CC1CC1", "CC:0,1 C1CC1:1,2,3 0-1"},
		{"spiro rings share an atom", "C1CC12CC2", "C1CC1:0,1,2 C1CC1:2,3,4 0-1"},
		{"rings of a decalin share two atoms", "C1CCC2CCCCC2C1", "C1CCCCC1:0,1,2,3,8,9 C1CCCCC1:3,4,5,6,7,8 0-1"},
		{"bridged rings, with more than two atoms in common, are one", "C1CC2CCC1C2", "C1CC2CCC1C2:0,1,2,3,4,5,6 "},
		{"a salt is two trees", "[Na+].CC(=O)[O-]", "CC:1,2 C=O:2,3 C[O-]:2,4 [Na+]:0 C:2 0-4 1-4 2-4"},
	} {
		m, got := motifsOf(t, tt.smiles)
		if got != strings.TrimSpace(tt.want) {
			t.Errorf("%s: %s is\n%s, want\n%s", tt.what, tt.smiles, got, tt.want)
		}
		if mol, err := Parse(tt.smiles); err != nil || len(mol.Atoms) != 2*m.A {
			t.Errorf("%s has %d atoms, want %d (%v)", tt.smiles, m.A, len(mol.Atoms)/2, err)
		}
	}
}

// TestMotifsAreTrees: every atom is in a motif, and the edges form one tree in each connected part of the
// molecule.
func TestMotifsAreTrees(t *testing.T) {
	for _, smiles := range []string{
		"CN1C=NC2=C1C(=O)N(C)C(=O)N2C", "CC(C)Cc1ccc(cc1)[C@@H](C)C(=O)O", "OCC1OC(OC2C(O)C(O)C(CO)OC2O)C(O)C(O)C1O", "Cl.CN(C)S(=O)(=O)c1ccc(O)cc1",
		"C1CC2CCC1C2CCN", "C12C3C4C1C5C2C3C45", "N[Pt@SP1](N)(Cl)Cl", "*C", strings.Repeat("C(=O)NCc1ccccc1", 20),
	} {
		m, _ := motifsOf(t, smiles)
		seen := make([]int, m.A)
		for i, atoms := range m.Atoms {
			if !slices.IsSorted(atoms) || len(atoms) == 0 {
				t.Errorf("%s: motif %d has the atoms %v", smiles, i, atoms)
			}
			for _, a := range atoms {
				seen[a]++
			}
		}
		if slices.Contains(seen, 0) {
			t.Errorf("%s: numbers of motifs of the atoms: %v", smiles, seen)
		}
		parts := 1 + strings.Count(smiles, ".")
		of := make([]int, len(m.Names))
		for i := range of {
			of[i] = i
		}
		for _, e := range m.Edges {
			a, b := of[e[0]], of[e[1]]
			if a == b {
				t.Errorf("%s: the edge %v closes a ring", smiles, e)
			}
			for i := range of {
				if of[i] == b {
					of[i] = a
				}
			}
		}
		slices.Sort(of)
		if n := len(slices.Compact(of)); n != parts {
			t.Errorf("%s: %d trees, want %d", smiles, n, parts)
		}
	}
}

// TestMotifNamesAreCanonical: the name of a motif does not depend on how the SMILES is written.
func TestMotifNamesAreCanonical(t *testing.T) {
	names := func(smiles string) []string {
		m, _ := motifsOf(t, smiles)
		slices.Sort(m.Names)
		return m.Names
	}
	want := names("CCOc1ccc2ccccc2c1COC")
	for _, other := range []string{"COCc1c(OCC)ccc2ccccc12", "C1=CC=CC2=C1C(COC)=C(OCC)C=C2"} {
		if got := names(other); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", other, got, want)
		}
	}
}

func TestMotifsRefuse(t *testing.T) {
	smiles := []string{"CCO", "C(C", "", "CC(C)(C)(C)C"}
	reasons := make([]string, len(smiles))
	AllMotifs(t.Context(), smiles, func(i int, _ Motifs, err error) { reasons[i] = fmt.Sprint(err) })
	for i, s := range smiles {
		_, err := Parse(s)
		if want := fmt.Sprint(err); reasons[i] != want {
			t.Errorf("%q: %s, want %s", s, reasons[i], want)
		}
	}
	done, stop := context.WithCancel(t.Context())
	stop()
	AllMotifs(done, []string{"CCO"}, func(_ int, _ Motifs, err error) {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("after the end: %v", err)
		}
	})
	for _, broken := range [][]byte{nil, make([]byte, 11), {1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0}, {1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 'C'}} {
		if m, err := takeMotifs(broken); err == nil && len(m.Names) != 1 {
			t.Errorf("%v is read as %v", broken, m)
		}
	}
}
