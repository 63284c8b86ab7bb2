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

// refused are molecules that must be refused, each with its full reason.
var refused = []struct{ smiles, reason string }{
	{"", "empty SMILES"},
	{"  ", "empty SMILES"},
	{"CC(", "SMILES Parse Error: syntax error while parsing: CC("},
	{"c1ccccc", "SMILES Parse Error: unclosed ring for input: 'c1ccccc'"},
	{"C(C)(C)(C)(C)C", "Explicit valence for atom # 0 C, 5, is greater than permitted"},
	{"c1cccc1", "Can't kekulize mol.  Unkekulized atoms: 0 1 2 3 4"},
	{"N->[Fe]", "bond between atoms 0 and 1 is not single, double, triple or aromatic"},
	{"C\x00C", "control character 0x00 at position 2"},
	// RDKit reads the first of these as methane.
	{"C\u0421CCCO", "'С' (U+0421) at position 2 is not a character of a SMILES; it looks like 'C'"},
	{"CC[N+](=O)[O\u2212]", "'−' (U+2212) at position 13 is not a character of a SMILES; it looks like '-'"},
	{"C\u03b1C", "'α' (U+03B1) at position 2 is not a character of a SMILES"},
	{"CC\xe9", "byte 0xe9 at position 3 is not a character of a SMILES"},
	{"\u00a0CC", "a space of another kind (U+00A0) at position 1"},
	{" \u0421C", "'С' (U+0421) at position 2 is not a character of a SMILES; it looks like 'C'"},
	{"C \u03b1\x7f", "control character 0x7f at position 4"},
	{strings.Repeat(".C", MaxAtoms+1)[1:], "1001 atoms, more than 1000"},
	{strings.Repeat("C", MaxSMILES), "3000 atoms, more than 1000"}, // RDKit would take half a minute
	{strings.Repeat("C", MaxSMILES+1), "SMILES of 3001 characters, more than 3000"},
}

func TestParseGivesTheReason(t *testing.T) {
	for _, tt := range refused {
		if _, err := Parse(tt.smiles); err == nil || err.Error() != tt.reason {
			t.Errorf("Parse(%.20q) = %v, want %q", tt.smiles, err, tt.reason)
		}
	}
}

// TestNoByteIsPassedOver: with any byte between the atoms of a chain, the chain is
// refused or has all of its atoms.
func TestNoByteIsPassedOver(t *testing.T) {
	for b := range 256 {
		smiles := "CCC" + string([]byte{byte(b)}) + "CCCC"
		m, err := Parse(smiles)
		if b == ' ' {
			continue // the text after it is a name
		}
		if atoms := len(m.Atoms) / 2; err == nil && atoms < 7 {
			t.Errorf("Parse(%q) has %d atoms: the text after byte %#02x was not read", smiles, atoms, b)
		}
	}
}

// TestParseWithName: a name after the SMILES is ignored, and may have characters that
// a SMILES cannot have.
func TestParseWithName(t *testing.T) {
	for _, smiles := range []string{"CCO ethanol", "CCO \u03b1-ethanol", "CCO  |$;;x$|"} {
		if m, err := Parse(smiles); err != nil || len(m.Atoms) != 6 {
			t.Errorf("Parse(%q) = %d atoms (%v), want 3", smiles, len(m.Atoms)/2, err)
		}
	}
}

// TestHeavyAtoms: the count that keeps large molecules from RDKit agrees with RDKit.
func TestHeavyAtoms(t *testing.T) {
	for _, smiles := range []string{
		"CCO", "ClCCBr", "c1ccc2[nH]ccc2c1", "[Na+].[Cl-]", "*C#N", "[13CH3:1]*", "[H]C([H])([H])O", "[2H]C", "C%12CC%12",
		"F/C=C/F", "[C@@H](N)(C)C(=O)O", "[se]1cccc1", "CCO Bacon", "  CBN", "[Hg]", "CC |$;C;N$|",
	} {
		m, err := Parse(smiles)
		if got := heavyAtoms(smiles); err != nil || got != len(m.Atoms)/2 {
			t.Errorf("heavyAtoms(%q) = %d, RDKit finds %d (%v)", smiles, got, len(m.Atoms)/2, err)
		}
	}
}

// TestParseTogether parses valid and malformed SMILES in several goroutines. Reasons
// pass through RDKit's global log, and must not be mixed up.
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

// TestPlainRules: molecules are read without RDKit only if its version follows the same rules. With
// another release, RDKit reads all of them.
func TestPlainRules(t *testing.T) {
	for version, want := range map[string]bool{"2022.09.3": true, "2022.09.5": true, "2022.03.1": false, "2023.09.1": false, "2022.091": false, "": false} {
		if got := followsPlain(version); got != want {
			t.Errorf("RDKit %q: plain molecules are read without it: %v, want %v", version, got, want)
		}
	}
	var p Parser
	if _, ok := p.plain("CCO"); ok != ReadsPlain() {
		t.Errorf("ethanol is read without RDKit %s: %v, want %v", Version(), ok, ReadsPlain())
	}
	defer func(was func() bool) { plainRules = was }(plainRules)
	plainRules = func() bool { return false }
	if _, ok := p.plain("CCO"); ok {
		t.Error("ethanol is read without RDKit, although its rules differ")
	}
}
