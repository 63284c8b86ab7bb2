package rundir

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"pacia/internal/badinput"
	"pacia/internal/each"
)

// StateFolder is the subfolder of a sweep that has a file NAME.json for each run. The
// folder of the run is NAME, beside StateFolder.
const StateFolder = "state"

// Expand returns the folders of the runs in dir, in the order of their names, if dir
// holds replicas or a sweep. Otherwise it returns dir.
func Expand(dir string) ([]string, error) {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		if err == nil {
			err = errors.New("it is a file")
		}
		return nil, &badinput.Error{File: dir, What: "is not the folder of a run", Err: inner(err), Fix: "check its name"}
	}
	var runs []string
	for _, name := range entries(filepath.Join(dir, StateFolder)) {
		if run, ok := strings.CutSuffix(name, ".json"); ok {
			runs = append(runs, filepath.Join(dir, run))
		}
	}
	if len(runs) > 0 {
		return runs, nil
	}
	for _, name := range entries(dir) {
		if run := filepath.Join(dir, name); strings.HasPrefix(name, replicaPrefix) && exists(filepath.Join(run, ConfigFile)) {
			runs = append(runs, run)
		}
	}
	first, n := replicas(dir)
	if n < 2 || len(runs) == 0 {
		return []string{dir}, nil
	}
	for i := range uint64(n) { // also those that have not begun, which are missing from a mean
		if run := Replica(dir, first+i); !slices.Contains(runs, run) {
			runs = append(runs, run)
		}
	}
	slices.SortFunc(runs, func(a, b string) int {
		if d := len(a) - len(b); d != 0 {
			return d // seed-9 comes before seed-10
		}
		return strings.Compare(a, b)
	})
	return runs, nil
}

// entries returns the names in a folder, sorted; none if it cannot be read. filepath.Glob would interpret the characters
// * ? [ ] of the folder's own name.
func entries(dir string) []string {
	list, _ := os.ReadDir(dir)
	return each.Of(list, os.DirEntry.Name)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// replicas returns the first seed and the number of replicas in the settings of dir, or 0 if they cannot
// be read. Read reports the reason.
func replicas(dir string) (first uint64, n int) {
	var c struct {
		Seed  uint64
		Train struct{ Replicas int }
	}
	text, err := readFile(dir, ConfigFile)
	if err != nil || yaml.Unmarshal(text, &c) != nil {
		return 0, 0
	}
	return c.Seed, min(c.Train.Replicas, mostReplicas)
}

// mostReplicas is the largest number of replicas: a larger one is that of a damaged file.
const mostReplicas = 256

func inner(err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err // the message already has the name
	}
	return err
}
