// Package runtest has the settings of a tiny run, which tests of several packages begin with.
package runtest

import (
	"testing"

	"pacia/model"
	"pacia/model/methods"
	"pacia/run/runconfig"
)

// Config returns valid settings of a tiny run.
func Config(t testing.TB) runconfig.Config {
	t.Helper()
	m, err := methods.ForPreset(model.Paper, methods.Default)
	if err != nil {
		t.Fatal(err)
	}
	c, err := runconfig.ForPreset(model.Paper)
	if err != nil {
		t.Fatal(err)
	}
	c.EpisodeUnit, c.Episodes, c.TasksPerStep, c.EvaluateEvery, c.CheckpointEvery = runconfig.EpisodeStep, 12, 2, 4, 3
	return runconfig.Config{
		Seed: 7, Threads: 1, Device: "cpu", Precision: "float32",
		Data:  runconfig.Data{Path: "embedded", Split: "auto", SMILES: "smiles"},
		Model: m, Episode: runconfig.Episode{Shots: 2, Queries: 4}, Train: c,
	}
}
