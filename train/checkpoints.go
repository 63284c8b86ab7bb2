package train

import (
	"fmt"
	"path/filepath"

	"pacia/run/checkpoint"
	"pacia/run/rundir"
)

// save writes last.ckpt where it is due, and best.ckpt where the model is the
// best so far. The files are written while training continues. A last.ckpt that is
// due while the previous one is still being written is skipped. So last.ckpt is always
// of a multiple of train.checkpoint_every until the end, and a slow disk does not
// hold up the steps.
func (r *run) save() error {
	last := r.unsaved && r.due(r.progress.steps(), r.cfg.Train.CheckpointEvery)
	busy, err := r.writer.busy()
	if err != nil || !last && !r.best {
		return err
	}
	if busy && !r.best && r.progress.steps() < r.lastStep() {
		return nil
	}
	return r.begin(last)
}

// begin starts to write the files that are due: best.ckpt if r.best, last.ckpt if last.
func (r *run) begin(last bool) error {
	if err := r.writer.wait(); err != nil {
		return err
	}
	best, meta := r.best, r.meta()
	if err := r.learner.Complete(); err != nil {
		return fmt.Errorf("episode %d: updating the model: %w", meta.Episode(), err)
	}
	state := r.learner.State()
	if !last {
		state = checkpoint.Best(r.cfg, state)
	}
	state, err := checkpoint.InMemory(state)
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

// writeFiles writes best.ckpt first, because last.ckpt refers to it. It syncs the
// metrics up to the checkpoint before it writes last.ckpt.
func (r *run) writeFiles(meta checkpoint.Meta, state []checkpoint.Variable, best, last bool) error {
	if best {
		if err := r.write(filepath.Join(r.dir, rundir.BestFile), meta, checkpoint.Best(r.cfg, state)); err != nil {
			return err
		}
	}
	if !last {
		return nil
	}
	if err := r.log.Sync(); err != nil {
		return err
	}
	if err := r.write(filepath.Join(r.dir, rundir.LastFile), meta, state); err != nil {
		return err
	}
	r.saved = meta.Episode()
	return nil
}

// stop saves the state of a run whose context has ended, and returns an ErrStopped.
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

// meta describes the run as it stands.
func (r *run) meta() checkpoint.Meta {
	r.progress.Seconds = r.Elapsed().Seconds()
	mark := r.log.Mark()
	r.progress.Metrics = &mark
	return checkpoint.Meta{
		Config: r.cfg, Dataset: r.data.Name, DataHash: r.data.Hash, Tasks: r.taskNames(),
		Progress: r.progress.Progress, AdamSteps: r.learner.Steps(),
	}
}

// writer runs one piece of work at a time in its own goroutine, because writing a
// large checkpoint takes longer than the steps between two checkpoints. The work
// must not use tensors: those belong to one thread.
type writer struct {
	ended chan error // receives the result of the work under way; nil: no work
}

// start begins work. No other work may be under way.
func (w *writer) start(work func() error) {
	ended := make(chan error, 1)
	w.ended = ended
	go func() { ended <- work() }()
}

// busy reports whether work is under way, and the error of work that has ended
// since the last call.
func (w *writer) busy() (bool, error) {
	select {
	case err := <-w.ended:
		w.ended = nil
		return false, err
	default:
		return w.ended != nil, nil
	}
}

// wait waits for the work under way, if any, and returns its error.
func (w *writer) wait() error {
	if w.ended == nil {
		return nil
	}
	err := <-w.ended
	w.ended = nil
	return err
}
