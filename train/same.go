package train

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"pacia/fault"
	"pacia/runconfig"
)

// sameRun reports what keeps a run from continuing a checkpoint.
func (r *run) sameRun(c *checkpoint) error {
	if err := sameSettings(c.path, c.Config, r.cfg); err != nil {
		return err
	}
	if c.DataHash != r.data.Hash {
		return &fault.Error{File: c.path, What: fmt.Sprintf("the run was trained on other data than %s", r.cfg.Data.Path),
			Fix: "resume with the same file, or write another --out"}
	}
	if names := r.taskNames(); !slices.Equal(names.Train, c.Tasks.Train) || !slices.Equal(names.Test, c.Tasks.Test) {
		return &fault.Error{File: c.path, What: "the run was trained with another split of the tasks",
			Fix: "resume with the program that began it, or write another --out"}
	}
	if c.Progress.Episode > r.cfg.Train.Episodes {
		return &fault.Error{File: c.path, What: fmt.Sprintf("%d episodes are done, train.episodes is %d", c.Progress.Episode, r.cfg.Train.Episodes),
			Fix: fmt.Sprintf("write train.episodes=%d or more", c.Progress.Episode)}
	}
	return nil
}

// sameConfig compares with the settings that path holds, if it is there.
func sameConfig(now runconfig.Config, path string, resume bool) error {
	text, err := os.ReadFile(path)
	if !resume || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return &fault.Error{What: "cannot read the settings of the run", Err: err, Fix: "write another --out"}
	}
	before, err := runconfig.Decode(text)
	if err != nil {
		return &fault.Error{File: path, What: "the settings cannot be read", Err: err, Fix: "write another --out"}
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
	return &fault.Error{File: path, What: fmt.Sprintf("the run was begun with %s=%s, now it is %s", d.Name, orEmpty(d.Before), orEmpty(d.Now)),
		Fix: fmt.Sprintf("write %s=%s to resume it, or another --out", d.Name, orEmpty(d.Before))}
}

func orEmpty(value string) string {
	if value == "" {
		return `""`
	}
	return value
}
