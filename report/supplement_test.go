package report

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pacia/metrics"
	"pacia/run/rundir"
)

// change rewrites the summary of a run.
func change(t *testing.T, dir string, f func(*rundir.Summary)) {
	t.Helper()
	path := filepath.Join(dir, rundir.SummaryFile)
	text, err := os.ReadFile(path)
	var s rundir.Summary
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	if err == nil {
		f(&s)
		text, err = json.Marshal(s)
	}
	if err == nil {
		err = os.WriteFile(path, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// written returns the report of these runs as Markdown and HTML, and the rows of one of its tables.
func written(t *testing.T, table string, runs ...string) (markdown, page string, rows [][]string) {
	t.Helper()
	r, err := Read(runs, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Write("out"); err != nil {
		t.Fatal(err)
	}
	var text [3][]byte
	for i, name := range []string{"report.md", "report.html", table} {
		if text[i], err = os.ReadFile(filepath.Join("out", name)); err != nil {
			t.Fatal(err)
		}
	}
	if rows, err = csv.NewReader(strings.NewReader(string(text[2]))).ReadAll(); err != nil {
		t.Fatal(err)
	}
	return string(text[0]), string(text[1]), rows
}

// TestAdaptivityOfGroups: the table has means over seeds, an explanation, and a
// collapsed depth in words. A group with a seed that lacks adaptivity has no row.
func TestAdaptivityOfGroups(t *testing.T) {
	t.Chdir(t.TempDir())
	for seed := range uint64(3) {
		dir := fmt.Sprintf("run-%d", seed)
		fake(t, dir, seed)
		change(t, dir, func(s *rundir.Summary) {
			v := 0.01 * float64(seed)
			s.Adaptivity = &metrics.Adaptivity{
				Draws: 2, Queries: 100, Known: 25, Own: metrics.Values{0.75 + v}, Swapped: metrics.Values{0.25 - v},
				Adaptivity: metrics.Values{0.5 + 2*v},
				Static:     metrics.Values{0.7}, Depths: []int{1, 999},
			}
			for i := range s.PerTask {
				s.PerTask[i].Adaptivity = &metrics.Adaptivity{Own: metrics.Values{0.7 + v + 0.1*float64(i)},
					Swapped: metrics.Values{0}, Adaptivity: metrics.Values{0}}
			}
		})
	}
	fake(t, "old", 7, "model.adapt.encoder=none")
	markdown, page, rows := written(t, "adaptivity.csv", "run-0", "run-1", "run-2", "old")
	for _, want := range []string{
		"### Adaptivity of the selected models, test ROC-AUC",
		"| 3 | 76.00 ± 1.00 [71.00, 81.00] | 24.00 ± 1.00 [0.00, 0.00] | 52.00 ± 2.00 [0.00, 0.00] | – | 70.00 ± 0.00 | depth is not chosen: 100 % at 2 | 25 % of the queries are molecules of the training tasks |",
		metrics.AdaptivityNote + " " + metrics.StaticNote,
	} {
		if !strings.Contains(markdown, want) {
			t.Errorf("report.md lacks %q:\n%s", want, markdown)
		}
	}
	if !strings.Contains(page, "depth is not chosen: 100 % at 2") {
		t.Error("report.html lacks the depth in words")
	}
	if len(rows) != 1+4 || rows[3][3] != "adaptivity" || rows[3][5] != "52.0000" || rows[4][3] != "static_score" {
		t.Errorf("adaptivity.csv: %q", rows)
	}
	if markdown, _, rows = written(t, "adaptivity.csv", "old"); strings.Contains(markdown, "Adaptivity") || len(rows) != 1 {
		t.Errorf("a run without it has %q:\n%s", rows, markdown)
	}
}

// TestCategoriesOfGroups: the table has means over the tasks of each category for the selections that
// the runs have, beside the published ones if the runs have all tasks of FS-Mol.
func TestCategoriesOfGroups(t *testing.T) {
	t.Chdir(t.TempDir())
	for seed := range uint64(2) {
		dir := fmt.Sprintf("run-%d", seed)
		fake(t, dir, seed, "dataset=fsmol", "data.split=auto", "tasks=157", "train.metric=delta_auprc", "model.encoder=pna", "episode.test_support=16", "train.episodes=3000")
		change(t, dir, func(s *rundir.Summary) {
			for i, name := range []string{"CHEMBL1119333", "CHEMBL1243967", "CHEMBL1243970"} { // a hydrolase, two transferases
				v := 0.2 + 0.1*float64(i) + 0.01*float64(seed)
				s.PerTask[i].Task, s.PerTask[i].ValidationSelected = name, metrics.Values{v + 0.5, v}
			}
		})
	}
	markdown, _, rows := written(t, "categories.csv", "run-0", "run-1")
	for _, want := range []string{
		"### Test ΔAUPRC by category of tasks",
		"| PACIA | kinases | 2 | ", " | PACIA 25.1 ± 1.6, Table 2 (tab:fsmol) |",
		"| PACIA | hydrolases | 1 | ", " | PACIA 21.9 ± 2.9, Table 2 (tab:fsmol) |",
	} {
		if !strings.Contains(markdown, want) {
			t.Errorf("report.md lacks %q:\n%s", want, markdown[:min(len(markdown), 6000)])
		}
	}
	// The mean of tasks with 35 and 36 per cent.
	if len(rows) != 1+2*3 || rows[2][3] != "kinases" || rows[2][5] != "validation" || rows[2][7] != "35.5000" || rows[2][9] != "30.5000" || rows[2][10] != "40.5000" || rows[5][7] != "20.5000" {
		t.Errorf("categories.csv: %q", rows)
	}
}
