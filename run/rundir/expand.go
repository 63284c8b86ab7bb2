package rundir

import (
	"errors"
	"io/fs"
	"os"
	"path"
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
	in := os.DirFS(dir)                                                   // dir is not part of a pattern: its name may have the characters * ? [ ]
	if states, _ := fs.Glob(in, StateFolder+"/*.json"); len(states) > 0 { // the pattern is well formed
		return each.Of(states, func(file string) string {
			return filepath.Join(dir, strings.TrimSuffix(path.Base(file), ".json"))
		}), nil
	}
	seeds, _ := fs.Glob(in, replicaPrefix+"*/"+ConfigFile) // the pattern is well formed
	first, n := replicas(dir)
	if n < 2 || len(seeds) == 0 {
		return []string{dir}, nil
	}
	runs := each.Of(seeds, func(file string) string { return filepath.Join(dir, path.Dir(file)) })
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
