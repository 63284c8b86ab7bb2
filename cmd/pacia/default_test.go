package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestDefaultRunLearns trains with the default settings, on one thread, for three tenths of the run: tasks that
// the model has not seen are ranked well, by 0.85 after 80 to 160 episodes where a model
// that has not learnt is at 0.5. An evaluation scatters by 0.03, because it depends on one
// draw of six support sets; hence the mean of two, after 100 and 120 episodes.
func TestDefaultRunLearns(t *testing.T) {
	seconds(t)
	t.Chdir(t.TempDir())
	ok(t, "train", "--out", "run", "--set", "data.cache=cache", "--set", "train.episodes=120", "--set", "train.evaluate_every=50", "--set", "train.adaptivity=never", "--set", "threads=1")
	aucs := evaluations(t, "run")
	if mean := mean(aucs[len(aucs)/2:]); len(aucs) != 3 || mean < 0.75 {
		t.Errorf("mean held-out ROC-AUC %.3f of the last two of %.3f, want 0.75 or more of 3", mean, aucs)
	}
	var s struct {
		Last      float64  `json:"auc_last"`
		Validated *float64 `json:"auc_validation_selected"`
		Best      float64  `json:"auc_best_on_test"`
	}
	text, err := os.ReadFile(filepath.Join("run", "summary.json"))
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	if err != nil {
		t.Fatal(err)
	}
	if s.Last != aucs[len(aucs)-1] || s.Best != slices.Max(aucs) || s.Validated == nil || !slices.Contains(aucs, *s.Validated) {
		t.Errorf("the summary does not go with the evaluations %v:\n%s", aucs, text)
	}
}

// evaluations returns the test ROC-AUC of each evaluation of the run in a folder.
func evaluations(t *testing.T, run string) (aucs []float64) {
	t.Helper()
	metrics, err := os.ReadFile(filepath.Join(run, "metrics.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(metrics)) {
		var e struct {
			AUC      *float64 `json:"auc_test"`
			Selected *int     `json:"selected"`
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		if e.AUC != nil && e.Selected == nil {
			aucs = append(aucs, *e.AUC)
		}
	}
	return aucs
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// TestShuffledLabelsTeachNothing checks that with shuffled support labels the model
// stays at chance. With the right labels this run has a mean of 0.70, and 0.80 or more
// from episode 48 on.
func TestShuffledLabelsTeachNothing(t *testing.T) {
	seconds(t)
	t.Chdir(t.TempDir())
	var aucs []float64
	for _, seed := range []string{"seed=0", "seed=1"} {
		ok(t, "train", "--out", seed, "--set", "data.cache=cache", "--set", "train.shuffle_labels=true", "--set", seed,
			"--set", "train.selection=last", "--set", "train.episodes=80", "--set", "train.evaluate_every=16", "--set", "train.learning_rate=0.004",
			"--set", "model.layers=2", "--set", "model.width=32", "--set", "model.pacia.relation.layers=2", "--set", "model.pacia.relation.width=32",
			"--set", "train.adaptivity=never", "--set", "threads=1")
		aucs = append(aucs, evaluations(t, seed)...)
	}
	// A seed's mean scatters by 0.03, that of two by 0.02.
	if mean := mean(aucs); len(aucs) != 10 || mean < 0.45 || mean > 0.55 {
		t.Errorf("mean ROC-AUC %.3f of %.3f, want 0.5 ± 0.05 of 10", mean, aucs)
	}
}
