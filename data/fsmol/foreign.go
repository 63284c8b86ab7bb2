package fsmol

import (
	"errors"
	"io/fs"
	"os"
	"strings"

	"pacia/internal/badinput"
)

// CheckFolder returns a *badinput.Error if a folder has results of tasks that are not among these. They are of
// another model or split, and whoever reads the folder would take all for the results of one.
func CheckFolder(dir string, tasks []string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return &badinput.Error{File: dir, What: "the folder of the results cannot be read", Err: err, Fix: "write another --results"}
	}
	expected := map[string]bool{}
	for _, task := range tasks {
		expected[fileName(task)] = true
	}
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), resultsSuffix); ok && !expected[name] {
			what := e.Name() + " has results of a task that is not among the test tasks; results of two models would be mixed"
			return &badinput.Error{File: dir, What: what,
				Fix: "write another --results, or remove the files in the folder"}
		}
	}
	return nil
}
