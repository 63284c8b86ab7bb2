package train

import (
	"errors"
	"fmt"
	"io/fs"
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
	if done, steps := max(c.Progress.Step, c.Progress.Episode), r.episodes.steps(); done > r.lastStep() {
		begun := (done + steps - 1) / steps
		return &badinput.Error{File: c.Path, What: fmt.Sprintf("the run is in episode %d, train.episodes is %d", begun, r.cfg.Train.Episodes),
			Fix: fmt.Sprintf("write train.episodes=%d or more", begun)}
	}
	return nil
}

// checkBest reports a damaged best.ckpt before any step is made, because the end of the run
// may read it. A best.ckpt that was removed is not an error. One that is newer than last.ckpt has
// replaced the model that was selected until then: the run selects anew.
func (r *run) checkBest(info *StartInfo) error {
	c, err := checkpoint.Open(filepath.Join(r.dir, rundir.BestFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if e := r.progress.selected(r.cfg.Train.Selection); e != nil && (e.Episode != c.Episode() || e.Step != c.Progress.Step) {
		r.best = r.progress.reselect(r.cfg.Train.Selection)
		info.Notes = append(info.Notes, fmt.Sprintf("%s is of episode %d, and %s of episode %d: models are selected from there on.",
			rundir.BestFile, c.Episode(), rundir.LastFile, r.progress.Episode))
	}
	return c.Close()
}

// resuming returns the settings to resume the run in dir with, if dir holds one. Settings
// that are left open take the values with which the run was begun. The data set gets its absolute path.
func resuming(now runconfig.Config, dir string, resume bool) (_ runconfig.Config, err error) {
	if now.Data, err = now.Data.Located(); err != nil {
		return now, err
	}
	if !resume {
		return now, nil
	}
	before, err := runconfig.ReadIn(dir)
	if before != nil {
		now = now.Resuming(*before)
	}
	return now, err
}

// sameConfig compares now with the settings of the run in dir, if it holds one.
func sameConfig(now runconfig.Config, dir string, resume bool) error {
	if !resume {
		return nil
	}
	before, err := runconfig.ReadIn(dir)
	if before == nil || err != nil {
		return err
	}
	return sameSettings(filepath.Join(dir, rundir.ConfigFile), *before, now)
}

func sameSettings(path string, before, now runconfig.Config) error {
	if before.Train.Replicas > 1 && now.Train.Replicas > before.Train.Replicas {
		before.Train.Replicas = now.Train.Replicas // seeds may be added
	}
	before.Device = now.Device
	before = before.Feasible()
	return runconfig.FirstDifference(before, now).Resumed(path, "%s=%s")
}
