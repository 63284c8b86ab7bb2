package train

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"pacia/data"
	"pacia/internal/atomicfile"
	"pacia/internal/badinput"
	"pacia/run/checkpoint"
	"pacia/run/loop"
	"pacia/run/runconfig"
	"pacia/run/rundir"
)

// builder makes the learner of a run with these training tasks.
type builder func(c runconfig.Config, tasks []int) (learner, error)

// prepare checks and opens everything that a run needs. Nothing in dir changes
// before all checks have passed. ds is the data set if it is already open, and is
// then closed by the caller, or nil.
func prepare(ctx context.Context, build builder, ds *data.Dataset, cfg runconfig.Config, dir string, resume bool) (_ *run, _ StartInfo, err error) {
	if err := cfg.Validate(); err != nil {
		return nil, StartInfo{}, err
	}
	if err := cmp.Or(checkSupervised(cfg, !resume || !holdsCheckpoint(dir)), unused(dir, resume)); err != nil {
		return nil, StartInfo{}, err
	}
	if cfg, err = resuming(cfg, dir, resume); err != nil {
		return nil, StartInfo{}, err
	}
	r := &run{cfg: cfg, dir: dir, data: ds, write: checkpoint.Save, saved: -1}
	defer func() {
		if err != nil {
			err = errors.Join(err, r.Close())
		}
	}()
	info := StartInfo{Dir: dir, Device: cfg.Device, Episodes: cfg.Train.Episodes}
	if err := r.open(ctx, build, resume, &info); err != nil {
		return nil, StartInfo{}, err
	}
	return r, info, nil
}

// open opens data, model and folder, in this order.
func (r *run) open(ctx context.Context, build builder, resume bool, info *StartInfo) error {
	begun := time.Now()
	if err := r.openData(ctx, info); err != nil {
		return err
	}
	info.DataSeconds = time.Since(begun).Seconds()
	begun = time.Now()
	if err := r.openLearner(build, resume, info); err != nil {
		return err
	}
	info.ModelSeconds = time.Since(begun).Seconds()
	info.Parameters, info.Adaptive = r.learner.Parts()
	info.Episode, info.Step = r.progress.Episode, r.progress.steps()
	if err := r.openFolder(resume); err != nil {
		return err
	}
	r.reportFailure()
	r.Clock = loop.Clock{Before: time.Duration(r.progress.Seconds * float64(time.Second)), Begun: time.Now()}
	r.log.Elapsed = r.Elapsed
	return nil
}

// unused refuses a folder that holds a run, unless resume is set. A run writes settings, metrics or a checkpoint first:
// without these there is nothing to resume, and what else is there is not of a run.
func unused(dir string, resume bool) error {
	if resume && loop.Held(dir, rundir.ConfigFile, rundir.MetricsFile, rundir.LastFile) != "" {
		return nil
	}
	return unusedBut(dir, "")
}

// unusedBut refuses a folder that holds a file of a run other than but.
func unusedBut(dir, but string) error {
	others := slices.DeleteFunc(slices.Clone(rundir.Files), func(name string) bool { return name == but })
	if name := loop.Held(dir, others...); name != "" {
		return holdsRun(dir, name)
	}
	return nil
}

func holdsRun(dir, name string) error {
	return &badinput.Error{File: dir, What: "the folder holds a run already (" + name + ")",
		Fix: "write --resume to continue it, or another --out"}
}

// holdsCheckpoint reports whether a folder has a last.ckpt, from which a run is resumed.
func holdsCheckpoint(dir string) bool { return loop.Held(dir, rundir.LastFile) != "" }

// unfinished refuses a folder that has the results of a run, but no last.ckpt to go on from.
func unfinished(dir string) error {
	if loop.Held(dir, rundir.SummaryFile) == "" || holdsCheckpoint(dir) {
		return nil
	}
	return &badinput.Error{File: dir, What: "the run has ended, and its " + rundir.LastFile + " was removed: it cannot go on",
		Fix: "write another --out, or remove " + rundir.SummaryFile + " to train it again"}
}

