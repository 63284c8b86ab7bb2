package fsmol

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"pacia/internal/atomicfile"
	"pacia/internal/badinput"
	"pacia/internal/input"
)

// Folds lists the names of the tasks of each part.
type Folds struct {
	Train []string `json:"train"`
	Valid []string `json:"valid"`
	Test  []string `json:"test"`
}

// foldsFile is the name of the benchmark's list of 4,938, 40 and 157 tasks.
const foldsFile = "fsmol-0.1.json"

// maxFolds is the maximum size of such a list in bytes; FS-Mol's has 0.1 MB.
const maxFolds = 64 << 20

// folders are the names of the parts, and of the folders with their files.
var folders = [3]string{"train", "valid", "test"}

func (f *Folds) parts() [3]*[]string { return [3]*[]string{&f.Train, &f.Valid, &f.Test} }

// readFolds reads {"train": […], "valid": […], "test": […]}. A task may not be in two
// parts, since a model would then be tested on its training data.
func readFolds(path string) (Folds, error) {
	var f Folds
	content, err := input.ReadAll(context.Background(), path, input.Stream, maxFolds)
	if err != nil {
		return f, err
	}
	if err := json.Unmarshal(content, &f); err != nil {
		return f, &badinput.Error{File: path, What: "broken JSON", Err: err,
			Fix: `write {"train": [NAMES], "valid": [NAMES], "test": [NAMES]}`}
	}
	seen := make(map[string]string)
	for i, part := range f.parts() {
		for _, name := range *part {
			if first, ok := seen[name]; ok {
				return f, &badinput.Error{File: path, What: fmt.Sprintf("task %s is in %s and in %s", name, first, folders[i]),
					Fix: "name each task once"}
			}
			seen[name] = folders[i]
		}
	}
	if len(seen) == 0 {
		return f, &badinput.Error{File: path, What: "no tasks", Fix: `write {"train": [NAMES], "valid": [NAMES], "test": [NAMES]}`}
	}
	return f, nil
}

// Write writes a file that readFolds reads.
func (f Folds) Write(path string) error {
	for _, part := range f.parts() {
		if *part == nil {
			*part = []string{} // [] in JSON, not null
		}
	}
	return atomicfile.WriteJSON(path, f)
}

// findFolds returns the folds in a folder's list or, without a list, all files in its
// folders train, valid and test, sorted by name.
func findFolds(dir string) (Folds, error) {
	if list := filepath.Join(dir, foldsFile); exists(list) {
		return readFolds(list)
	}
	var f Folds
	found, err := find(dir, suffix)
	if err != nil {
		return f, err
	}
	for i, part := range f.parts() {
		for _, number := range found.parts[i] {
			*part = append(*part, TaskName(found.paths[number]))
		}
		slices.Sort(*part)
	}
	if len(found.paths) == 0 {
		return f, &badinput.Error{File: dir, What: "no task files (*.jsonl.gz or *.csv in train/, valid/, test/)",
			Fix: "fetch them by pacia data fetch fsmol, or make them by pacia data convert"}
	}
	return f, nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// withSuffix returns the paths of a folder's entries whose names end in suffix, sorted; none if there is no such
// folder. The characters * ? [ ] of a folder's name are letters, which they are not for filepath.Glob.
func withSuffix(dir, suffix string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
		return nil, input.Unreadable(dir, err)
	}
	var paths []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), suffix) {
			paths = append(paths, filepath.Join(dir, e.Name()))
		}
	}
	return paths, nil
}
