package main

import (
	"testing"

	"pacia/harness/chains"
)

// small holds settings of a run that takes a second.
const small = `
threads: 1
data: {path: library.csv, split: 0-4/5-6, cache: cache}
model: {layers: 2, width: 12, dropout: 0, relation: {layers: 2, width: 8}}
episode: {shots: 2, queries: 4}
train: {episode_unit: step, episodes: 6, tasks_per_step: 2, evaluate_every: 3, checkpoint_every: 2, validation_tasks: 1}
`

// seconds skips the test if -short is set. It is for tests that take seconds.
func seconds(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("takes seconds")
	}
}

// exampleFolder makes a folder with a data set and settings, and changes to it.
func exampleFolder(t *testing.T) {
	t.Helper()
	inFolder(t, "library.csv", chains.Library())
	put(t, "small.yaml", small)
}

func trained(t *testing.T, dir string, more ...string) string {
	t.Helper()
	return ok(t, append([]string{"train", "--config", "small.yaml", "--out", dir}, more...)...)
}
