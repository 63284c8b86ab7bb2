package report

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pacia/internal/badinput"
	"pacia/internal/each"
	"pacia/metrics"
	"pacia/report/scores"
	"pacia/report/study"
	"pacia/run/rundir"
)

// TestFileName: names of any length and script give valid and distinct names of files.
func TestFileName(t *testing.T) {
	long := strings.Repeat("µ", 5000)
	a, b := fileName(long), fileName(long+"x")
	if len(a) > 100 || a == b || fileName("tox21") != "tox21" {
		t.Errorf("%q, %q, %q", a, b, fileName("tox21"))
	}
	seen := map[string]bool{}
	for _, name := range []string{"数据", "毒性", "__", "a.b", "a_b", long} {
		got := fileName(name)
		if seen[got] || inFileName(got) != got {
			t.Errorf("%q has the file name %q", name, got)
		}
		seen[got] = true
	}
}

// TestFiguresOfSimilarNames: figures of data sets have names of their own, also where a data set is called as
// another one with its metric.
func TestFiguresOfSimilarNames(t *testing.T) {
	t.Chdir(t.TempDir())
	fake(t, "delta", 0, "train.metric=delta_auprc", "dataset=library")
	fake(t, "named", 0, "dataset=library-delta", "hash=2")
	fake(t, "upper", 0, "dataset=LIBRARY-delta", "hash=3")
	_, r := drawnOf(t, "delta", "named", "upper")
	names := each.Of(r.figures(), func(f Figure) string { return f.Name })
	want := []string{"library-delta-10shot-learning", "library-delta-10shot-tasks", "library-delta-10shot-learning-2",
		"library-delta-10shot-tasks-2", "LIBRARY-delta-10shot-learning-3", "LIBRARY-delta-10shot-tasks-3"}
	if !slices.Equal(names, want) {
		t.Errorf("figures %q,\nwant %q", names, want)
	}
}

// TestStudied: the run to look into may be named by another path.
func TestStudied(t *testing.T) {
	t.Chdir(t.TempDir())
	fake(t, "a", 0)
	fake(t, "b", 1)
	r, err := Read([]string{"a", "b"}, false)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := filepath.Abs("b")
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"b", "./b/", "a/../b", whole} {
		if run, err := r.Studied(dir); err != nil || run.Dir != "b" {
			t.Errorf("%s: %q (%v), want b", dir, run.Dir, err)
		}
	}
	if _, err := r.Studied("c"); !badinput.Is(err) {
		t.Errorf("a run that is not one of the report: %v", err)
	}
}

// TestNoStudyOfAnotherModel: a model that does not have the figures on record is not looked into.
func TestNoStudyOfAnotherModel(t *testing.T) {
	t.Chdir(t.TempDir())
	fake(t, "run", 0)
	r, err := Read([]string{"run"}, false)
	if err != nil {
		t.Fatal(err)
	}
	m := Measures{
		Scores: func(rundir.Run, []metrics.Figures) ([]scores.Task, error) {
			return nil, scores.Unfit{Err: badinput.Newf("another model")}
		},
		Study: func(rundir.Run, []scores.Task) (*study.Study, *study.Groups, error) {
			t.Error("the model is looked into")
			return nil, nil, badinput.Newf("x")
		},
	}
	if err := r.Draw(m); err != nil {
		t.Fatal(err)
	}
	if want := "The figures that look into the model of run are left out: another model."; !slices.Contains(r.Sections[0].Notes, want) {
		t.Errorf("notes %q lack %q", r.Sections[0].Notes, want)
	}
}
