package fsmol

import (
	"slices"
	"strings"
	"testing"

	"pacia/data/rdkit"
)

// published is the molecule in the benchmark's notebook: for each atom its element, its
// degree and "r" if it is in a ring.
const (
	publishedSMILES = "Cc1ccc(Cn2c(CCNC(=O)c3cccc(C)c3)nc3ccccc32)cc1"
	publishedAtoms  = "C1,C3r,C2r,C2r,C3r,C2,N3r,C3r,C2,C2,N2,C3,O1,C3r,C2r,C2r,C2r,C3r,C1,C2r,N2r,C3r,C2r,C2r,C2r,C2r,C3r,C2r,C2r"
)

var publishedBonds = [BondTypes][]uint16{
	{0, 1, 2, 3, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 13, 14, 15, 16, 17, 17, 18, 20, 21, 22, 23, 24, 25, 4, 27, 28, 1, 26, 6, 19, 13, 26, 21},
	{1, 2, 3, 4, 11, 12, 13, 14, 15, 16, 17, 19, 7, 20, 21, 22, 23, 24, 25, 26, 27, 28},
	nil,
}

func TestPublishedMolecule(t *testing.T) {
	m, err := FromSMILES(publishedSMILES)
	if err != nil {
		t.Fatal(err)
	}
	var want []uint32
	for _, atom := range strings.Split(publishedAtoms, ",") {
		bits := uint32(1)<<(15+atom[1]-'0') | 1<<24 | 1<<29 | 1<<strings.IndexByte("?CNO", atom[0])
		if len(atom) == 3 {
			bits |= 1 << 31
		}
		want = append(want, bits)
	}
	if !slices.Equal(m.Graph.Atoms, want) {
		t.Errorf("atoms\n got %x\nwant %x", m.Graph.Atoms, want)
	}
	for i := range publishedBonds {
		if !slices.Equal(m.Graph.Bonds[i], publishedBonds[i]) {
			t.Errorf("bonds of type %d\n got %v\nwant %v", i, m.Graph.Bonds[i], publishedBonds[i])
		}
	}
}

func TestAtomFeatures(t *testing.T) {
	for _, tt := range []struct {
		atom rdkit.KekuleAtom
		want []int // features that are 1
	}{
		{rdkit.KekuleAtom{Number: 6, Degree: 4, InRing: true}, []int{1, 19, 24, 29, 31}},
		{rdkit.KekuleAtom{Number: 19}, []int{14, 15, 24, 29}},
		{rdkit.KekuleAtom{Number: 19, Charge: 1}, []int{0, 15, 25, 29}},
		{rdkit.KekuleAtom{Number: 8, Degree: 1, Charge: -1}, []int{0, 16, 23, 29}},
		{rdkit.KekuleAtom{Number: 34, Degree: 6, Charge: 3, Radicals: 1}, []int{0, 21, 27, 30}},
		{rdkit.KekuleAtom{Number: 0, Degree: 7, Charge: -2, Radicals: 2}, []int{0, 15, 22, 28}},
		{rdkit.KekuleAtom{Number: 92, Charge: 4}, []int{0, 15, 22, 29}},
	} {
		row := appendFeatures(nil, atomFeatures(tt.atom))
		var got []int
		for i, v := range row {
			if v != 0 {
				got = append(got, i)
			}
		}
		if len(row) != Features || !slices.Equal(got, tt.want) {
			t.Errorf("%+v: features %v of %d, want %v", tt.atom, got, len(row), tt.want)
		}
	}
}

// TestElements: the list of the format, in its order.
func TestElements(t *testing.T) {
	for i, symbol := range strings.Fields("C N O S Cl Br F P I Na Si B Se K") {
		m, err := FromSMILES("[" + symbol + "]")
		if err != nil || m.Graph.Atoms[0]&(1<<15-1) != 1<<(i+1) || m.Graph.Types[0] != symbol {
			t.Errorf("%s: features %b, type %v (%v); want feature %d", symbol, m.Graph.Atoms[0], m.Graph.Types, err, i+1)
		}
	}
	if _, err := FromSMILES(strings.Repeat(".C", MaxAtoms+1)[1:]); err == nil || err.Error() != "1001 atoms, more than 1000" {
		t.Errorf("1,001 methanes: %v", err)
	}
}
