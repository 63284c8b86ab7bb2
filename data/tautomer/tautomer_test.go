package tautomer_test

import (
	"compress/gzip"
	"context"
	"encoding/csv"
	"os"
	"strings"
	"testing"

	"pacia/data/rdkit"
	"pacia/data/standard"
	"pacia/data/tautomer"
)

// seen returns the canonical SMILES, without stereochemistry, of the molecule that a model reads.
func seen(t *testing.T, smiles string) string {
	t.Helper()
	text, _, err := standard.Options{}.Molecule(context.Background(), smiles)
	if err == nil {
		text, err = rdkit.Canonical(context.Background(), strings.NewReplacer("@", "", "/", "", "\\", "").Replace(text))
	}
	if err != nil {
		t.Fatalf("%s is read as %q: %v", smiles, text, err)
	}
	return text
}

// TestOneMolecule: drawings of one compound have one drawing, that of FS-Mol's files.
func TestOneMolecule(t *testing.T) {
	for _, c := range []struct{ what, fsmol, drawn string }{
		{"hydroxamic acid", "ON=C(O)CCCCCCC(=O)Nc1ccccc1", "O=C(CCCCCCC(=O)Nc1ccccc1)NO"},
		{"N-alkylated hydroxamic acid", "CC(=O)N(C)O", "CC(O)=[N+](C)[O-]"},
		{"sulfoxide", "C[S+]([O-])c1ccccc1", "CS(=O)c1ccccc1"},
		{"sulfoxide with stereochemistry", "C[S@+]([O-])c1ccccc1", "C[S@](=O)c1ccccc1"},
		{"sulfinate", "CS(=O)OC", "C[S+]([O-])OC"},
		{"sulfone", "CS(C)(=O)=O", "C[S+2]([O-])([O-])C"},
		{"sulfoximine", "CS(=N)(=O)c1ccccc1", "C[S+]([O-])(=N)c1ccccc1"},
		{"sulfilimine", "CS(C)=NC", "C[S+](C)[N-]C"},
		{"sulfonimidic acid", "CS(=O)(=O)NC", "CS(O)(=O)=NC"},
		{"thiophosphate", "COP(=O)(S)OC", "COP(O)(=S)OC"},
		{"phosphine oxide", "CP(C)(C)=O", "C[P+](C)(C)[O-]"},
		{"phosphorane", "CC=P(C)(C)C", "C[CH-][P+](C)(C)C"},
		{"phosphinic acid", "C[PH](=O)O", "CP(O)O"},
		{"nitro group", "Cc1ccc([N+](=O)[O-])cc1", "Cc1ccc(N(=O)=O)cc1"},
		{"N-oxide", "[O-][n+]1ccccc1", "O=n1ccccc1"},
		{"nitrile oxide", "CC#[N+][O-]", "CC#N=O"},
		{"azide", "Cc1ccc(N=[N+]=[N-])cc1", "Cc1ccc([N-][N+]#N)cc1"},
		{"azide of five bonds", "CN=[N+]=[N-]", "CN=N#N"},
		{"diazo compound", "CC=[N+]=[N-]", "CC=N#N"},
		{"diazonium ylide", "CC=[N+]=[N-]", "C[CH-][N+]#N"},
		{"pyridone", "Cc1ccc(=O)[nH]c1", "Cc1ccc(O)nc1"},
		{"pyridinethione", "S=c1cccc[nH]1", "Sc1ccccn1"},
		{"quinolone", "O=c1cc[nH]c2ccccc12", "Oc1ccnc2ccccc12"},
		{"N-hydroxypyridone", "O=c1ccccn1O", "Oc1cccc[n+]1[O-]"},
		{"minoxidil", "Nc1cc(N2CCCCC2)nc(N)[n+]1[O-]", "On1c(N)cc(nc1=N)N1CCCCC1"},
		{"imidazole", "Cc1cnc(-c2ccccc2)[nH]1", "Cc1c[nH]c(-c2ccccc2)n1"},
		{"triazole, 4H", "Cc1nc(-c2ccccc2)n[nH]1", "Cc1nnc(-c2ccccc2)[nH]1"},
		{"triazole, 1H and 2H", "Cc1nc(-c2ccccc2)n[nH]1", "Cc1n[nH]c(-c2ccccc2)n1"},
		{"tetrazole", "Cc1nnn[nH]1", "Cc1nn[nH]n1"},
		{"benzimidazole", "Cc1ccc2[nH]cnc2c1", "Cc1ccc2nc[nH]c2c1"},
		{"purine", "Nc1ncnc2nc[nH]c12", "Nc1ncnc2[nH]cnc12"},
		{"azaindole", "c1cnc2[nH]ccc2c1", "c1c[nH]c2nccc-2c1"},
		{"amidine", "CN=C(N)c1ccccc1", "CNC(=N)c1ccccc1"},
		{"guanidine with a cyanide", "CN=C(N)NC#N", "CNC(N)=NC#N"},
		{"aminothiazole", "Nc1nccs1", "N=c1[nH]ccs1"},
		{"amide", "CC(=O)Nc1ccccc1", "CC(O)=Nc1ccccc1"},
		{"thioamide", "CC(N)=S", "CC(=N)S"},
		{"urea", "CNC(N)=O", "CN=C(N)O"},
		{"uracil", "O=c1cc[nH]c(=O)[nH]1", "Oc1ccnc(O)n1"},
		{"quinone oxime", "O=Nc1ccc(O)cc1", "O=C1C=CC(=NO)C=C1"},
		{"cation of a dye", "CN(C)c1ccc2nc3ccc(N)cc3[s+]c2c1", "C[N+](C)=c1ccc2nc3ccc(N)cc3sc-2c1"},
		{"sydnone", "C[n+]1cc([O-])on1", "O=C1C=[N+](C)[N-]O1"},
		{"zwitterion", "NCC(=O)O", "[NH3+]CC(=O)[O-]"},
		{"zwitterion over a ring", "CN1C(C(=O)Nc2ccccn2)=C(O)c2ccccc2S1(=O)=O", "CN1C(C(=O)Nc2cccc[nH+]2)=C([O-])c2ccccc2S1(=O)=O"},
		{"betaine as a hydrochloride", "C[N+](C)(C)CC(=O)[O-]", "C[N+](C)(C)CC(=O)O.[Cl-]"},
		{"boronate", "OB(O)c1ccccc1", "O[B-](O)(O)c1ccccc1"},
		{"deuterium", "CCO", "[2H]C([2H])([2H])CO"},
		{"carbon-14", "CC(=O)Nc1ccc(O)cc1", "C[14C](=O)Nc1ccc(O)cc1"},
		{"atom numbers", "CC(=O)Nc1ccc(O)cc1", "[CH3:1][C:2](=O)[NH:3]c1ccc(O)cc1"},
		{"hydrogens as atoms", "CO", "[H]C([H])([H])O[H]"},
	} {
		if a, b := seen(t, c.fsmol), seen(t, c.drawn); a != b {
			t.Errorf("%s: %s is read as %s, %s as %s", c.what, c.fsmol, a, c.drawn, b)
		}
	}
}

