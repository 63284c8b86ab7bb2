package rdkit

import (
	"slices"
	"testing"
)

// TestMiniMol compares molecules with numbers that were determined by hand.
// Package minimol compares more molecules with MiniMol's own code.
func TestMiniMol(t *testing.T) {
	cases := []struct {
		smiles string
		want   MiniMol
	}{
		{"C#N", MiniMol{
			Atoms: []uint8{2, 128, 0, 0, 0, 0, 13, 1, 4, 1, 128, 0, 0, 0, 1, 14, 1, 3},
			Ends:  []int32{0, 1}, Codes: []uint8{2 * 14},
		}},
		{"[CH2-]/C=C/[Na]", MiniMol{
			Atoms: []uint8{
				3, 127, 0, 0, 0, 0, 13, 1, 3, 1, 128, 0, 0, 0, 10, 0, 2, 1,
				3, 128, 0, 0, 0, 0, 13, 1, 4, 3, 128, 0, 0, 0, 0, 13, 1, 4,
			},
			Ends: []int32{0, 2, 1, 3, 2, 3}, Codes: []uint8{0, 0, 14 + 2*3},
		}},
		{"[CH2]C1CC1", MiniMol{
			Atoms: []uint8{
				3, 128, 1, 0, 0, 0, 13, 1, 3, 4, 128, 0, 0, 1, 0, 13, 1, 4,
				4, 128, 0, 0, 1, 0, 13, 1, 4, 4, 128, 0, 0, 1, 0, 13, 1, 4,
			},
			Ends: []int32{0, 3, 1, 2, 1, 3, 2, 3}, Codes: []uint8{0, 1, 1, 1},
		}},
		{"[Na]/C=C/[CH2-]", MiniMol{ // another spelling
			Atoms: []uint8{
				3, 127, 0, 0, 0, 0, 13, 1, 3, 1, 128, 0, 0, 0, 10, 0, 2, 1,
				3, 128, 0, 0, 0, 0, 13, 1, 4, 3, 128, 0, 0, 0, 0, 13, 1, 4,
			},
			Ends: []int32{0, 2, 1, 3, 2, 3}, Codes: []uint8{0, 0, 14 + 2*3},
		}},
		{"c1cc1", MiniMol{}},
		{"", MiniMol{}},
	}
	for _, tt := range cases {
		AllMiniMol([]string{"C", tt.smiles}, func(i int, m MiniMol, err error) {
			if i == 0 {
				return
			}
			if (err != nil) != (tt.want.Atoms == nil) {
				t.Errorf("%s: %v", tt.smiles, err)
			}
			if !slices.Equal(m.Atoms, tt.want.Atoms) || !slices.Equal(m.Ends, tt.want.Ends) || !slices.Equal(m.Codes, tt.want.Codes) {
				t.Errorf("%s: %v, want %v", tt.smiles, m, tt.want)
			}
		})
	}
}
