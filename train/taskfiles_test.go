package train

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pacia/data/source/fsmol"
	"pacia/evaluate"
	"pacia/metrics"
	"pacia/ops"
	"pacia/run/runconfig"
	"pacia/run/rundir"
)

// taskFiles makes a folder of task files from testdata/assays.csv: four training
// tasks, a validation task and two test tasks.
func taskFiles(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "tasks")
	if _, err := fsmol.FromCSV("testdata/assays.csv", dir, fsmol.ConvertOptions{Split: "0-4/5-6", Valid: 1}); err != nil {
		t.Fatal(err)
	}
	return dir
}

// taskFilesConfig returns the settings of a short run on task files by the
// benchmark's protocol, with support sets that are not balanced.
func taskFilesConfig(t *testing.T, encoder string) runconfig.Config {
	t.Helper()
	c := tinyConfig(t)
	c.Data.Path, c.Data.Split = taskFiles(t), "auto"
	c.Model.Encoder = encoder
	c.Episode.Support, c.Episode.TestSupport, c.Episode.Queries = 11, 8, 12
	c.Train.Metric, c.Train.EvaluationDraws, c.Train.TestEvery = metrics.NameDeltaAUPRC, 2, runconfig.TestLast
	c.Train.Episodes, c.Train.EvaluateEvery, c.Train.CheckpointEvery = 4, 2, 2
	return c
}

