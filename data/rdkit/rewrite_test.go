package rdkit_test

import (
	"strings"
	"testing"

	"pacia/data/rdkit"
)

// ethanol is a molblock in the form that RDKit writes.
const ethanol = `ethanol
     RDKit          2D

  3  2  0  0  0  0  0  0  0  0999 V2000
    0.0000    0.0000    0.0000 C   0  0  0  0  0  0  0  0  0  0  0  0
    1.2990    0.7500    0.0000 C   0  0  0  0  0  0  0  0  0  0  0  0
    2.5981   -0.0000    0.0000 O   0  0  0  0  0  0  0  0  0  0  0  0
  1  2  1  0
  2  3  1  0
M  END
`

// alanine is (R): the wedged nitrogen, carboxyl and methyl are in clockwise order.
const alanine = `
  by hand

  6  5  0  0  1  0            999 V2000
    0.0000    0.0000    0.0000 C   0  0
    1.2990    0.7500    0.0000 C   0  0
    2.5981    0.0000    0.0000 C   0  0
    3.8971    0.7500    0.0000 O   0  0
    2.5981   -1.5000    0.0000 O   0  0
    1.2990    2.2500    0.0000 N   0  0
  1  2  1  0
  2  3  1  0
  3  4  1  0
  3  5  2  0
  2  6  1  1
M  END
`

// TestToBlock: converting to a molblock and back preserves the molecule and its stereochemistry.
func TestToBlock(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, smiles := range []string{
		"CCO", "C[C@@H](N)C(=O)O", "C/C=C/c1ccccc1", "CC(=O)[O-].[Na+]", "C[n+]1ccccc1",
		"C" + strings.Repeat(".CCCCCCCCC", 111), // 1,000 atoms
	} {
		block, err := rdkit.ToBlock(t.Context(), smiles)
		if err != nil {
			t.Fatalf("%s: %v", smiles, err)
		}
		want, _ := rdkit.Canonical(t.Context(), smiles)
		if got, _, err := rdkit.FromBlock(t.Context(), block); err != nil || got != want || !strings.HasPrefix(block, "\n") || !strings.HasSuffix(block, "M  END\n") {
			t.Errorf("%s came back as %s (%v) from\n%s", smiles, got, err, block)
		}
	}
	if block, err := rdkit.ToBlock(t.Context(), "C(C"); err == nil || !strings.Contains(err.Error(), "parentheses") {
		t.Errorf("%q, %v", block, err)
	}
}

func TestMolblocksBecomeSMILES(t *testing.T) {
	for block, want := range map[string]string{
		ethanol: "CCO", strings.ReplaceAll(ethanol, "\n", "\r\n"): "CCO", alanine: "C[C@@H](N)C(=O)O",
	} {
		if got, _, err := rdkit.FromBlock(t.Context(), block); err != nil || got != want {
			t.Errorf("%q (%v), want %q, for the molblock\n%s", got, err, want, block)
		}
	}
	for name, block := range map[string]string{
		"nothing": "", "not one": "hello", "cut": ethanol[:200], "five bonds of oxygen": strings.ReplaceAll(ethanol, "2  3  1", "2  3  3"),
		"no atoms": "\n\n\n  0  0  0  0  0  0  0  0  0  0999 V2000\nM  END\n", "long": strings.Repeat(ethanol, 2000),
		"element": strings.ReplaceAll(ethanol, " O ", " Zz"),
	} {
		if got, _, err := rdkit.FromBlock(t.Context(), block); err == nil || err.Error() == "" || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %q, error %v, want a reason of one line", name, got, err)
		}
	}
}

func TestCanonicalSMILESAreEqualForEqualMolecules(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, same := range [][2]string{
		{"OCC", "C(C)O"}, {"c1ccccc1N", "NC1=CC=CC=C1"}, {"[H]OC", "CO"}, {"N[C@@H](C)C(=O)O", "C[C@H](N)C(O)=O"}, {"[Na+].[Cl-]", "[Cl-].[Na+]"},
	} {
		a, errA := rdkit.Canonical(t.Context(), same[0])
		b, errB := rdkit.Canonical(t.Context(), same[1])
		if errA != nil || errB != nil || a != b {
			t.Errorf("%s and %s are one molecule, and became %q and %q (%v, %v)", same[0], same[1], a, b, errA, errB)
		}
	}
	if a, _ := rdkit.Canonical(t.Context(), "C[C@H](N)C(O)=O"); a == "CC(N)C(=O)O" {
		t.Error("the stereo centre is gone")
	}
	_, err := rdkit.Canonical(t.Context(), "C(C")
	if _, parsed := rdkit.Parse("C(C"); err == nil || err.Error() != parsed.Error() {
		t.Errorf("reason %v, want that of Parse: %v", err, parsed)
	}
	long := strings.Repeat("C", 900) // its answer is larger than the first buffer
	if got, err := rdkit.Canonical(t.Context(), long); err != nil || got != long {
		t.Errorf("%d carbons became %d (%v)", len(long), len(got), err)
	}
}

func TestLargestFragment(t *testing.T) {
	for smiles, want := range map[string]string{
		"CCO": "CCO", "CC(=O)[O-].[Na+]": "CC(=O)[O-]", "O.O.CCN.Cl": "CCN",
		"[Na+].[Cl-]": "[Cl-]", // equally many heavy atoms, a heavier element
		"C1.C1O.[K+]": "CCO",   // the ring closure joins both sides of the dot
		"CCO.CCO":     "CCO",
		"[H][H].C[H]": "C",
		"c1ccncc1.Cl": "c1ccncc1",
	} {
		if got, err := rdkit.LargestFragment(t.Context(), smiles); err != nil || got != want {
			t.Errorf("%s: %q (%v), want %q", smiles, got, err, want)
		}
	}
}
