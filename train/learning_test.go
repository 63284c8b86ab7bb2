package train

import (
	"context"
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pacia/run/runconfig"
)

// mirrored writes testdata/assays.csv with each task and its opposite. A model
// that ignores the labels of the support set is as often right on a task as wrong
// on its opposite, and has a mean ROC-AUC of 0.5.
func mirrored(t *testing.T) string {
	t.Helper()
	f, err := os.Open("testdata/assays.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	table, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	opposite := strings.NewReplacer("0", "1", "1", "0")
	for i, row := range table {
		var both []string
		for j, cell := range row {
			both = append(both, cell)
			switch {
			case j > 0 && i == 0:
				both = append(both, "not "+cell)
			case j > 0:
				both = append(both, opposite.Replace(cell))
			}
		}
		table[i] = both
	}
	path := filepath.Join(t.TempDir(), "mirrored.csv")
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	if err := csv.NewWriter(out).WriteAll(table); err != nil {
		t.Fatal(err)
	}
	return path
}

// meanAUC trains with the seeds 0 to 3 and returns the mean ROC-AUC of the evaluations of the second
// half of each run, each with support sets of its own.
func meanAUC(t *testing.T, c runconfig.Config) float64 {
	t.Helper()
	var sum, n float64
	for c.Seed = range uint64(4) {
		rec := &recorder{}
		if _, err := Run(context.Background(), c, t.TempDir(), false, rec); err != nil {
			t.Fatal(err)
		}
		for _, e := range rec.evaluations[len(rec.evaluations)/2:] {
			sum, n = sum+e.TestMean[0], n+1
		}
	}
	return sum / n
}

// TestLabelsOfTheSupportSetAreWhatIsLearnt: with the labels of the support set a tiny
// model ranks unseen tasks better than chance, with shuffled labels it does not.
func TestLabelsOfTheSupportSetAreWhatIsLearnt(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	c := tinyConfig(t)
	c.Data.Path, c.Data.Split = mirrored(t), "0-9/10-13"
	c.Episode.Shots, c.Episode.Queries = 10, 16
	c.Train.Selection, c.Train.Episodes, c.Train.TasksPerStep, c.Train.EvaluateEvery = runconfig.SelectLast, 60, 5, 10
	c.Train.LearningRate = 0.003
	assign(t, &c, "model.dropout=0", "model.hyper.dropout=0")
	// The result of one seed varies by 0.04 around 0.65, with rounding and with the version of libtorch.
	auc := meanAUC(t, c)
	if auc < 0.58 { // more than three standard errors below the expected value, five above chance
		t.Errorf("ROC-AUC %.3f of held-out tasks, mean of four seeds, want 0.58 or more", auc)
	}
	c.Train.ShuffleLabels = true
	shuffled := meanAUC(t, c)
	if shuffled < 0.45 || shuffled > 0.55 {
		t.Errorf("ROC-AUC %.3f with shuffled support labels, want 0.5 ± 0.05", shuffled)
	}
	t.Logf("ROC-AUC %.3f, with shuffled labels %.3f", auc, shuffled)
}
