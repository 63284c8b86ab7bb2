package rdkit

import (
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
)

func TestParseCategories(t *testing.T) {
	tests := []struct {
		smiles string
		want   Mol
	}{
		{"CCO", Mol{
			Atoms: []uint8{5, 0, 5, 0, 7, 0}, Ends: []int32{0, 1, 1, 2}, Bonds: []uint8{0, 0, 0, 0},
		}},
		{"*C#N", Mol{ // the dummy atom is the unknown element
			Atoms: []uint8{118, 0, 5, 0, 6, 0}, Ends: []int32{0, 1, 1, 2}, Bonds: []uint8{0, 0, 2, 0},
		}},
		{"F/C=C/F", Mol{ // both slashes point up and to the right
			Atoms: []uint8{8, 0, 5, 0, 5, 0, 8, 0}, Ends: []int32{0, 1, 1, 2, 2, 3}, Bonds: []uint8{0, 1, 1, 0, 0, 1},
		}},
		{"F/C=C\\F", Mol{
			Atoms: []uint8{8, 0, 5, 0, 5, 0, 8, 0}, Ends: []int32{0, 1, 1, 2, 2, 3}, Bonds: []uint8{0, 1, 1, 0, 0, 2},
		}},
		{"[C@](F)(Cl)(Br)I", Mol{
			Atoms: []uint8{5, 2, 8, 0, 16, 0, 34, 0, 52, 0}, Ends: []int32{0, 1, 0, 2, 0, 3, 0, 4},
			Bonds: make([]uint8, 8),
		}},
		{"[C@@](F)(Cl)(Br)I", Mol{
			Atoms: []uint8{5, 1, 8, 0, 16, 0, 34, 0, 52, 0}, Ends: []int32{0, 1, 0, 2, 0, 3, 0, 4},
			Bonds: make([]uint8, 8),
		}},
		{"C[Pt@SP1](F)(Cl)Br", Mol{ // square planar is neither of the two
			Atoms: []uint8{5, 0, 77, 3, 8, 0, 16, 0, 34, 0}, Ends: []int32{0, 1, 1, 2, 1, 3, 1, 4},
			Bonds: make([]uint8, 8),
		}},
		{"[He]", Mol{Atoms: []uint8{1, 0}, Ends: []int32{}, Bonds: []uint8{}}},
	}
	for _, tt := range tests {
		got, err := Parse(tt.smiles)
		if err != nil {
			t.Errorf("Parse(%q): %v", tt.smiles, err)
			continue
		}
		if !slices.Equal(got.Atoms, tt.want.Atoms) || !slices.Equal(got.Ends, tt.want.Ends) || !slices.Equal(got.Bonds, tt.want.Bonds) {
			t.Errorf("Parse(%q)\n got %v\nwant %v", tt.smiles, got, tt.want)
		}
	}
}

// refused are molecules that must not pass, each with its whole reason.
var refused = []struct{ smiles, reason string }{
	{"", "empty SMILES"},
	{"  ", "empty SMILES"},
	{"CC(", "SMILES Parse Error: syntax error while parsing: CC("},
	{"c1ccccc", "SMILES Parse Error: unclosed ring for input: 'c1ccccc'"},
	{"C(C)(C)(C)(C)C", "Explicit valence for atom # 0 C, 5, is greater than permitted"},
	{"c1cccc1", "Can't kekulize mol.  Unkekulized atoms: 0 1 2 3 4"},
	{"N->[Fe]", "bond between atoms 0 and 1 is not single, double, triple or aromatic"},
	{"C\x00C", "control character 0x00 at position 2"},
	{strings.Repeat(".C", MaxAtoms+1)[1:], "1001 atoms, more than 1000"},
	{strings.Repeat("C", MaxSMILES+1), "SMILES of 3001 characters, more than 3000"},
}

func TestParseGivesTheReason(t *testing.T) {
	for _, tt := range refused {
		if _, err := Parse(tt.smiles); err == nil || err.Error() != tt.reason {
			t.Errorf("Parse(%.20q) = %v, want %q", tt.smiles, err, tt.reason)
		}
	}
}

// TestParseTogether mixes good and malformed SMILES over goroutines: reasons
// pass through RDKit's global log and must not change hands.
func TestParseTogether(t *testing.T) {
	var wg sync.WaitGroup
	for worker := range 8 {
		wg.Go(func() {
			var p Parser
			for i := range 200 {
				bad := refused[(worker+i)%len(refused)]
				if _, err := p.Parse(bad.smiles); err == nil || err.Error() != bad.reason {
					t.Errorf("Parse(%.20q) = %v, want %q", bad.smiles, err, bad.reason)
					return
				}
				if m, err := p.Parse("c1ccccc1N"); err != nil || len(m.Atoms) != 14 || len(m.Ends) != 14 {
					t.Errorf("aniline: %v, %v, want 7 atoms and 7 bonds", m, err)
					return
				}
			}
		})
	}
	wg.Wait()
}

func TestParseIsSilent(t *testing.T) {
	log, err := os.CreateTemp(t.TempDir(), "stderr")
	if err != nil {
		t.Fatal(err)
	}
	saved, err := syscall.Dup(2)
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Dup3(int(log.Fd()), 2, 0); err != nil {
		t.Fatal(err)
	}
	for _, tt := range refused {
		_, _ = Parse(tt.smiles)
	}
	_, _ = Parse("[C@H](F)(F)Cl") // a warning: no stereo centre
	if err := syscall.Dup3(saved, 2, 0); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(log.Name()); err != nil || len(text) > 0 {
		t.Errorf("RDKit wrote to stderr: %q (%v)", text, err)
	}
}

func TestVersion(t *testing.T) {
	if v := Version(); strings.Count(v, ".") != 2 || len(v) < len("2022.9.1") {
		t.Errorf("Version() = %q, want YEAR.MONTH.PATCH", v)
	}
}
