package train

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pacia/data/molecule"
	"pacia/data/source/fsmol"
	"pacia/internal/badinput"
	"pacia/run/runconfig"
)

// TestTasksThatDoNotFit: tasks too small for any draw are left out with a note. If no
// task is left, the error is one line.
func TestTasksThatDoNotFit(t *testing.T) {
	c := rare(t)
	c.Train.Selection = runconfig.SelectLast
	c.Data.Split, c.Episode.Support = "0-1/2-3", 39
	_, _, err := prepare(context.Background(), newFake, nil, c, t.TempDir(), false)
	want := "none of the 2 training tasks gives a support set of 39 molecules and queries, with both classes in each; " +
		"the largest, even, has 20 inactive and 20 active molecules; write episode.support=38, or choose other tasks"
	if !badinput.Is(err) || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	c.Episode.Support, c.Episode.TestSupport = 10, 39
	if _, _, err = prepare(context.Background(), newFake, nil, c, t.TempDir(), false); !badinput.Is(err) || !strings.Contains(err.Error(), "none of the 2 test tasks") ||
		!strings.Contains(err.Error(), "write episode.test_support=38") {
		t.Errorf("got %v", err)
	}
	c.Data.Split, c.Episode.TestSupport, c.Train.EvaluationDraws = "0,1/2", 4, 2
	if _, err = runWith(context.Background(), newFake, c, t.TempDir(), false, &recorder{}); !badinput.Is(err) ||
		!strings.Contains(err.Error(), "the largest, rare, has 38 inactive and 2 active molecules; write episode.test_support=11, or") {
		t.Errorf("got %v", err)
	}
	// A task with one class among others is left out.
	var b strings.Builder
	b.WriteString("smiles,even,third,none\n")
	for i := range 20 {
		fmt.Fprintf(&b, "%sO,%d,%d,0\n", strings.Repeat("C", i+1), i%2, oneIf(i%3 == 0))
	}
	writeText(t, c.Data.Path, b.String())
	c.Data.Split, c.Episode.Support, c.Episode.TestSupport = "0,2/1", 6, 0
	r, info, err := prepare(context.Background(), newFake, nil, c, t.TempDir(), false)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if !slices.Equal(r.tasks.train, []int{0}) || !slices.Contains(info.Notes, "1 of 2 training tasks are left out: they are too small for a support set of 6 molecules and two queries.") {
		t.Errorf("training tasks %v, notes %q", r.tasks.train, info.Notes)
	}
}

// TestFolderFaults: a missing part of a folder is reported in one line.
func TestFolderFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	empty := t.TempDir()
	for _, tt := range []struct {
		change func(*runconfig.Config)
		want   string
	}{
		{func(c *runconfig.Config) { c.Data.Path = empty }, "no task files (*.jsonl.gz or *.csv in train/, valid/, test/)"},
		{func(c *runconfig.Config) { c.Train.ValidationTasks = 1 }, "1 tasks would be held out beside the 1 that data.path brings along; write train.validation_tasks=0"},
		{func(c *runconfig.Config) {
			writeText(t, filepath.Join(c.Data.Path, "fsmol-0.1.json"), `{"train": ["aromatic"], "valid": [], "test": []}`)
		}, "has one task, aromatic: training needs another one to be tested on; add another assay, as a column of the table or as a task file"},
		{func(c *runconfig.Config) {
			writeText(t, filepath.Join(c.Data.Path, "fsmol-0.1.json"), `{"train": ["aromatic", "nitrogen"], "valid": [], "test": []}`)
		}, `data.split "auto" gives 2 training and 0 test tasks; write at least one of each`},
		{func(c *runconfig.Config) {
			writeText(t, filepath.Join(c.Data.Path, "test", "long.jsonl.gz"), "{}\n")
		}, "long.jsonl.gz: row 1: no SMILES; correct or remove the line"},
	} {
		c := taskFilesConfig(t, "gin")
		tt.change(&c)
		_, _, err := prepare(context.Background(), newFake, nil, c, t.TempDir(), false)
		if !badinput.Is(err) || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("got %v, want a fault with %q", err, tt.want)
		}
	}
}

// TestPNAReadsTables: a table's molecules become FS-Mol's features.
func TestPNAReadsTables(t *testing.T) {
	c := tinyConfig(t)
	c.Model.Encoder = "pna"
	c.Train.Episodes, c.Train.EvaluateEvery = 2, 0
	if _, err := Run(context.Background(), c, t.TempDir(), false, &recorder{}); err != nil {
		t.Fatal(err)
	}
	r := openAssays(t, c)
	s, err := r.episodes.draw(1)
	if err != nil {
		t.Fatal(err)
	}
	if b := s.Batch; len(b.Atoms) != 0 || len(b.Floats(molecule.Features)) != fsmol.Features*int(b.MolPtr[len(b.MolPtr)-1]) {
		t.Errorf("%d categories and %d features of %d atoms", len(b.Atoms), len(b.Floats(molecule.Features)), b.MolPtr[len(b.MolPtr)-1])
	}
}
