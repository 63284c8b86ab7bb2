package report

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pacia/internal/safetensors"
	"pacia/metrics"
	"pacia/run/runconfig"
	"pacia/run/rundir"
)

// fake writes the folder of a finished run on Tox21, 10-shot. Its figures depend on its seed; more replaces
// settings. With tasks=N it has N test tasks. With train.test_every=last it lacks the evaluations that such a
// run lacks; best=last makes the last model the selected one.
func fake(t *testing.T, dir string, seed uint64, more ...string) {
	t.Helper()
	settings := map[string]string{
		"model.encoder": "gin", "model.preset": "paper", "model.pretrained": "", "model.adapt.encoder": "N", "model.adapt.predictor": "D",
		"data.path": "tox21.csv.gz", "data.split": "tox21", "dataset": "tox21", "hash": "1", "episode.shots": "10",
		"train.shuffle_labels": "false", "threads": "0", "train.episodes": "25000",
	}
	for _, s := range more {
		name, value, _ := strings.Cut(s, "=")
		settings[name] = value
	}
	text := fmt.Sprintf("seed: %d\n", seed)
	for _, name := range []string{"model.method", "model.relation.layers", "episode.support", "episode.test_support", "train.metric", "train.evaluation_draws", "train.test_every", "model.hyper.labels"} { // earlier runs lack them
		if settings[name] != "" {
			text += fmt.Sprintf("%s: %q\n", name, settings[name])
		}
	}
	for _, name := range []string{"threads", "data.path", "data.split", "episode.shots", "model.preset", "model.encoder", "model.pretrained", "model.adapt.encoder", "model.adapt.predictor", "train.episodes", "train.shuffle_labels"} {
		text += fmt.Sprintf("%s: %q\n", name, settings[name])
	}
	validation := 0.80 + 0.01*float64(seed)
	tasks := []rundir.TaskSummary{{Task: "SR-HSE", Last: metrics.Values{0.7},
		ValidationSelected: metrics.Values{validation}, BestOnTest: metrics.Values{0.85}}, {Task: "SR-p53",
		Last: metrics.Values{0.9}, ValidationSelected: metrics.Values{validation}, BestOnTest: metrics.Values{0.83}}}
	s := rundir.Summary{
		Dataset: settings["dataset"], Seed: seed, Episodes: 25000, Last: metrics.Values{0.78}, ValidationSelected: metrics.Values{validation},
		BestOnTest: metrics.Values{0.84 + 0.01*float64(seed)}, Selection: "validation", BestEpisode: 20000, PerTask: tasks, Seconds: 100,
	}
	_, _ = fmt.Sscan(settings["episode.shots"], &s.Shots)
	_, _ = fmt.Sscan(settings["episode.test_support"], &s.TestSupport)
	var n int
	_, _ = fmt.Sscan(settings["tasks"], &n)
	for i := len(s.PerTask); i < n; i++ {
		s.PerTask = append(s.PerTask, rundir.TaskSummary{Task: fmt.Sprint("task ", i), Last: metrics.Values{0.7},
			ValidationSelected: metrics.Values{validation}, BestOnTest: metrics.Values{0.85}})
	}
	if s.Metric = settings["train.metric"]; s.Metric != "" {
		withDelta(&s)
	}
	if settings["train.test_every"] == runconfig.TestLast {
		testedLast(&s, settings["best"] == "last")
	}
	summary, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	lines := ""
	for _, e := range []int{10000, 20000, 25000} {
		info := rundir.Evaluation{Episode: e, TestMean: metrics.Values{0.7 + 0.01*float64(seed)},
			Test: []metrics.Figures{{Task: "SR-HSE", Values: metrics.Values{0.7}}, {Task: "SR-p53", Values: metrics.Values{0.7}}}}
		if info.Metric = settings["train.metric"]; info.Metric != "" {
			info.TestMean, info.ValidationMean = lower(info.TestMean), lower(metrics.Values{validation})
		}
		if settings["train.test_every"] == runconfig.TestLast {
			info.TestMean, info.Test = nil, nil
		}
		entry, err := json.Marshal(info)
		if err != nil {
			t.Fatal(err)
		}
		lines += string(entry) + "\n"
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{rundir.ConfigFile: text, rundir.SummaryFile: string(summary), rundir.MetricsFile: lines} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	about := map[string]string{"run": `{"data_sha256":"` + settings["hash"] + `"}`}
	if err := safetensors.Write(filepath.Join(dir, rundir.BestFile), about, nil); err != nil {
		t.Fatal(err)
	}
}

// lower adds the ΔAUPRC of fake runs, 0.5 below the ROC-AUC.
func lower(auc metrics.Values) metrics.Values {
	if auc == nil {
		return nil
	}
	return metrics.Values{auc[0], auc[0] - 0.5}
}

// withDelta adds ΔAUPRCs.
func withDelta(s *rundir.Summary) {
	s.Last, s.ValidationSelected, s.BestOnTest = lower(s.Last), lower(s.ValidationSelected), lower(s.BestOnTest)
	for i := range s.PerTask {
		t := &s.PerTask[i]
		t.Last, t.ValidationSelected, t.BestOnTest = lower(t.Last), lower(t.ValidationSelected), lower(t.BestOnTest)
	}
}

// testedLast removes the figures that a run lacks if it tested only once, with the selected
// model.
func testedLast(s *rundir.Summary, last bool) {
	s.BestOnTest = nil
	if !last {
		s.Last = nil
	}
	for i := range s.PerTask {
		t := &s.PerTask[i]
		t.BestOnTest = nil
		if !last {
			t.Last = nil
		}
	}
}