// TestDifferentMolecules: isomers that a hydrogen of carbon or a carbon tells apart stay different.
func TestDifferentMolecules(t *testing.T) {
	for _, c := range [][3]string{
		{"norethisterone, noretynodrel", "CC12CCC3C(CCC4=CC(=O)CCC34)C1CCC2(O)C#C", "CC12CCC3C(CCC4=C3CCC(=O)C4)C1CCC2(O)C#C"},
		{"glucose, fructose", "OCC(O)C(O)C(O)C(O)C=O", "OCC(O)C(O)C(O)C(=O)CO"},
		{"ionones", "CC(=O)C=CC1C(C)=CCCC1(C)C", "CC(=O)C=CC1=C(C)CCCC1(C)C"},
		{"methyl tetrazoles", "Cn1cnnn1", "Cn1ncnn1"},
		{"methyl pyrazoles", "Cn1ccc(C)n1", "Cn1nccc1C"},
		{"quinone, hydroquinone", "O=C1C=CC(=O)C=C1", "Oc1ccc(O)cc1"},
		{"thiolester, thionester", "CC(=O)SC", "CC(=S)OC"},
		{"oxime, nitroso compound", "CC(C)=NO", "CC(C)N=O"},
		{"hypoxanthine, allopurinol", "O=c1[nH]cnc2[nH]cnc12", "O=c1[nH]cnc2[nH]ncc12"},
		{"alanines", "CC(N)C(=O)O", "NCCC(=O)O"},
		{"benzoins", "OC(c1ccccc1)C(=O)c1ccc(Cl)cc1", "O=C(c1ccccc1)C(O)c1ccc(Cl)cc1"},
		{"N-oxides of a pyrimidine", "Cc1cc[n+]([O-])cn1", "Cc1ccnc[n+]1[O-]"},
		{"methylated pyridones", "COc1ccccn1", "Cn1ccccc1=O"},
		{"acrylamide of an amino acid, imine", "C=CC(=O)NC(C)C(=O)OC", "CCC(=O)N=C(C)C(=O)OC"},
	} {
		if a := seen(t, c[1]); a == seen(t, c[2]) {
			t.Errorf("%s are both read as %s", c[0], a)
		}
	}
}

