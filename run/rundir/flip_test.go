package rundir

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pacia/harness/flip"
	"pacia/metrics"
)

// finished makes the folder of a finished run.
func finished(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		ConfigFile: "seed: 7\ndata:\n  path: embedded\nepisode:\n  shots: 10\ntrain:\n  episodes: 2\n  learning_rate: 0.001\n",
		MetricsFile: `{"episode":1,"loss":0.7,"grad_norm":1.5,"seconds":0.01}
{"episode":2,"loss":0.6,"grad_norm":1.25,"seconds":0.01}
{"episode":2,"auc_test":0.625,"auc_validation":0.5,"test":[{"task":"a","auc":0.625,"delta_auprc":0.125,"draws":1}],"queries":70,"seconds":0.5,"metric":"roc_auc"}
`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := Summary{Dataset: "embedded", Seed: 7, Shots: 10, Episodes: 2, Metric: "roc_auc", Last: metrics.Values{0.625},
		Selection: "last", BestEpisode: 2,
		PerTask: []TaskSummary{{Task: "a", Last: metrics.Values{0.625}}}, Parameters: map[string]int{"encoder": 12}, Total: 12, Seconds: 3}
	if _, err := WriteSummary(dir, s); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestDamagedRuns checks that a changed file of a finished run never gives other figures.
func TestDamagedRuns(t *testing.T) {
	for _, name := range []string{ConfigFile, MetricsFile, SummaryFile} {
		t.Run(name, func(t *testing.T) {
			dir := finished(t)
			flip.Check(t, filepath.Join(dir, name), func() (Run, error) {
				r, err := Read(dir)
				// Spaces in JSON, and names that differ in the case of letters, mean the same.
				r.Summary.Seal = nil
				return r, err
			})
		})
	}
}

// TestSealOfOthers checks that runs of earlier versions, which have no seal, can be read.
func TestSealOfOthers(t *testing.T) {
	dir := finished(t)
	path := filepath.Join(dir, SummaryFile)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, _, found := strings.Cut(string(text), ",\n  \"seal\"")
	if !found {
		t.Fatalf("no seal in %s", text)
	}
	if err := os.WriteFile(path, []byte(before+"\n}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := Read(dir)
	if err != nil || r.Summary.Last[0] != 0.625 || len(r.Evaluations) != 1 {
		t.Errorf("got %+v (%v)", r, err)
	}
}
