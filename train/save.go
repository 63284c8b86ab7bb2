package train

import (
	"fmt"
	"path/filepath"
	"slices"

	"pacia/runconfig"
	"pacia/rundir"
)

// save writes last.ckpt where it is due, and best.ckpt where the model is the
// best so far. The files are written while steps go on. A last.ckpt that is due
// while the one before is still being written is left out, in favour of the
// next: so last.ckpt holds a multiple of train.checkpoint_every until the end, and
// a disk that is too slow for that number does not hold up the steps.
func (r *run) save() error {
	last := r.unsaved && r.due(r.progress.Episode, r.cfg.Train.CheckpointEvery)
	busy, err := r.writer.busy()
	if err != nil || !last && !r.best {
		return err
	}
	if busy && !r.best && r.progress.Episode < r.cfg.Train.Episodes {
		return nil
	}
	return r.begin(last)
}

// begin starts to write what save or stop found to be due.
func (r *run) begin(last bool) error {
	if err := r.writer.wait(); err != nil {
		return err
	}
	best, meta := r.best, r.meta()
	state := r.learner.State()
	if !last {
		state = forPrediction(r.cfg, state)
	}
	state, err := inMemory(state)
	if err != nil {
		return fmt.Errorf("episode %d: reading the model: %w", meta.Episode(), err)
	}
	r.best, r.unsaved = false, r.unsaved && !last
	r.writer.start(func() error {
		if err := r.writeFiles(meta, state, best, last); err != nil {
			return fmt.Errorf("episode %d: saving: %w", meta.Episode(), err)
		}
		return nil
	})
	return nil
}

// writeFiles writes best.ckpt before the last.ckpt that knows of it, and that
// after the metrics that lead to it.
func (r *run) writeFiles(meta Meta, state []variable, best, last bool) error {
	if best {
		if err := r.write(filepath.Join(r.dir, rundir.BestFile), meta, forPrediction(r.cfg, slices.Clone(state))); err != nil {
			return err
		}
	}
	if !last {
		return nil
	}
	if err := r.log.sync(); err != nil {
		return err
	}
	if err := r.write(filepath.Join(r.dir, rundir.LastFile), meta, state); err != nil {
		return err
	}
	r.saved = meta.Episode()
	return nil
}

// inMemory returns variables that hold the values of now.
func inMemory(variables []variable) ([]variable, error) {
	held := make([]variable, len(variables))
	for i, v := range variables {
		values, err := v.Read()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", v.Name, err)
		}
		held[i] = variable{Name: v.Name, Shape: v.Shape, Read: func() ([]float32, error) { return values, nil }}
	}
	return held, nil
}

// stop saves what was done when a run is asked to leave.
func (r *run) stop() error {
	if r.unsaved || r.best {
		if err := r.begin(r.unsaved); err != nil {
			return err
		}
	}
	if err := r.writer.wait(); err != nil {
		return err
	}
	return fmt.Errorf("%w: %d of %d are done and saved; --resume continues", ErrStopped, r.progress.Episode, r.cfg.Train.Episodes)
}

func forPrediction(c runconfig.Config, variables []variable) []variable {
	return slices.DeleteFunc(variables, func(v variable) bool { return forTraining(c, v.Name) })
}