// TestKeepsStereochemistry: what does not move keeps its marks, in a molecule in which something else moves.
func TestKeepsStereochemistry(t *testing.T) {
	for drawn, want := range map[string]string{
		"C[C@H](N)C(=O)NO":             "C[C@H](N)C(O)=NO",
		"C[C@@H](N)C(=O)NO":            "C[C@@H](N)C(O)=NO",
		`C/C=C/C(=O)NO`:                `C/C=C/C(O)=NO`,
		`C/C=C\C(=O)NO`:                `C/C=C\C(O)=NO`,
		`O[C@H]1CC[C@@H](C(=O)NO)CC1`:  `O[C@H]1CC[C@@H](C(O)=NO)CC1`,
		`F/C(Cl)=C1\CCCC(C(=O)NO)C1`:   `F/C(Cl)=C1\CCCC(C(O)=NO)C1`,
		`C[S@](=O)c1ccc(O)nc1`:         `C[S@+]([O-])c1ccc(=O)[nH]c1`,
		`ONC(=O)C[C@](C)(O)[C@@H](C)F`: `ON=C(O)C[C@](C)(O)[C@@H](C)F`,
	} {
		got, changed := tautomer.Normal(drawn)
		a, err := rdkit.Canonical(t.Context(), got)
		b, failed := rdkit.Canonical(t.Context(), want)
		if !changed || err != nil || failed != nil || a != b {
			t.Errorf("%s is read as %s (%v), want %s", drawn, got, err, want)
		}
	}
}

// TestUnchanged: a molecule in which nothing moves, and text that is not a molecule, stay to the byte.
func TestUnchanged(t *testing.T) {
	for _, text := range []string{
		"", "C", "c1ccccc1", "CC(=O)Nc1ccccc1", "C1CC", "C(C", "C)", "[", "[]", "[Xx]", "C%1", "c1cccc1", "C=", "C==C", "C11", "*", "[Na+].[Cl-]",
		"C&C", "((", "C1=CC=C1.", "%12",
		"[13CH4]", "[CH4:1]", "[H][H]", "C$C", "[C@TH1](F)(Cl)(Br)I", "N1=NN=1", "CCO ethanol", "CC[C@H](F)Cl |&1:2|",
	} {
		if got, changed := tautomer.Normal(text); got != text || changed {
			t.Errorf("%q is read as %q", text, got)
		}
	}
	if got, _ := tautomer.Normal("Cc1ccc(O)nc1 |&1:2| name"); got != "CC=1C=CC(=O)NC1 |&1:2| name" {
		t.Errorf("what follows the molecule: %q", got)
	}
}

// TestDrawings: the drawings of an azole are those of its tautomers, and the skeletons of all are equal, also of a
// tautomer in which a hydrogen of carbon has moved.
func TestDrawings(t *testing.T) {
	const azole = "Cc1c[nH]c(-c2ccccc2)n1"
	others := tautomer.Drawings(azole, 64)
	if len(others) != 1 || len(tautomer.Drawings("Cc1nc(CC(=O)NO)n[nH]1", 64)) < 5 || len(tautomer.Drawings("CCO", 64)) != 0 {
		t.Errorf("drawings of %s: %q", azole, others)
	}
	want := tautomer.Skeleton(azole)
	for _, text := range append(others, "CC1=NC(c2ccccc2)N=C1", "CC1=CN=C(N1)C1=CC=CC=C1") {
		if got := tautomer.Skeleton(text); got != want || got == 0 {
			t.Errorf("the skeleton of %s is %d, want %d", text, got, want)
		}
	}
	if tautomer.Skeleton("Cc1c[nH]c(-c2ccccn2)n1") == want || tautomer.Skeleton("C(") != 0 {
		t.Error("another molecule has the same skeleton, or none has one")
	}
	m, err := rdkit.Parse(azole)
	if err != nil {
		t.Fatal(err)
	}
	numbers := make([]uint8, len(m.Atoms)/2)
	for i := range numbers {
		numbers[i] = m.Atoms[2*i] + 1
	}
	if got := tautomer.SkeletonOf(numbers, m.Ends); got != want {
		t.Errorf("the skeleton of a graph is %d, want %d", got, want)
	}
}

// FuzzNormal: any text gives a text that is its own normal drawing.
func FuzzNormal(f *testing.F) {
	for _, s := range []string{"Cc1ccc(O)nc1", "CS(=O)C", "C1CC2=C(O)N=CN2C%10CC%10",
		"F/C=C/C(O)=NO", "[nH]1ccc2c1nccn2", "C[N+](C)=c1ccc2nc3ccc(N)cc3sc-2c1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		normal, _ := tautomer.Normal(text)
		if again, _ := tautomer.Normal(normal); again != normal {
			t.Errorf("%q is read as %q, and that as %q", text, normal, again)
		}
		tautomer.Drawings(text, 8)
		tautomer.Skeleton(text)
	})
}

// TestManyDrawings: 300 drugs in eight drawings each are 300 molecules. testdata/drawings.py made the drawings.
func TestManyDrawings(t *testing.T) {
	f, err := os.Open("testdata/drawings.csv.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(z).ReadAll()
	if err != nil || len(rows) != 2401 {
		t.Fatal(len(rows), err)
	}
	of, first := map[string]string{}, map[string]string{} // the molecule of each text, and the text of each molecule
	for _, row := range rows[1:] {
		text := seen(t, row[1])
		if known := first[row[0]]; known == "" {
			first[row[0]] = text
		} else if known != text {
			t.Errorf("drug %s is read as %s, and from %s as %s", row[0], known, row[1], text)
		}
		if other := of[text]; other != "" && other != row[0] {
			t.Errorf("drugs %s and %s are read as %s", other, row[0], text)
		}
		of[text] = row[0]
	}
}
