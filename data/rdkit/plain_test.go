package rdkit

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// ordinary are molecules that can be read without RDKit, of all kinds that the code distinguishes.
var ordinary = []string{
	"C", "O", "CCO", "CC", "C#N", "ClCCl", "FC(F)(F)Br", "CI", "CC(C)(C)C", "CSC", "CS(C)=O", "CS(=O)(=O)N", "CP(=O)(O)O", "OB(O)c1ccccc1", "C[Si](C)(C)C",
	// charges, salts, groups that are written with charges
	"CC(=O)[O-].[Na+]", "C[NH3+].[Cl-]", "C[N+](C)(C)C", "O=[N+]([O-])c1ccccc1", "CN=[N+]=[N-]", "C[N+]#[C-]", "[O-][n+]1ccccc1", "[NH4+]", "[K+].[Li+].[Br-].[I-]",
	// marks of stereochemistry, redundant brackets
	"C[C@H](N)C(=O)O", "N[C@@](C)(F)Cl", "F/C=C/F", "F/C=C\\F", "C/C(=C/1CCCC1)F", "[CH3][CH2][OH]", "[CH4]", "[NH2]C", "[cH-]1cccc1", "OC1CC[C@@H](C)CC1", "C[S@](=O)c1ccccc1",
	// aromatic rings, and rings that are not aromatic
	"c1ccccc1", "C1=CC=CC=C1", "c1ccncc1", "c1cc[nH]c1", "C1=CNC=C1", "c1ccoc1", "c1ccsc1", "c1cc[se]c1", "Cn1cccc1", "c1cnc[nH]1", "c1nnn[nH]1", "C1=CC=CC=CC=C1", "C1=CCC=C1",
	"c1ccc2ccccc2c1", "c1ccc2[nH]ccc2c1", "c1ccc2c(c1)ccc1ccccc12", "c1ccc2cc3ccccc3cc2c1", "c1ccc2cccc-2cc1", "C1=CC2=CC=CC2=C1", "c1ccc2c(c1)[nH]c1ccccc12",
	"O=c1cc[nH]cc1", "O=c1ccocc1", "O=C1C=CC(=O)C=C1", "O=c1[nH]c(=O)c2ncn(C)c2n1C", "S=c1cc[nH]cc1", "c1ccn2ccnc2c1", "c1ccn2cncc2c1", "C1=CC=C[CH+]C=C1", "c1cc[o+]cc1", "C[n+]1ccccc1",
	"Oc1ccc2c(c1)OC1=CC(=O)C=CC1=N2", "c1ccccc1-c1ccccc1", "c1ccccc1c1ccccc1", "c1ccc(cc1)C(=O)c1ccccc1", "O=S1(=O)N=CC=N1", "C1=CN=NN1", "c1ccbcc1", "c1cc[pH]c1",
	// rings of all kinds that share atoms and bonds
	"C1CC1", "C1CCCCC1", "C1CCC2CCCCC2C1", "C1CC2(C1)CCC2", "C1CC2CCC1C2", "C1CC2CCC1O2", "CC12CCC3C(CCC4CC(O)CCC34C)C1CCC2O", "C1CC2CC1CC2C1CC1", "C1CCC(CC1)C1CCCCC1", "C1CCCCCCCCCCC1",
	"O=C1CC2CCC1C2", "C%10CC%10", "C1CC1C1CC1", "C=1CCCCC=1", "C1CCCCC=1", "C-1CCCCC-1", "C1.C1", "C(C.C)C",
	"CN1CCC23c4c5ccc(O)c4OC2C(O)C=CC3C1C5", "CC(=O)Oc1ccccc1C(=O)O", "Cc1onc(-c2ccccc2Cl)c1C(=O)N[C@@H]1C(=O)N2[C@@H](C(=O)O)C(C)(C)S[C@H]12", "CN1C(=O)CN=C(c2ccccc2)c2cc(Cl)ccc21",
}