// openLearner builds the model. If resume is set and there is a checkpoint, it
// restores the model and the progress.
func (r *run) openLearner(build builder, resume bool, info *StartInfo) (err error) {
	path := filepath.Join(r.dir, rundir.LastFile)
	if !resume || !holdsCheckpoint(r.dir) {
		if err := cmp.Or(sameConfig(r.cfg, r.dir, resume), unfinished(r.dir)); err != nil {
			return err
		}
		return r.build(build, false)
	}
	if r.from, err = os.Stat(path); err != nil {
		return err
	}
	c, err := checkpoint.Open(path)
	if err != nil {
		return err
	}
	defer c.Close()
	if err := r.sameRun(c); err != nil {
		return err
	}
	if err := r.build(build, true); err != nil {
		return err
	}
	if err := c.Restore(r.learner.State()); err != nil {
		return err
	}
	r.progress, r.saved = progress{c.Progress}, c.Progress.Episode
	if err := r.checkBest(info); err != nil {
		return err
	}
	if err := r.learner.SetSteps(c.AdamSteps); err != nil {
		return err
	}
	if before, now := c.Config.Train.Episodes, r.cfg.Train.Episodes; r.cfg.Train.Schedule == runconfig.Cosine && before != now {
		info.Notes = append(info.Notes, fmt.Sprintf(
			"train.schedule=cosine: from here on the learning rate is that of a run of %d episodes; until now it was that of %d.", now, before))
	}
	return nil
}

// build makes the learner, with all weights still to come from a checkpoint if resumed is set.
// A learner with a Remember method is given the training tasks, without the merged ones: their
// labels are those of the tasks they were merged from.
func (r *run) build(build builder, resumed bool) (err error) {
	cfg := r.cfg
	if resumed {
		cfg.Train.Init = ""
	}
	if r.learner, err = build(cfg, r.tasks.learned); err != nil {
		return err
	}
	// A resumed run keeps the setting: a method may freeze an encoder that it names.
	if cfg.Model.Pretrained != "" && !resumed {
		if err := r.learner.StartFrom(cfg.Model.Pretrained); err != nil {
			return err
		}
	}
	if l, ok := r.learner.(interface {
		Remember(d *data.Dataset, tasks []int) error
	}); ok {
		return l.Remember(r.data, r.tasks.train)
	}
	return nil
}

// openFolder makes the folder, or cuts what it holds back to the checkpoint.
func (r *run) openFolder(resume bool) error {
	err := loop.MakeFolder(r.dir)
	if err != nil {
		return err
	}
	if r.log, err = openMetrics(filepath.Join(r.dir, rundir.MetricsFile)); err != nil {
		return err
	}
	// The metrics are locked now. Check that no other process changed the folder before.
	if err := r.unchanged(resume); err != nil {
		return err
	}
	if err := r.log.cut(r.progress); err != nil {
		return err
	}
	if err := r.log.Show(r.dir); err != nil {
		return err
	}
	return writeConfig(r.dir, r.cfg)
}

// unchanged returns an error if another process has written to the folder while this one
// read its data. The metrics file may exist, since this process has opened it, but in a new run
// it must be empty.
func (r *run) unchanged(resume bool) error {
	if !resume {
		info, err := r.log.Stat()
		if err == nil && info.Size() > 0 {
			return holdsRun(r.dir, rundir.MetricsFile)
		}
		return errors.Join(err, unusedBut(r.dir, rundir.MetricsFile))
	}
	// Settings come before metrics.
	if r.from == nil && loop.Held(r.dir, rundir.ConfigFile) == "" {
		if info, err := r.log.Stat(); err != nil || info.Size() > 0 {
			return errors.Join(err, r.log.foreign("there is no "+rundir.ConfigFile+" beside it"))
		}
	}
	now, err := os.Stat(filepath.Join(r.dir, rundir.LastFile))
	same := errors.Is(err, fs.ErrNotExist)
	if r.from != nil {
		same = err == nil && os.SameFile(now, r.from) && now.ModTime().Equal(r.from.ModTime()) && now.Size() == r.from.Size()
	}
	if same {
		return nil
	}
	return &badinput.Error{File: r.dir, What: "another process has trained into this folder meanwhile", Fix: "give the command again"}
}

func writeConfig(dir string, cfg runconfig.Config) error {
	text, err := cfg.Encode()
	if err != nil {
		return err
	}
	return atomicfile.WriteBytes(filepath.Join(dir, rundir.ConfigFile), text)
}

// Close waits for the last save and releases what prepare opened.
func (r *run) Close() error {
	errs := []error{r.writer.wait()}
	if r.learner != nil && !r.lost {
		r.learner.Drop()
	}
	if r.log != nil {
		errs = append(errs, r.log.Close())
	}
	if r.ownData {
		errs = append(errs, r.data.Close())
	}
	return errors.Join(errs...)
}
