package train

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pacia/data/workers"
	"pacia/internal/badinput"
	"pacia/ops"
	"pacia/run/runconfig"
	"pacia/run/rundir"
)

func TestARunLeavesItsFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "run")
	c := assaysConfig(t)
	rec, summary := trainFake(t, c, dir, false)

	if got := rec.start; len(got.Train) != 4 || len(got.Validation) != 1 || !slices.Equal(got.Test, []string{"long", "ring"}) ||
		got.Molecules != 220 || got.TasksPerStep != 2 || got.Adaptive != 3 || len(got.Notes) != 0 {
		t.Errorf("the run starts as %+v", got)
	}
	if len(rec.steps) != 12 || len(rec.evaluations) != 3 || rec.done == nil || !reflect.DeepEqual(*rec.done, summary) {
		t.Errorf("%d steps, %d evaluations and the end %v are reported, want 12, 3 and %+v", len(rec.steps), len(rec.evaluations), rec.done, summary)
	}
	for i, e := range rec.evaluations {
		if e.Episode != 4*(i+1) || e.TestMean[0] < 0 || e.TestMean[0] > 1 || e.ValidationMean == nil || len(e.Test) != 2 {
			t.Errorf("evaluation %d is %+v", i, e)
		}
	}
	var written rundir.Summary
	text, err := os.ReadFile(filepath.Join(dir, rundir.SummaryFile))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &written); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(written, summary) {
		t.Errorf("summary.json holds %+v, Run returns %+v", written, summary)
	}
	if summary.Episodes != 12 || !slices.Equal(summary.Last, rec.evaluations[2].TestMean) || summary.Total != features ||
		summary.Seconds <= 0 {
		t.Errorf("summary %+v", summary)
	}
	last, meta := content(t, filepath.Join(dir, rundir.LastFile))
	best, bestMeta := content(t, filepath.Join(dir, rundir.BestFile))
	if meta.Episode() != 12 || meta.AdamSteps != 12 || len(last) != 2 {
		t.Errorf("last.ckpt is of episode %d, %d updates, %d tensors", meta.Episode(), meta.AdamSteps, len(last))
	}
	if bestMeta.Episode() != summary.BestEpisode || len(best) != 1 {
		t.Errorf("best.ckpt is of episode %d with %d tensors, want episode %d and no optimiser", bestMeta.Episode(), len(best), summary.BestEpisode)
	}
	want := c
	if want.Data, err = c.Data.Located(); err != nil {
		t.Fatal(err)
	}
	if config, err := runconfig.Decode([]byte(files(t, dir)[rundir.ConfigFile])); err != nil || config != want {
		t.Errorf("config.yaml holds %+v (%v), want %+v", config, err, want)
	}
}

// TestWhatIsNotFiniteStopsTheRun also where later steps are submitted already:
// of the steps 7 to 9, taken together, the second fails.
func TestWhatIsNotFiniteStopsTheRun(t *testing.T) {
	for _, tt := range []struct {
		name   string
		ahead  int
		broken func(*fake)
	}{
		{"loss", 1, func(f *fake) { f.nanLossAt = 7 }},
		{"gradient", 1, func(f *fake) { f.nanNormAt = 7 }},
		{"loss, three steps ahead", 3, func(f *fake) { f.nanLossAt = 7 }},
		{"gradient, three steps ahead", 3, func(f *fake) { f.nanNormAt = 7 }},
	} {
		build := func(runconfig.Config, []int) (learner, error) {
			f := fakeAhead(tt.ahead)
			tt.broken(f)
			return f, nil
		}
		c, dir, rec := assaysConfig(t), t.TempDir(), &recorder{}
		c.Train.EvaluateEvery = 6
		err := trainSettled(t, build, c, dir, rec)
		if !errors.Is(err, ops.ErrNotFinite) || !strings.HasPrefix(err.Error(), "episode 8 (") {
			t.Errorf("%s: got %v, want ErrNotFinite of episode 8", tt.name, err)
		}
		if len(rec.steps) != 7 {
			t.Errorf("%s: %d steps are reported, want 7", tt.name, len(rec.steps))
		}
		if _, meta := content(t, filepath.Join(dir, rundir.LastFile)); meta.Episode() != 6 {
			t.Errorf("%s: last.ckpt is of episode %d, want 6, the last one saved", tt.name, meta.Episode())
		}
		checkFailure(t, c, dir)
		if err != nil && !strings.Contains(err.Error(), filepath.Join(dir, rundir.FailureFile)) {
			t.Errorf("%s: %v does not name the file with the episode", tt.name, err)
		}
	}
}

