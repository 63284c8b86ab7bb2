package report

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pacia/internal/badinput"
	"pacia/metrics"
	"pacia/report/scores"
	"pacia/run/rundir"
)

// TestSpread: a Spread has the mean and deviation of its seeds, and the interval of its tasks,
// which stays within their range.
func TestSpread(t *testing.T) {
	three := spread([]float64{0.97, 0.98, 0.99})
	if math.Abs(three.Mean-0.98) > 1e-12 || math.Abs(three.Deviation-0.01) > 1e-12 || !math.IsNaN(three.Low) {
		t.Errorf("three seeds: %+v", three)
	}
	if got := three.String(); got != "98.00 ± 1.00" {
		t.Errorf("formatted without tasks as %s", got)
	}
	// With two tasks, 1 in 4 resamples has the same task twice.
	three.over([]float64{0.96, 1})
	if got := three.String(); got != "98.00 ± 1.00 [96.00, 100.00]" {
		t.Errorf("formatted with two tasks as %s", got)
	}
	one := spread([]float64{0.5})
	if got := one.String(); got != "50.00" {
		t.Errorf("one seed: %s", got)
	}
	one.over([]float64{0.4, 0.6})
	if got := one.String(); got != "50.00 [40.00, 60.00]" {
		t.Errorf("one seed of two tasks: %s", got)
	}
	var none *Spread
	if none.over([]float64{1, 2}); none.String() != "–" {
		t.Errorf("none: %s", none.String())
	}
}