// special are molecules that RDKit must read, or refuse.
var special = []string{
	"[H][H]", "[H]C", "[2H]OC", "[13CH4]", "*C", "[CH3]", "[O]", "[Fe+2]", "[CH3:1]C", "C[N+2]", "CN(=O)=O", "CN=N#N", "OCl(=O)(=O)=O", "C=P(=O)C", "c1:c:c:c:c:c:1", "C~C", "N->[Cu]", "C$C",
	"C12C3C4C1C5C2C3C45", "C12C3C1C23", "C=c1cccc1=C", "c1cnc2ncnc-2c1", "C1CC2CCC1CC2", "C1C2CC3CC1CC(C2)C3", "N[Pt@SP1](N)(Cl)Cl", "CC |$a;b$|", "C name", " C", "[C@TH1](F)(Cl)(Br)I", "C%(10)CC%(10)",
	"c1ccccc", "cc", "c1cccc1", "C1CC", "C(C", "C)C", "CC(C)(C)(C)C", "FF(F)F", "C=(C)C", "C()C", "((C))", "C11", "C12CC12", "C1C1", "[C", "[Xx]", "C.", ".C", "=C", "C=", "C1", "%", "", "é", "c1ccc[nH]c1", "n1cccc1",
	"c1ccc2c3ccccc3c3ccccc3c2c1", "[NH5]", "O=n1ccccc1",
}

// countsOf returns the fingerprint of a SMILES, by RDKit (own: 1) or by morgan.cc for RDKit's molecule (0).
func countsOf(smiles string, own int32) (Counts, error) {
	answer, err := question{kind: askCounts, a: own, text: smiles}.ask(context.Background())
	if err != nil {
		return Counts{}, err
	}
	c := cursor{from: answer}
	return c.counts(c.size()), nil
}

