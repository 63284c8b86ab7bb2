package study

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pacia/data/source/fsmol"
	"pacia/evaluate"
	"pacia/metrics"
	"pacia/model"
	"pacia/model/methods"
	"pacia/report/scores"
	"pacia/run/checkpoint"
)

// folder writes task files of chains: alcohol for training, and two test tasks. One
// is too small for a support set of 16; the other, amine, is large enough.
func folder(t *testing.T) string {
	t.Helper()
	t.Chdir(t.TempDir())
	var b strings.Builder
	b.WriteString("smiles,alcohol,few,amine\n")
	for n := 1; n <= 12; n++ {
		for _, end := range []string{"O", "N", "F"} {
			few := ""
			if n < 3 {
				few = fmt.Sprint(n % 2)
			}
			_, _ = fmt.Fprintf(&b, "%s%s,%d,%s,%d\n", strings.Repeat("C", n), end, strings.Count(end, "O"), few, strings.Count(end, "N")) // never fails
		}
	}
	if err := os.WriteFile("chains.csv", []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := fsmol.FromCSV("chains.csv", "chains", fsmol.ConvertOptions{Split: "alcohol/few,amine"}); err != nil {
		t.Fatal(err)
	}
	return "chains"
}

// TestOfTaskFiles: a model of a folder of task files is studied with the structures of these files, in
// both formats, on the first test task that is large enough for a support set. With
// several draws of a task no figure is compared; otherwise a model that does not reach the recorded figure is
// refused.
func TestOfTaskFiles(t *testing.T) {
	for _, of := range []struct{ encoder, files string }{{"gin", "chains"}, {"pna", "chains"}, {"gin", "csv"}} {
		encoder := of.encoder
		t.Run(encoder+" "+of.files, func(t *testing.T) {
			_, meta := untrained(t, "N", "D")
			c := &meta.Config
			dir := folder(t)
			if of.files == "csv" {
				if _, err := fsmol.ToCSV(dir, of.files, ""); err != nil {
					t.Fatal(err)
				}
				path := filepath.Join(of.files, "test", "amine.csv")
				text, err := os.ReadFile(path)
				if err == nil { // a row with a cell too many repeats a molecule
					err = os.WriteFile(path, append(text, "CN,0,1\n"...), 0o600)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			c.Data.Path, c.Data.Split, c.Data.Cache = of.files, "auto", t.TempDir()
			c.Model.Encoder, c.Episode.TestSupport, c.Train.EvaluationDraws = encoder, 16, 2
			m, err := methods.New(c.Model, model.Options{Seed: 1, Device: "cpu"})
			if err != nil {
				t.Fatal(err)
			}
			defer m.Drop()
			ds, err := evaluate.OpenData(context.Background(), *c)
			if err != nil {
				t.Fatal(err)
			}
			meta.DataHash = ds.Hash
			if err := ds.Close(); err != nil {
				t.Fatal(err)
			}
			pinned(t, func() error {
				s, err := New(context.Background(), m, meta, Options{Queries: 10})
				if err != nil {
					return err
				}
				if s.Task != "amine" || len(s.Support) != 16 || !s.Drawable() {
					t.Fatalf("task %s, %d support molecules, the first %q", s.Task, len(s.Support), s.Support[0].SMILES)
				}
				for _, q := range s.Queries {
					if !strings.HasPrefix(q.SMILES, "C") || strings.HasSuffix(q.SMILES, "N") != q.Active {
						t.Errorf("query %s is active: %t", q.SMILES, q.Active)
					}
				}
				return checkRecords(t, m, meta)
			})
		})
	}
}

func checkRecords(t *testing.T, m *model.Model, meta checkpoint.Meta) error {
	t.Helper()
	wrong := []metrics.Figures{{Task: "amine", Values: metrics.Values{2}}}
	all, err := scores.TestTasks(context.Background(), m, meta, wrong)
	if err != nil || len(all) != 1 || all[0].Name != "amine" || len(all[0].Rows) != 20 {
		t.Fatalf("with two draws: %+v (%v)", all, err)
	}
	meta.Config.Train.EvaluationDraws = 1
	if _, err := scores.TestTasks(context.Background(), m, meta, wrong); err == nil || !strings.HasPrefix(err.Error(),
		"the best model reaches a ROC-AUC of ") {
		t.Errorf("other figures on record: %v", err)
	}
	if _, err := scores.TestTasks(context.Background(), m, meta, nil); err != nil {
		t.Errorf("nothing on record: %v", err)
	}
	// Tasks are identified by their names, because one was left out.
	for i := range all[0].Depths {
		all[0].Depths[i], all[0].Labels[i] = int32(1+i/2%2), uint8(i%2)
	}
	g, err := ReadGroups(context.Background(), m, meta, all, 20)
	if err != nil || g == nil || len(g.Tasks) != 1 || len(g.Reading("amine").ByDepth) != 20 {
		t.Errorf("groups %+v (%v)", g, err)
	}
	return nil
}
