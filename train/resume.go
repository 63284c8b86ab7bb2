package train

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"pacia/internal/badinput"
	"pacia/run/checkpoint"
	"pacia/run/runconfig"
	"pacia/run/rundir"
)

func (r *run) sameRun(c *checkpoint.File) error {
	if err := sameSettings(c.Path, c.Config, r.cfg); err != nil {
		return err
	}
	if c.DataHash != r.data.Hash {
		return &badinput.Error{File: c.Path, What: fmt.Sprintf("the run was trained on other data than %s", r.cfg.Data.Path),
			Fix: "resume with the same file, or write another --out"}
	}
	if names := r.taskNames(); !slices.Equal(names.Train, c.Tasks.Train) || !slices.Equal(names.Test, c.Tasks.Test) {
		return &badinput.Error{File: c.Path, What: "the run was trained with another split of the tasks",
			Fix: "resume with the program that began it, or write another --out"}
	}
	if c.Progress.Episode > r.cfg.Train.Episodes {
		return &badinput.Error{File: c.Path, What: fmt.Sprintf("%d episodes are done, train.episodes is %d", c.Progress.Episode, r.cfg.Train.Episodes),
			Fix: fmt.Sprintf("write train.episodes=%d or more", c.Progress.Episode)}
	}
	return nil
}

// checkBest reports a damaged best.ckpt before any step is made, because the end of the run
// may read it. A best.ckpt that was removed is not an error.
func (r *run) checkBest() error {
	c, err := checkpoint.Open(filepath.Join(r.dir, rundir.BestFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return c.Close()
}

// resuming returns the settings to resume the run in dir with, if dir holds one. Settings
// that are left open take the values with which the run was begun.
func resuming(now runconfig.Config, dir string, resume bool) (runconfig.Config, error) {
	path := filepath.Join(dir, rundir.ConfigFile)
	if _, err := os.Lstat(path); !resume || errors.Is(err, fs.ErrNotExist) {
		return now, nil
	}
	before, err := runconfig.Read(path)
	return now.Resuming(before), err
}

// sameConfig compares now with the settings in path, if the file exists.
func sameConfig(now runconfig.Config, path string, resume bool) error {
	if _, err := os.Lstat(path); !resume || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	before, err := runconfig.Read(path)
	if err != nil {
		return err
	}
	return sameSettings(path, before, now)
}

func sameSettings(path string, before, now runconfig.Config) error {
	if before.Train.Replicas > 1 && now.Train.Replicas > 1 {
		before.Train.Replicas = now.Train.Replicas // more seeds may be added
	}
	d := runconfig.FirstDifference(before, now)
	if d == nil {
		return nil
	}
	return &badinput.Error{File: path, What: fmt.Sprintf("the run was begun with %s=%s, now it is %s", d.Name, orEmpty(d.Before), orEmpty(d.Now)),
		Fix: fmt.Sprintf("write %s=%s to resume it, or another --out", d.Name, orEmpty(d.Before))}
}

func orEmpty(value string) string {
	if value == "" {
		return `""`
	}
	return value
}
