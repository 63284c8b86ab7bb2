package report

import (
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"pacia/metrics"
	"pacia/report/scores"
	"pacia/report/study"
	"pacia/run/rundir"
)

// benchmarked are the settings of a run by the protocol of FS-Mol.
var benchmarked = strings.Fields("dataset=fsmol hash=3 tasks=157 data.split=auto model.encoder=pna episode.support=64 episode.test_support=16 train.episodes=3000 " +
	"train.metric=delta_auprc train.test_every=last train.evaluation_draws=5")

// TestSectionsByMetric: runs with different metrics and draws are in different sections, each with figures of
// its metric. Figures that were not measured are absent, and the published figure is
// compared with the model that was chosen in the same way.
func TestSectionsByMetric(t *testing.T) {
	t.Chdir(t.TempDir())
	for seed := range uint64(2) {
		fake(t, fmt.Sprintf("old-%d", seed), seed)
		fake(t, fmt.Sprintf("delta-%d", seed), seed, "train.metric=delta_auprc")
		fake(t, fmt.Sprintf("once-%d", seed), seed, "train.metric=roc_auc", "train.test_every=last")
		fake(t, fmt.Sprintf("fsmol-%d", seed), seed, append([]string{"best=" + []string{"last", ""}[seed]}, benchmarked...)...)
	}
	r, err := Read(strings.Fields("old-0 old-1 delta-0 delta-1 once-0 once-1 fsmol-0 fsmol-1"), false)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range r.Sections {
		for _, row := range s.results().Rows() {
			got = append(got, s.Name()+"|"+strings.Join(row[2:], "|"))
		}
	}
	want := []string{
		"tox21, 10-shot|78.00 ± 0.00 [70.00, 90.00]|80.50 ± 0.71 [80.50, 80.50]|84.50 ± 0.71 [83.00, 85.00]|PACIA 84.25 ± 0.31, Table 1 (tab:results)|+0.25",
		"tox21, 10-shot|–|80.50 ± 0.71 [80.50, 80.50]|–|PACIA 84.25 ± 0.31, Table 1 (tab:results)|–",
		"tox21, 10-shot, ΔAUPRC|28.00 ± 0.00 [20.00, 40.00]|30.50 ± 0.71 [30.50, 30.50]|34.50 ± 0.71 [33.00, 35.00]|–|–",
		"fsmol, support 16, ΔAUPRC|–|30.50 ± 0.71 [30.50, 30.50]|–|PACIA 23.60 ± 0.80, Table 2 (tab:fsmol)|+6.90",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if g := r.Sections[0].Groups[1]; !math.IsNaN(g.Difference()) || g.Tasks[0].Last != nil || g.Tasks[0].Test != nil || g.Tasks[0].Validation.Mean != 0.805 {
		t.Errorf("a run that tested once: difference %v, task %+v", g.Difference(), g.Tasks[0])
	}
	if err := r.Draw(Measures{}); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range r.figures() {
		names = append(names, f.Name)
		if delta := strings.Contains(f.Name, "delta"); strings.Contains(f.Title+f.Caption, "ΔAUPRC") != delta || strings.Contains(f.Title+f.Caption, "ROC-AUC") == delta {
			if !strings.Contains(f.Name, "tasks") || strings.Contains(f.Title, "ROC-AUC") == delta {
				t.Errorf("%s: %s. %s", f.Name, f.Title, f.Caption)
			}
		}
	}
	for _, want := range []string{"tox21-10shot-learning", "tox21-delta-10shot-learning", "fsmol-delta-support16-learning"} {
		if !slices.Contains(names, want) {
			t.Errorf("figures %v lack %s", names, want)
		}
	}
	if len(slices.Compact(slices.Sorted(slices.Values(names)))) != len(names) {
		t.Errorf("figures %v", names)
	}
	checkWritten(t, r)
}

// checkWritten checks that the tables name the metric and the support sets, and that the text states on which
// tasks published figures are selected.
func checkWritten(t *testing.T, r *Report) {
	t.Helper()
	if err := r.Write("out"); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open("out/results.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	last := rows[len(rows)-1]
	want := []string{"fsmol", "", last[2], "validation", "2", "30.5000", "0.7071", last[7], last[8], "30.0000", "31.0000", "23.6", "0.8", "6.9000", "Table 2 (tab:fsmol)", "16", "delta_auprc"}
	if !slices.Equal(last, want) || len(rows) != 1+3+1+3+1 {
		t.Errorf("%d rows, the last\n%q\nwant\n%q", len(rows), last, want)
	}
	text, err := os.ReadFile("out/report.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), bothNote) || strings.Contains(string(text), "as published figures are") {
		t.Errorf("report.md describes the columns as:\n%s", text[:900])
	}
}

// TestTasksOfAllSeeds: a stratified draw may leave out a task for one seed. Only tasks that all seeds
// have are shown.
func TestTasksOfAllSeeds(t *testing.T) {
	t.Chdir(t.TempDir())
	fake(t, "a", 0, benchmarked...)
	fake(t, "b", 1, append(slices.Clone(benchmarked), "tasks=156")...)
	r, err := Read([]string{"a", "b"}, false)
	if err != nil {
		t.Fatal(err)
	}
	if g := r.Sections[0].Groups[0]; len(g.Tasks) != 156 || g.Published == nil {
		t.Errorf("%d tasks, published %v", len(g.Tasks), g.Published)
	}
}

// TestMeasuredByOtherProtocols: a run that tested once is compared with its summary. With several draws of a
// task, the caption states that nothing was compared. Methods without depths or stages
// get a note for each.
func TestMeasuredByOtherProtocols(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	t.Chdir(t.TempDir())
	fake(t, "once", 0, "train.test_every=last", "train.metric=roc_auc")
	fake(t, "draws", 0, append([]string{"tasks=2"}, benchmarked...)...)
	fake(t, "tuned", 0, "model.method=finetune")
	var against []float64
	measured := Measures{
		Scores: func(_ rundir.Run, recorded []metrics.Figures) ([]scores.Task, error) {
			against = append(against, recorded[0].Value(""))
			return []scores.Task{{Name: "SR-HSE", Labels: []uint8{0, 1, 1}, Scores: []float32{0.1, 0.9, 0.4}, Depths: []int32{1, 1, 1}}}, nil
		},
		Study: func(rundir.Run, []scores.Task) (*study.Study, *study.Groups, error) {
			return nil, nil, scores.Unfit{Err: errors.New("it has no stages")}
		},
	}
	r, err := Read([]string{"tuned", "once", "draws"}, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Draw(measured); err != nil {
		t.Fatal(err)
	}
	if want := []float64{0.7, 0.8, 0.8}; !slices.Equal(against, want) {
		t.Errorf("measured against %v, want %v", against, want)
	}
	for _, f := range r.figures() {
		compared := !strings.Contains(f.Caption, "It was not compared with the figures on record")
		if measured := strings.Contains(f.Name, "roc") || strings.Contains(f.Name, "precision") || strings.Contains(f.Name, "depths"); measured && compared == strings.HasPrefix(f.Name, "fsmol") {
			t.Errorf("%s: %s", f.Name, f.Caption)
		}
		if strings.Contains(f.Name, "10shot-depths-group1") {
			t.Error("depths of a fine-tuned model are drawn")
		}
		if strings.Contains(f.Name, "-depths") && !strings.Contains(f.Caption, "depth is not chosen: 100 % at 1.") {
			t.Errorf("%s does not state that all queries have the same depth: %s", f.Name, f.Caption)
		}
	}
	notes := strings.Join(r.Sections[0].Notes, "\n")
	for _, want := range []string{"Depths of tuned are not drawn: with model.method finetune no query has a depth of its own.", "The figures that look into the model of tuned are left out: it has no stages."} {
		if !strings.Contains(notes, want) {
			t.Errorf("notes lack %q:\n%s", want, notes)
		}
	}
}

// TestFiguresOverSupport: the metric over the size of support sets is drawn across sections.
func TestFiguresOverSupport(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, n := range []string{"16", "32"} {
		fake(t, n, 0, append(slices.Clone(benchmarked), "tasks=2", "episode.test_support="+n)...)
	}
	names, r := drawnOf(t, "16", "32")
	if n := number(r.Sections[1].Groups[0], testSupportSetting); n != 32 {
		t.Errorf("drawn over %v support molecules, want 32", n)
	}
	as := Group{Runs: []rundir.Run{{Settings: rundir.Settings{{Name: testSupportSetting, Value: "0"}}, Summary: rundir.Summary{Support: 64, TestSupport: 64}}}}
	if n := number(as, testSupportSetting); n != 64 {
		t.Errorf("tested as trained: drawn over %v support molecules, want 64", n)
	}
	if want := []string{"fsmol-delta-over-episode_test_support"}; !slices.Equal(names, want) || r.AcrossName() != "Over sizes of support sets" {
		t.Errorf("figures %v below %q, want %v", names, r.AcrossName(), want)
	}
}
