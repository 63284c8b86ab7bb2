package screen

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pacia/data"
	"pacia/data/embedded"
	"pacia/data/molecule"
	"pacia/evaluate"
	"pacia/harness/chains"
	"pacia/internal/setting"
	"pacia/model"
	"pacia/model/methods"
	"pacia/screen/ranking"
	"pacia/screen/trust"
)

func smallModel(t testing.TB) *model.Model {
	t.Helper()
	c, err := methods.ForPreset(model.Paper, methods.Default)
	if err == nil {
		err = setting.Assign(&c, "layers=1", "width=4", "relation.width=4")
	}
	if err != nil {
		t.Fatal(err)
	}
	m, err := methods.New(c, model.Options{Seed: 1, Device: "cpu"})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestScoreManyAtoms: in a chunk of large molecules, which takes more than one batch, each readable molecule
// gets the score that it has alone.
func TestScoreManyAtoms(t *testing.T) {
	m := smallModel(t)
	defer m.Drop()
	scorer, done := smallScorer(t, m)
	defer done()
	var smiles []string
	for i := range 500 {
		smiles = append(smiles, strings.Repeat("C", 60+i%30)+chains.Groups[i%len(chains.Groups)])
	}
	smiles[100] = "no molecule"
	r := &Ranker{Panel: new(trust.Panel)}
	all := r.score(t.Context(), scorer, smiles)
	if all.err != nil || len(all.Scored) != 499 || all.reasons[100] == nil {
		t.Fatalf("%d scores, molecule 100: %v, error %v", len(all.Scored), all.reasons[100], all.err)
	}
	for _, i := range []int{0, 99, 101, 250, 499} {
		at := i
		if i > 100 {
			at--
		}
		// 1e-5 covers the rounding of sums in another order.
		one := r.score(t.Context(), scorer, smiles[i:i+1])
		d := one.Scored[0].Probability - all.Scored[at].Probability
		if one.err != nil || d > 1e-5 || d < -1e-5 || one.Scored[0].Depth != all.Scored[at].Depth {
			t.Errorf("molecule %d: %v alone, %v in a chunk (%v)", i, one.Scored[0].Probability, all.Scored[at].Probability, one.err)
		}
	}
	if p := all.Probabilities(); slices.Min(p) == slices.Max(p) {
		t.Error("all molecules have the same score: the test proves nothing")
	}
}

// smallScorer adapts m to four molecules.
func smallScorer(t *testing.T, m *model.Model) (scorer *evaluate.Scorer, done func()) {
	t.Helper()
	store, rows, _ := molecule.ParseSMILES(context.Background(), []string{"CCN", "CCCN", "CCO", "CCCO"}, 1)
	episode, err := data.NewSupport(rows, []uint8{0, 0, 1, 1})
	if err != nil {
		t.Fatal(err)
	}
	support, err := data.AssembleSupport(store, episode)
	if err != nil {
		t.Fatal(err)
	}
	a, err := m.Adapt(support)
	if err != nil {
		t.Fatal(err)
	}
	read, err := evaluate.NewReader([]*model.Model{m}, false)
	if err != nil {
		t.Fatal(err)
	}
	return evaluate.NewScorer(read, a), a.Drop
}

// BenchmarkCandidates measures the time that predict spends on candidates outside the model:
// reading and parsing them, and writing them ranked.
func BenchmarkCandidates(b *testing.B) {
	dir := b.TempDir()
	candidates := filepath.Join(dir, "candidates.csv.gz")
	if err := os.WriteFile(candidates, embedded.CSV(), 0o600); err != nil {
		b.Fatal(err)
	}
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			molecules := 0
			for b.Loop() {
				molecules += rankUnscored(b, candidates, filepath.Join(dir, "ranked.csv"), workers)
			}
			b.ReportMetric(float64(molecules)/b.Elapsed().Seconds(), "molecules/s")
		})
	}
}

// rankUnscored ranks all candidates as equally probable and returns their number.
func rankUnscored(b *testing.B, candidates, out string, workers int) int {
	b.Helper()
	table, err := ranking.Open(b.Context(), []string{candidates}, ranking.Options{})
	if err != nil {
		b.Fatal(err)
	}
	r, err := New(nil, table, Options{SiblingOf: out})
	if err != nil {
		b.Fatal(err)
	}
	defer r.Close()
	parse := func(smiles []string) int {
		s, _, _ := molecule.ParseSMILES(context.Background(), smiles, 1)
		return s.Len()
	}
	err = ranking.Stream(b.Context(), r.Table, 512, workers, parse, func(c *ranking.Chunk[int]) error {
		for _, row := range c.Rows {
			if err := r.Spill.Add(row.Fields, 0.5, 1, 0); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	f, err := os.Create(out)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	if err := r.Spill.WriteRanked(f, r.Table.Header, func(p float32) float64 { return float64(p) }, nil); err != nil {
		b.Fatal(err)
	}
	return r.Spill.Len()
}
