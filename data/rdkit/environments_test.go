package rdkit

import (
	"slices"
	"testing"
)

// TestEnvironments: the environments of a molecule add up to its counts, and cover all of its atoms.
func TestEnvironments(t *testing.T) {
	for _, smiles := range []string{
		"C", "CC", "[Na+].[Cl-]", "CC(=O)Oc1ccccc1C(=O)O", "Cn1cnc2c1c(=O)n(C)c(=O)n2C",
		"C[C@H](N)C(=O)O", "[2H]OC1CC1", "O=[N+]([O-])c1ccccc1", "C1CC2CCC1CC2",
	} {
		want, err := countsOf(smiles, 1)
		if err != nil {
			t.Fatal(err)
		}
		atoms, all, err := Environments(t.Context(), smiles)
		if err != nil {
			t.Fatal(err)
		}
		counts := map[uint16]uint16{}
		touched := map[int32]bool{}
		for _, s := range all {
			counts[s.Bit()]++
			for _, a := range s.Atoms {
				touched[a] = true
			}
			if sorted := slices.Sorted(slices.Values(s.Atoms)); len(slices.Compact(sorted)) != len(s.Atoms) {
				t.Errorf("%s: the environment %v has an atom twice", smiles, s)
			}
		}
		if len(counts) != len(want.Bit) || len(touched) != atoms {
			t.Errorf("%s: %d bits on %d atoms, want %d on %d", smiles, len(counts), len(touched), len(want.Bit), atoms)
		}
		for i, bit := range want.Bit {
			if counts[bit] != want.Count[i] {
				t.Errorf("%s: bit %d is counted %d times, want %d", smiles, bit, counts[bit], want.Count[i])
			}
		}
	}
}

// TestEnvironmentsOrder: the atoms of propanol's larger environments are numbered in the order of the SMILES.
func TestEnvironmentsOrder(t *testing.T) {
	_, all, err := Environments(t.Context(), "CCCO")
	if err != nil {
		t.Fatal(err)
	}
	var got [][]int32
	for _, s := range all {
		if len(s.Atoms) > 2 {
			got = append(got, slices.Sorted(slices.Values(s.Atoms)))
		}
	}
	slices.SortFunc(got, slices.Compare)
	want := [][]int32{{0, 1, 2}, {0, 1, 2, 3}, {1, 2, 3}}
	if !slices.EqualFunc(slices.CompactFunc(got, slices.Equal), want, slices.Equal) {
		t.Errorf("environments of three atoms or more have the atoms %v, want %v", got, want)
	}
}

// TestDrawColours: colours are drawn with their opacity. There must be one for each atom, or none.
func TestDrawColours(t *testing.T) {
	plain, err := Draw(t.Context(), "CCO", 200, 150)
	if err != nil {
		t.Fatal(err)
	}
	svg, err := DrawLook(t.Context(), "CCO", Look{Colours: []uint32{0xc4530aff, 0, 0x0a6aa680}}, 200, 150)
	if err != nil {
		t.Fatal(err)
	}
	before, err := ReadDrawing(plain)
	if err != nil {
		t.Fatal(err)
	}
	d, err := ReadDrawing(svg)
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Paths) != len(before.Paths)+2 {
		t.Fatalf("%d paths, want two more than %d", len(d.Paths), len(before.Paths))
	}
	for i, want := range []string{"#C4530A", "#0A6AA680"} {
		if got := d.Paths[i].Look["fill"]; got != want {
			t.Errorf("colour %d is %q, want %q", i, got, want)
		}
	}
	if _, err := DrawLook(t.Context(), "CCO", Look{Colours: []uint32{1, 2}}, 200, 150); err == nil {
		t.Error("two colours for three atoms are accepted")
	}
}