// compare makes a fingerprint and a graph in all ways. It reports whether the fingerprint was made without
// RDKit. The graph must also be, unless the SMILES has marks of stereochemistry.
func compare(t *testing.T, smiles string) (plain bool) {
	t.Helper()
	want, refused := countsOf(smiles, 1)
	same := func(got Counts, err error) {
		t.Helper()
		switch {
		case refused != nil && err == nil:
			t.Errorf("%q is refused by RDKit (%v) and has a fingerprint", smiles, refused)
		case refused == nil && (err != nil || !slices.Equal(got.Bit, want.Bit) || !slices.Equal(got.Count, want.Count)):
			t.Errorf("%q: counts %v at %v (%v), want %v at %v", smiles, got.Count, got.Bit, err, want.Count, want.Bit)
		}
	}
	same(countsOf(smiles, 0))
	m, plain := (&Parser{Counts: true, Bare: true}).plain(smiles)
	if plain {
		same(m.Counts, nil)
	}
	if compareGraph(t, smiles) != (plain && !strings.ContainsAny(smiles, `@/\`)) {
		t.Errorf("%q: graphs must be read without RDKit if and only if no stereochemistry is marked", smiles)
	}
	return plain
}

// byRDKit returns the graph of a SMILES by RDKit.
func byRDKit(smiles string) (Mol, error) {
	if err := check(smiles); err != nil {
		return Mol{}, err
	}
	answer, err := question{kind: askParse, text: smiles}.ask(context.Background())
	if err != nil {
		return Mol{}, err
	}
	return new(Parser).take(answer)
}

// compareGraph makes the graph, alone and with the fingerprint, with RDKit and without. It reports
// whether it can be made without RDKit.
func compareGraph(t *testing.T, smiles string) (plain bool) {
	t.Helper()
	want, refused := byRDKit(smiles)
	for _, p := range []*Parser{{}, {Counts: true}} {
		got, ok := p.plain(smiles)
		switch plain = ok; {
		case ok && refused != nil:
			t.Errorf("%q is refused by RDKit (%v) and has a graph", smiles, refused)
		case ok && (!slices.Equal(got.Atoms, want.Atoms) || !slices.Equal(got.Ends, want.Ends) || !slices.Equal(got.Bonds, want.Bonds)):
			t.Errorf("%q: atoms %v, bonds %v of %v; want %v, %v of %v", smiles, got.Atoms, got.Bonds, got.Ends, want.Atoms, want.Bonds, want.Ends)
		}
	}
	return plain
}

// TestPlain: ordinary molecules are read without RDKit, and special ones are not. All
// fingerprints are those of RDKit.
func TestPlain(t *testing.T) {
	for _, smiles := range ordinary {
		if !compare(t, smiles) {
			t.Errorf("%q is left to RDKit", smiles)
		}
	}
	for _, smiles := range special {
		if compare(t, smiles) {
			t.Errorf("%q is not left to RDKit", smiles)
		}
	}
}

// TestPlainChanged: SMILES with a few random changes have RDKit's fingerprint, or none if RDKit refuses them.
// Most are refused, and at least a tenth is read without RDKit.
func TestPlainChanged(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	from := slices.Concat(ordinary, special)
	plain := 0
	const changed = 6_000
	for range changed {
		if compare(t, change(rng, from[rng.IntN(len(from))])) {
			plain++
		}
	}
	if plain < changed/10 {
		t.Errorf("%d of %d are read without RDKit: too few for the test", plain, changed)
	}
}

// change makes one to three typing errors.
func change(rng *rand.Rand, smiles string) string {
	const characters = "CcNnOoSsPpFIBb()[]=#-+123%.@H/\\l"
	s := []byte(smiles)
	for range 1 + rng.IntN(3) {
		if len(s) == 0 {
			break
		}
		i := rng.IntN(len(s))
		switch c := characters[rng.IntN(len(characters))]; rng.IntN(4) {
		case 0:
			s = slices.Delete(s, i, i+1)
		case 1:
			s = slices.Insert(s, i, c)
		case 2:
			s[i] = c
		default:
			j := rng.IntN(len(s))
			s[i], s[j] = s[j], s[i]
		}
	}
	return string(s)
}

// TestElements: the elements of plain molecules have RDKit's valences, in rings and outside.
func TestElements(t *testing.T) {
	for _, symbol := range []string{"Li", "B", "C", "N", "O", "F", "Na", "Si", "P", "S", "Cl", "K", "Se", "Br", "I"} {
		for _, charge := range []string{"", "+", "-", "+2", "-2"} {
			for hydrogens := range 7 {
				atom := fmt.Sprintf("[%sH%d%s]", symbol, hydrogens, charge)
				for _, smiles := range []string{atom, "C" + atom, "C=" + atom, "C1=CC=C" + atom + "1", "C1=C" + atom + "=CC=C1"} {
					compare(t, smiles)
				}
			}
		}
	}
}

// TestTooManyHydrogens: hydrogens that are written as atoms count for the valence, even if only a
// fingerprint is made.
func TestTooManyHydrogens(t *testing.T) {
	for n := 3; n <= 6; n++ {
		compare(t, "C"+strings.Repeat("([H])", n))
	}
	for _, smiles := range []string{"[H]N([H])[H]", "[H]N([H])([H])[H]", "[H]O[H]", "[H]c1ccccc1", "[H][N+]([H])([H])C", "[H][C@](F)(Cl)Br", "[H]n1cccc1", "[2H]C"} {
		compare(t, smiles)
	}
}

// FuzzPlain searches for molecules whose fingerprint differs from RDKit's.
func FuzzPlain(f *testing.F) {
	for _, smiles := range slices.Concat(ordinary, special) {
		f.Add(smiles)
	}
	f.Fuzz(func(t *testing.T, smiles string) {
		if len(smiles) <= 200 && check(smiles) == nil {
			compare(t, smiles)
		}
	})
}