// checkFailure compares failed-episode.json with episode 8, drawn again.
func checkFailure(t *testing.T, c runconfig.Config, dir string) {
	t.Helper()
	var record struct {
		Episode int
		Seed    uint64
		Dropout uint64
		Tasks   []struct {
			Task          string
			SupportRows   []int32 `json:"support_rows"`
			SupportLabels []uint8 `json:"-"`
			QueryRows     []int32 `json:"query_rows"`
			QueryLabels   []int   `json:"query_labels"`
		}
	}
	if err := json.Unmarshal([]byte(readFile(t, filepath.Join(dir, rundir.FailureFile))), &record); err != nil {
		t.Fatal(err)
	}
	r, _, err := prepare(context.Background(), newFake, nil, c, t.TempDir(), false)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	want, err := r.episodes.draw(8)
	if err != nil {
		t.Fatal(err)
	}
	if record.Episode != 8 || record.Seed != c.Seed || record.Dropout != want.Dropout || len(record.Tasks) != 2 {
		t.Fatalf("the failed episode is written as %+v", record)
	}
	for i, task := range record.Tasks {
		ep := want.Tasks[i]
		if task.Task != r.data.Tasks[ep.Task].Name || !slices.Equal(task.SupportRows, ep.Support) ||
			!slices.Equal(task.QueryRows, ep.Query) || !slices.Equal(task.QueryLabels, numbers(ep.QueryLabels)) {
			t.Errorf("task %d is written as %+v, want %+v", i, task, ep)
		}
	}
}

func TestTooManyTasksPerStepAreReduced(t *testing.T) {
	c := assaysConfig(t)
	c.Train.TasksPerStep, c.Train.Episodes = 9, 2
	rec, _ := trainFake(t, c, t.TempDir(), false)
	if rec.start.TasksPerStep != 4 || len(rec.start.Notes) != 1 || !strings.Contains(rec.start.Notes[0], "from 9 to 4") {
		t.Errorf("%d tasks per step, notes %q", rec.start.TasksPerStep, rec.start.Notes)
	}
}

func TestTasksThatCannotBeUsedAreFaults(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*runconfig.Config)
		want   string
	}{
		{"too few for K", func(c *runconfig.Config) { c.Episode.Shots = 100 }, "at least 101"},
		{"too few for K, held out", func(c *runconfig.Config) { c.Episode.Shots = 100 }, ": held out for validation, "},
		{"too few for K, a way out", func(c *runconfig.Config) { c.Episode.Shots = 100 }, ", or write train.selection=last"},
		{"one task", func(c *runconfig.Config) { c.Data.Label, c.Data.Split = "nitrogen", "auto" },
			"has one task, nitrogen: training needs another one"},
		{"nothing to hold out from", func(c *runconfig.Config) { c.Data.Split = "0/5" }, "train.selection=last"},
		{"too many held out", func(c *runconfig.Config) { c.Train.ValidationTasks = 5 }, "5 of 5 training tasks"},
		{"no such task", func(c *runconfig.Config) { c.Data.Split = "0-3/99" }, "99"},
		{"no such file", func(c *runconfig.Config) { c.Data.Path = "testdata/none.csv" }, "none.csv"},
	} {
		c, dir := assaysConfig(t), filepath.Join(t.TempDir(), "run")
		tt.change(&c)
		_, err := runWith(context.Background(), newFake, c, dir, false, &recorder{})
		if !badinput.Is(err) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want a fault with %q", tt.name, err, tt.want)
		}
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("%s: the output folder was made", tt.name)
		}
	}
}

// TestStoppedWhileTheDataSetIsOpened: nothing was begun, and nothing is left behind.
func TestStoppedWhileTheDataSetIsOpened(t *testing.T) {
	for _, replicas := range []int{1, 2} {
		ctx, cancel := context.WithCancel(context.Background())
		ctx = workers.WithProgress(ctx, func(string, int, int) { cancel() })
		c, dir := assaysConfig(t), filepath.Join(t.TempDir(), "run")
		c.Data.Cache, c.Train.Replicas = t.TempDir(), replicas
		var err error
		if replicas > 1 {
			_, err = RunReplicas(ctx, c, dir, false, &choir{})
		} else {
			_, err = Run(ctx, c, dir, false, &recorder{})
		}
		if !errors.Is(err, ErrNotBegun) || !errors.Is(err, ErrStopped) {
			t.Errorf("%d replicas: %v, want %v", replicas, err, ErrNotBegun)
		}
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("%d replicas: there is a folder of the run", replicas)
		}
	}
}
