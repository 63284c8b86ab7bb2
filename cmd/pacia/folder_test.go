package main

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// groups are the ends of chains. A molecule is active in task k if it has group k.
var groups = []string{"O", "N", "Cl", "F", "Br", "C#N", "S"}

// library returns a table of chains with groups, in the layout of MoleculeNet.
func library() string {
	var b strings.Builder
	b.WriteString("smiles")
	for k := range groups {
		fmt.Fprintf(&b, ",has_%d", k)
	}
	b.WriteByte('\n')
	for n := 1; n <= 6; n++ {
		for g, end := range groups {
			b.WriteString(strings.Repeat("C", n) + end)
			for k := range groups {
				b.WriteString("," + strconv.Itoa(map[bool]int{true: 1}[k == g]))
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

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
	inFolder(t, "library.csv", library())
	put(t, "small.yaml", small)
}

func trained(t *testing.T, dir string, more ...string) string {
	t.Helper()
	return ok(t, append([]string{"train", "--config", "small.yaml", "--out", dir}, more...)...)
}
