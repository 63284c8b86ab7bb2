package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDefaultRunLearns trains with the default settings: on tasks that the
// model has not seen it ranks well, by the honest choice of the model and by
// the last one.
func TestDefaultRunLearns(t *testing.T) {
	t.Chdir(t.TempDir())
	ok(t, "train", "--out", "run", "--set", "data.cache=cache")
	var s struct {
		Last      float64  `json:"auc_last"`
		Validated *float64 `json:"auc_validation_selected"`
	}
	text, err := os.ReadFile(filepath.Join("run", "summary.json"))
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	if err != nil {
		t.Fatal(err)
	}
	if s.Validated == nil || *s.Validated < 0.75 || s.Last < 0.75 {
		t.Errorf("held-out ROC-AUC below 0.75:\n%s", text)
	}
}

// TestShuffledLabelsTeachNothing is the same with support labels that mean
// nothing. One evaluation scatters by 0.05 around 0.5, because it depends on
// one draw of six support sets; their mean must not.
func TestShuffledLabelsTeachNothing(t *testing.T) {
	t.Chdir(t.TempDir())
	ok(t, "train", "--out", "run", "--set", "data.cache=cache", "--set", "train.shuffle_labels=true",
		"--set", "train.selection=last", "--set", "train.episodes=160", "--set", "train.evaluate_every=8")
	metrics, err := os.ReadFile(filepath.Join("run", "metrics.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var sum float64
	var n int
	for line := range strings.Lines(string(metrics)) {
		var e struct {
			AUC *float64 `json:"auc_test"`
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		if e.AUC != nil {
			sum, n = sum+*e.AUC, n+1
		}
	}
	if mean := sum / float64(n); n != 20 || mean < 0.45 || mean > 0.55 {
		t.Errorf("mean ROC-AUC %.3f of %d evaluations, want 0.5 ± 0.05 of 20", mean, n)
	}
}