// TestGroupsAndSections: runs that differ only in the seed form a group. Another data set
// or number of shots has its own table.
func TestGroupsAndSections(t *testing.T) {
	t.Chdir(t.TempDir())
	for seed := range uint64(3) {
		fake(t, fmt.Sprintf("paper-%d", seed), seed, "threads="+fmt.Sprint(seed))
		fake(t, fmt.Sprintf("none-%d", seed), seed, "model.adapt.encoder=none")
	}
	fake(t, "one", 7, "episode.shots=1", "model.pretrained=gin.ckpt")
	fake(t, "other", 0, "dataset=mine", "data.split=0-3/4", "hash=2", "train.episodes=300")
	r, err := Read([]string{"paper-2", "paper-0", "none-0", "none-1", "none-2", "paper-1", "one", "other", "./other"}, false)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range r.Sections {
		for _, g := range s.Groups {
			row := fmt.Sprintf("%s|%s|", s.Name(), g.Label)
			for _, run := range g.Runs {
				row += fmt.Sprint(run.Summary.Seed)
			}
			if g.Published != nil {
				row += fmt.Sprintf("|%s %.2f, %+.2f", g.Published.Method, g.Published.Mean, g.Difference())
			}
			got = append(got, row)
		}
	}
	want := []string{
		"tox21, 10-shot|model.adapt.encoder=N|012|PACIA 84.25, +0.75",
		"tox21, 10-shot|model.adapt.encoder=none|012",
		"tox21, 1-shot|Pre-PACIA|7|Pre-PACIA 84.35, +6.65",
		"mine, 10-shot|PACIA|0",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	g := r.Sections[0].Groups[0]
	if g.Validation.String() != "81.00 ± 1.00 [81.00, 81.00]" || g.Tasks[1].Name != "SR-p53" || g.Tasks[1].Last.String() != "90.00 ± 0.00" {
		t.Errorf("chosen on validation %s, tasks %+v", g.Validation, g.Tasks)
	}
}

func TestIncomparableRunsAreRefused(t *testing.T) {
	t.Chdir(t.TempDir())
	fake(t, "a", 0)
	fake(t, "b", 0)
	fake(t, "c", 1, "hash=2")
	fake(t, "d", 1, "hash=2", "model.adapt.encoder=none")
	fake(t, "half", 2)
	if err := os.Remove("half/summary.json"); err != nil {
		t.Fatal(err)
	}
	fake(t, "damaged", 3)
	if err := os.WriteFile("damaged/summary.json", []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ runs, want string }{
		{"a b", "b: the run has the settings and the seed 0 of a; leave one of them out"},
		{"a c", "c: the run was trained on another file called tox21 than a; report on them apart"},
		{"a d", "d: the run was trained on another file called tox21 than a; report on them apart"},
		{"a half", "half: the run has not finished: 25000 of 25000 episodes; pacia train --resume --out half continues it; --skip-unfinished leaves it out"},
		{"damaged", "damaged/summary.json: cannot be understood: unexpected end of JSON input; leave this run out, or train it again"},
		{"none", "none: is not the folder of a run: no such file or directory; check its name"},
	} {
		_, err := Read(strings.Fields(tt.runs), false)
		if err == nil || err.Error() != tt.want || !badinput.Is(err) {
			t.Errorf("%s: %v\nwant %s", tt.runs, err, tt.want)
		}
	}
	r, err := Read([]string{"a", "half"}, true)
	if err != nil || len(r.LeftOut) != 1 || len(r.Sections[0].Groups[0].Runs) != 1 {
		t.Errorf("without the unfinished: %+v (%v)", r, err)
	}
	if _, err := Read([]string{"half"}, true); err == nil || err.Error() != "there is no finished run to report on; name folders of finished runs" {
		t.Errorf("no run remains: %v", err)
	}
}

// TestWrite: a report is complete. Every table has its rows, and every picture is on the page.
func TestWrite(t *testing.T) {
	t.Chdir(t.TempDir())
	for seed := range uint64(3) {
		fake(t, fmt.Sprintf("runs/%d", seed), seed)
	}
	r, err := Read([]string{"runs/0", "runs/1", "runs/2"}, false)
	if err != nil {
		t.Fatal(err)
	}
	measured := func(run rundir.Run, recorded []metrics.Figures) ([]scores.Task, error) {
		if run.Dir != "runs/0" || recorded[1].Task != "SR-p53" {
			t.Errorf("%s is compared with %v", run.Dir, recorded)
		}
		return []scores.Task{
			{Name: "SR-HSE", Labels: []uint8{0, 1, 0, 1}, Scores: []float32{0.1, 0.9, 0.4, 0.4}, Depths: []int32{1, 2, 5, 5}},
			{Name: "SR-<p53>", Labels: []uint8{0, 1, 1}, Scores: []float32{0.1, 0.9, 0.4}, Depths: []int32{1, 1, 1}},
		}, nil
	}
	if err := r.Draw(Measures{Scores: measured}); err != nil {
		t.Fatal(err)
	}
	if err := r.Write("out"); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("out/report.html")
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(page), `src="data:image/svg&#43;xml;base64,`); n != 5 {
		t.Errorf("%d pictures are on the page, want 5", n)
	}
	if strings.Contains(string(page), "http") && !strings.Contains(string(page), "base64") || strings.Contains(string(page), "ZgotmplZ") {
		t.Error("the page is not self-contained")
	}
	markdown, err := os.ReadFile("out/report.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"## tox21, 10-shot\n",
		"| PACIA | 3 | 78.00 ± 0.00 [70.00, 90.00] | 81.00 ± 1.00 [81.00, 81.00] | 85.00 ± 1.00 [83.00, 85.00] | PACIA 84.25 ± 0.31, Table 1 (tab:results) | +0.75 |\n",
		"selected on the test tasks themselves", "](figures/tox21-10shot-rankings.svg)",
	} {
		if !strings.Contains(string(markdown), want) {
			t.Errorf("report.md lacks %q:\n%s", want, markdown)
		}
	}
	for name, rows := range map[string]int{"runs.csv": 4, "results.csv": 4, "tasks.csv": 7} {
		f, err := os.Open(filepath.Join("out", name))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if all, err := csv.NewReader(f).ReadAll(); err != nil || len(all) != rows {
			t.Errorf("%s has %d rows, want %d (%v)", name, len(all), rows, err)
		}
	}
	if files, _ := filepath.Glob("out/figures/*"); len(files) != 15 {
		t.Errorf("figures %v", files)
	}
}

