package train

import (
	"bufio"
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"pacia/evaluate"
	"pacia/ops"
	"pacia/run/runconfig"
	"pacia/run/rundir"
)

// TestRunsOfEarlierVersions resumes runs that version ddd3c52 began, when the settings
// of all methods stood beside each other. It compares them with the rest of the same
// runs by that version (went-on.jsonl), and their best model with the figures on
// record. Rounding differs between processors, and Adam's first steps amplify the
// difference: 1 % of a loss is far less than another step of training.
func TestRunsOfEarlierVersions(t *testing.T) {
	for _, method := range []string{"pacia", "finetune", "multitask"} {
		t.Run(method, func(t *testing.T) {
			from, dir := filepath.Join("testdata", "earlier", method), t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
				t.Fatal(err)
			}
			c, err := runconfig.Read(filepath.Join(dir, rundir.ConfigFile))
			if err != nil {
				t.Fatal(err)
			}
			c.Data.Path, c.Data.Cache, c.Train.Episodes = filepath.Join("testdata", "assays.csv"), t.TempDir(), 6
			bestModelOf(t, c, dir)
			rec := &recorder{}
			if _, err := Run(context.Background(), c, dir, true, rec); err != nil {
				t.Fatal(err)
			}
			var losses []float64
			for _, s := range rec.steps {
				losses = append(losses, s.Loss)
			}
			want := lossesFrom(t, filepath.Join(from, "went-on.jsonl"), 4)
			if len(losses) != len(want) {
				t.Fatalf("%d steps from the fourth on, want %d", len(losses), len(want))
			}
			for i := range want {
				if math.Abs(losses[i]-want[i]) > 0.01*want[i] {
					t.Errorf("step %d has a loss of %v, want %v", i+4, losses[i], want[i])
				}
			}
		})
	}
}

// bestModelOf loads best.ckpt and compares its figures with those of its run. The
// figures depend on ranks, which rounding hardly changes except through the gradient
// steps of methods that fine-tune.
func bestModelOf(t *testing.T, c runconfig.Config, dir string) {
	t.Helper()
	r := openAssays(t, c)
	err := ops.Pinned(1, func() error {
		m, meta, err := load(filepath.Join(dir, rundir.BestFile))
		if err != nil {
			return err
		}
		defer m.Drop()
		got, _, err := evaluate.Tasks(context.Background(), evaluate.AdapterOf(m), r.data, r.tasks.test,
			evaluate.OptionsOf(c, uint64(meta.Episode())))
		if err != nil {
			return err
		}
		for i, want := range meta.Progress.BestValidation.Test {
			if math.Abs(got[i].Values[0]-want.Values[0]) > 0.02 {
				t.Errorf("best.ckpt reaches %v on %s, its run had %v", got[i].Values[0], want.Task, want.Values[0])
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// lossesFrom reads the losses of all steps from the given number on.
func lossesFrom(t *testing.T, file string, first int) (losses []float64) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var row struct {
			Episode int
			Loss    *float64
		}
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		if row.Loss != nil && row.Episode >= first {
			losses = append(losses, *row.Loss)
		}
	}
	return losses
}