// TestTrainOnTaskFiles trains with either kind of atoms and measures best.ckpt
// again, as a user would.
func TestTrainOnTaskFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, encoder := range []string{"gin", "pna"} {
		c, dir, rec := taskFilesConfig(t, encoder), t.TempDir(), &recorder{}
		s, err := Run(context.Background(), c, dir, false, rec)
		if err != nil {
			t.Fatal(err)
		}
		if len(rec.start.Train) != 4 || len(rec.start.Validation) != 1 || !slices.Equal(rec.start.Test, []string{"long", "ring"}) {
			t.Errorf("%s: training on %v, validation on %v, tests on %v", encoder, rec.start.Train, rec.start.Validation, rec.start.Test)
		}
		if s.Metric != metrics.NameDeltaAUPRC || s.ValidationSelected == nil || s.Last != nil && s.BestEpisode != 4 || len(s.PerTask) != 2 {
			t.Fatalf("%s: summary %+v", encoder, s)
		}
		err = ops.Pinned(1, func() error {
			m, meta, err := load(filepath.Join(dir, rundir.BestFile))
			if err != nil {
				return err
			}
			defer m.Drop()
			ds, err := evaluate.OpenData(context.Background(), meta.Config)
			if err != nil {
				return err
			}
			defer ds.Close()
			got, _, err := evaluate.Tasks(context.Background(), evaluate.AdapterOf(m), ds, ds.Folds.Test,
				evaluate.OptionsOf(meta.Config, uint64(meta.Episode())))
			if err != nil {
				return err
			}
			for i, task := range got {
				if !slices.Equal(task.Values, s.PerTask[i].ValidationSelected) || task.Draws != 2 {
					t.Errorf("%s: best.ckpt gives %+v, its run had %+v", encoder, task, s.PerTask[i])
				}
			}
			if ds.Stored.Built {
				t.Errorf("%s: the second start builds the graph store again", encoder)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestTaskFilesResume: a run that was stopped ends, with both kinds of atoms, bit
// for bit like one that was not.
func TestTaskFilesResume(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, encoder := range []string{"gin", "pna", "film"} {
		c, whole, dir := taskFilesConfig(t, encoder), t.TempDir(), t.TempDir()
		want, err := Run(context.Background(), c, whole, false, &recorder{})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		stop := &recorder{onStep: func(episode int) {
			if episode == 3 {
				cancel()
			}
		}}
		if _, err := Run(ctx, c, dir, false, stop); !errors.Is(err, ErrStopped) {
			t.Fatal(err)
		}
		got, err := Run(context.Background(), c, dir, true, &recorder{})
		if err != nil {
			t.Fatal(err)
		}
		sameEnd(t, encoder, dir, whole)
		again, err := Run(context.Background(), c, dir, true, &recorder{})
		if err != nil {
			t.Fatal(err)
		}
		want.Seconds, got.Seconds, again.Seconds = 0, 0, 0
		want.Seal, got.Seal, again.Seal = nil, nil, nil // of metrics with their times
		if !reflect.DeepEqual(got, want) || !reflect.DeepEqual(again, want) {
			t.Errorf("%s: summaries\n%+v\n%+v, want\n%+v", encoder, got, again, want)
		}
	}
}

// TestStratifiedEpisodes: a support set has the class shares of its task, and
// the queries are other molecules.
func TestStratifiedEpisodes(t *testing.T) {
	c := taskFilesConfig(t, "gin")
	r := openAssays(t, c)
	unbalanced := false
	for number := 1; number <= 6; number++ {
		s, err := r.episodes.draw(number)
		if err != nil {
			t.Fatal(err)
		}
		for _, ep := range s.Tasks {
			task := &r.data.Tasks[ep.Task]
			actives := 0
			for _, l := range ep.SupportLabels {
				actives += int(l)
			}
			share := 11 * float64(len(task.Class(1))) / float64(len(task.Rows))
			if d := float64(actives) - share; len(ep.Support) != 11 || d >= 1 || d <= -1 {
				t.Errorf("%s: %d of %d support molecules are active, want %.2f of 11", task.Name, actives, len(ep.Support), share)
			}
			if right, all := agreement(r.data, ep); right != all {
				t.Errorf("%s: %d of %d support labels are right", task.Name, right, all)
			}
			if ep.Shots != min(actives, 11-actives) || len(ep.Query) != 12 || slices.ContainsFunc(ep.Query, func(row int32) bool { return slices.Contains(ep.Support, row) }) {
				t.Errorf("%s: K is %d of %d actives; support %v, queries %v", task.Name, ep.Shots, actives, ep.Support, ep.Query)
			}
			unbalanced = unbalanced || 2*actives < 9 || 2*actives > 13
		}
	}
	if !unbalanced {
		t.Error("no support set is unbalanced: nothing was shown")
	}
	c.Episode.Queries = 0
	all := openAssays(t, c)
	s, err := all.episodes.draw(1)
	if err != nil {
		t.Fatal(err)
	}
	if ep := s.Tasks[0]; len(ep.Query) != len(all.data.Tasks[ep.Task].Rows)-11 {
		t.Errorf("%d queries, want all but 11", len(ep.Query))
	}
}

// rare writes a data set with a task "rare" that has two actives among 40 molecules.
// A stratified support set of four has one class only.
func rare(t *testing.T) runconfig.Config {
	t.Helper()
	c := assaysConfig(t)
	var b strings.Builder
	b.WriteString("smiles,even,third,rare,other\n")
	for i := range 40 {
		fmt.Fprintf(&b, "%sO,%d,%d,%d,%d\n", strings.Repeat("C", i+1), i%2, oneIf(i%3 == 0), oneIf(i < 2), oneIf(i%2 == 0))
	}
	c.Data.Path = filepath.Join(t.TempDir(), "rare.csv")
	writeText(t, c.Data.Path, b.String())
	c.Data.Split = "0-2/2-3"
	return c
}

func oneIf(b bool) int {
	if b {
		return 1
	}
	return 0
}

// TestDrawsThatATaskDoesNotHold: tasks that no draw fits are left out of training and of evaluations.
func TestDrawsThatATaskDoesNotHold(t *testing.T) {
	c := rare(t)
	c.Data.Split, c.Train.Selection = "0,1,2/3", runconfig.SelectLast
	c.Episode.Support, c.Train.TasksPerStep = 4, 3
	r := openAssays(t, c)
	for number := 1; number <= 4; number++ {
		s, err := r.episodes.draw(number)
		if err != nil {
			t.Fatal(err)
		}
		for _, ep := range s.Tasks {
			if ep.Task == 2 || len(ep.Support) != 4 {
				t.Errorf("step %d: task %d with %d support molecules", number, ep.Task, len(ep.Support))
			}
		}
	}
	c.Data.Split, c.Train.EvaluationDraws = "0,1/2,3", 3
	rec, s := trainFake(t, c, t.TempDir(), false)
	e := rec.evaluations[0]
	if len(e.Test) != 1 || e.Test[0].Task != "other" || e.Test[0].Draws != 3 ||
		e.LeftOut != 0 || !slices.Equal(e.TestMean, e.Test[0].Values) || len(s.PerTask) != 1 {
		t.Errorf("evaluation %+v, summary %+v", e, s)
	}
}