// TestNotesOnFailedMeasurements: failed measurements are reported, and the rest of the report is made.
func TestNotesOnFailedMeasurements(t *testing.T) {
	t.Chdir(t.TempDir())
	fake(t, "run", 0)
	r, err := Read([]string{"run"}, false)
	if err != nil {
		t.Fatal(err)
	}
	failing := badinput.Newf("tox21.csv.gz: no such file\nand more")
	fails := func(err error) Measures {
		return Measures{Scores: func(rundir.Run, []metrics.Figures) ([]scores.Task, error) { return nil, err }}
	}
	const want = "tox21, 10-shot: curves and depths of run: tox21.csv.gz: no such file"
	if err := r.Draw(fails(failing)); !badinput.Is(err) || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("data that cannot be read: %v", err)
	}
	if r, err = Read([]string{"run"}, false); err != nil {
		t.Fatal(err)
	}
	if err := r.Draw(fails(scores.Unfit{Err: failing})); err != nil {
		t.Fatal(err)
	}
	s := r.Sections[0]
	if len(s.Figures) != 2 || len(s.Notes) != 1 || !strings.HasPrefix(s.Notes[0], "Curves and depths of run are left out: tox21.csv.gz: no such file") {
		t.Errorf("%d figures, notes %q", len(s.Figures), s.Notes)
	}
}

// TestCurvesAgreeWithTheirFigures: the area under the ROC curve is the ROC-AUC, and the
// steps of the precision-recall curve give the average precision, also with ties.
func TestCurvesAgreeWithTheirFigures(t *testing.T) {
	labels := []uint8{0, 1, 0, 1, 1, 0, 1, 0, 0, 1}
	values := []float32{0.1, 0.9, 0.4, 0.4, 0.4, 0.9, 0.8, 0.2, 0.2, 0.05}
	c := metricCurves(labels, values)
	var area, precision float64
	for i := 1; i < len(c.fpr); i++ {
		area += (c.fpr[i] - c.fpr[i-1]) * (c.tpr[i] + c.tpr[i-1]) / 2
		precision += (c.tpr[i] - c.tpr[i-1]) * c.precision[i]
	}
	if want := metrics.ROCAUC(labels, values); math.Abs(area-want) > 1e-12 {
		t.Errorf("area %v, ROC-AUC %v", area, want)
	}
	if want := metrics.AveragePrecision(labels, values); math.Abs(precision-want) > 1e-12 {
		t.Errorf("steps %v, average precision %v", precision, want)
	}
	if n := len(c.fpr); c.active != 0.5 || c.fpr[n-1] != 1 || c.tpr[n-1] != 1 {
		t.Errorf("the curves end at (%v, %v)", c.fpr[n-1], c.tpr[n-1])
	}
}

// TestOtherTestTasks: a note is added if configurations have different test tasks, and is not added if all have
// the same ones.
func TestOtherTestTasks(t *testing.T) {
	t.Chdir(t.TempDir())
	fake(t, "two", 0)
	fake(t, "fewer-steps", 0, "train.episodes=200")
	fake(t, "three", 0, "data.split=0-8/9-11", "tasks=3")
	for _, tt := range []struct {
		dirs, want string
	}{
		{"two three", "The test tasks differ: 2 of 3 are common to all configurations. Means over different tasks cannot be compared."},
		{"two fewer-steps", ""},
	} {
		r, err := Read(strings.Fields(tt.dirs), false)
		if err != nil {
			t.Fatal(err)
		}
		notes := strings.Join(r.Sections[0].Notes, "\n")
		if !strings.Contains(notes, tt.want) || strings.Contains(notes, "The test tasks differ") != (tt.want != "") {
			t.Errorf("%s: notes %q, want %q", tt.dirs, notes, tt.want)
		}
	}
}
