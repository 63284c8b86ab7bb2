package screen

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pacia/data/label"
	"pacia/internal/setting"
	"pacia/model"
	"pacia/model/methods"
	"pacia/ops"
	"pacia/screen/ranking"
)

// TestRefine: with Refine, the first molecules by the model without vectors have the probabilities of
// the model with vectors, and all others those of the model without. The table is sorted by them.
func TestRefine(t *testing.T) {
	const refined = 4
	library := []string{"CCO", "CCCCCC", "c1ccccc1N", "CC(=O)O", "OCCO", "CCN", "c1ccccc1O", "CCCl", "CCCCCO", "C1CCCCC1", "not a molecule", "CC(C)O"}
	with, bare := rankedBy(t, library, true, 0), rankedBy(t, library, false, 0)
	if len(with) != 11 || len(bare) != 11 {
		t.Fatalf("%d and %d molecules are ranked, want 11", len(with), len(bare))
	}
	probability := func(rows []row, smiles string) float32 {
		return rows[slices.IndexFunc(rows, func(r row) bool { return r.smiles == smiles })].probability
	}
	got := rankedBy(t, library, true, refined)
	first := bare[:refined]
	for i, r := range got {
		want := probability(bare, r.smiles)
		if slices.ContainsFunc(first, func(b row) bool { return b.smiles == r.smiles }) {
			want = probability(with, r.smiles)
		}
		if d := r.probability - want; d > 1e-5 || d < -1e-5 {
			t.Errorf("%s has the probability %v, want %v", r.smiles, r.probability, want)
		}
		if i > 0 && r.probability > got[i-1].probability {
			t.Errorf("%s is more probable than the molecule before it", r.smiles)
		}
	}
	if slices.EqualFunc(with, bare, func(a, b row) bool { return a.probability == b.probability }) {
		t.Error("vectors change no probability: the test proves nothing")
	}
	if len(got) != 11 {
		t.Errorf("%d molecules are ranked, want 11", len(got))
	}
}

// TestTiesAreRefinedTogether: the rows of one molecule, in any drawing, have one probability, though only some of them are
// among the first. The ranked table states which rows were scored again, unless all or none were.
func TestTiesAreRefinedTogether(t *testing.T) {
	library := []string{"c1ccccc1N", "CCO", "OCC", "CCO", "C(C)O", "CCO"}
	for refine, want := range map[int]int{1: 5, 2: 5, 5: 5, 6: 0, 0: 0} {
		rows := rankedBy(t, library, true, refine)
		refined := 0
		for _, r := range rows {
			if r.smiles != library[0] && r.probability != rows[0].probability {
				t.Errorf("the first %d again: %s has the probability %v, the first row has %v", refine, r.smiles, r.probability, rows[0].probability)
			}
			if r.refined {
				refined++
			}
		}
		if refined != want {
			t.Errorf("the first %d again: %d rows are stated to be, want %d", refine, refined, want)
		}
	}
}

// TestUsual: by default two fifths of a library are scored again, at least 2,000 and at most 10,000 molecules.
func TestUsual(t *testing.T) {
	for _, c := range []struct{ refine, library, want int }{
		{Usual, 300, 2_000}, {Usual, 5_000, 2_000}, {Usual, 10_000, 4_000}, {Usual, 1_000_000, MostRefined}, {50, 5_000, 50},
	} {
		if got := (Options{Refine: c.refine}).toRefine(c.library); got != c.want {
			t.Errorf("of %d molecules %d are scored again with Refine %d, want %d", c.library, got, c.refine, c.want)
		}
	}
}

// row is a row of a ranked library.
type row struct {
	smiles      string
	probability float32
	refined     bool // by the ranked table
}

// rankedBy ranks a library with a small model, with or without the vectors of MiniMol.
func rankedBy(t *testing.T, library []string, minimol bool, refine int) (rows []row) {
	t.Helper()
	c, err := methods.ForPreset(model.Paper, "kernel")
	if err == nil {
		c = c.Embedding(minimol)
		err = setting.Assign(&c, "encoder=fingerprint", "layers=1", "width=8", "memory=false")
	}
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	ctx := context.Background()
	support, err := ranking.ReadSupport(ctx, write("support.csv", "smiles,label\nCCCO,1\nCCCCO,1\nCCC,0\nc1ccccc1,0\n"), ranking.Options{}, label.Tasks{})
	if err != nil {
		t.Fatal(err)
	}
	table, err := ranking.Open(ctx, []string{write("library.csv", "smiles\n"+strings.Join(library, "\n")+"\n")}, ranking.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := New(support, table, Options{SiblingOf: filepath.Join(dir, "ranked.csv"), Refine: refine})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	err = ops.Pinned(1, func() error {
		m, err := methods.New(c, model.Options{Seed: 1, Device: "cpu"})
		if err != nil {
			return err
		}
		defer m.Drop()
		if err := r.Parse(ctx, m); err != nil {
			return err
		}
		return r.Rank(ctx, m, 2)
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Spill.Each(func(of ranking.Ranked) error {
		smiles, err := table.Molecule(ctx, &of)
		rows = append(rows, row{smiles, of.Probability, of.Refined && r.Spill.Refined})
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return rows
}
