package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestDefaultRunLearns trains with the default settings: tasks that the model
// has not seen are ranked well. An evaluation scatters by 0.03, because it
// depends on one draw of six support sets; hence the mean over the second half
// of the run.
func TestDefaultRunLearns(t *testing.T) {
	seconds(t)
	t.Chdir(t.TempDir())
	ok(t, "train", "--out", "run", "--set", "data.cache=cache", "--set", "train.evaluate_every=50")
	aucs := evaluations(t)
	if mean := mean(aucs[len(aucs)/2:]); len(aucs) != 8 || mean < 0.75 {
		t.Errorf("mean held-out ROC-AUC %.3f in the second half of %.3f, want 0.75 or more of 8", mean, aucs)
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

// evaluations returns the test ROC-AUC of each evaluation of the run.
func evaluations(t *testing.T) (aucs []float64) {
	t.Helper()
	metrics, err := os.ReadFile(filepath.Join("run", "metrics.jsonl"))
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

// TestShuffledLabelsTeachNothing: support labels that mean nothing leave the
// model at chance.
func TestShuffledLabelsTeachNothing(t *testing.T) {
	seconds(t)
	var aucs []float64
	for _, seed := range []string{"seed=0", "seed=1"} {
		t.Chdir(t.TempDir())
		ok(t, "train", "--out", "run", "--set", "data.cache=cache", "--set", "train.shuffle_labels=true", "--set", seed,
			"--set", "train.selection=last", "--set", "train.episodes=160", "--set", "train.evaluate_every=8")
		aucs = append(aucs, evaluations(t)...)
	}
	// The mean of a seed's 20 scatters by 0.03, that of two by 0.02.
	if mean := mean(aucs); len(aucs) != 40 || mean < 0.45 || mean > 0.55 {
		t.Errorf("mean ROC-AUC %.3f of %.3f, want 0.5 ± 0.05 of 40", mean, aucs)
	}
}
