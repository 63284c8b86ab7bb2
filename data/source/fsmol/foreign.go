package fsmol

import (
	"path/filepath"

	"pacia/internal/badinput"
	"pacia/internal/each"
)

// CheckFolder returns a *badinput.Error if a folder has results of tasks that are not among these. They are of
// another model or split, and whoever reads the folder would take all for the results of one.
func CheckFolder(dir string, tasks []string) error {
	paths, err := withSuffix(dir, resultsSuffix)
	if err != nil {
		return err
	}
	expected := each.Pairs(tasks, func(task string) (string, bool) { return fileName(task) + resultsSuffix, true })
	for _, path := range paths {
		if name := filepath.Base(path); !expected[name] {
			return &badinput.Error{
				File: dir,
				What: name + " has results of a task that is not among the test tasks; results of two models would be mixed",
				Fix:  "write another --results, or remove the files in the folder",
			}
		}
	}
	return nil
}
