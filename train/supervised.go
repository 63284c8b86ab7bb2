package train

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"pacia/internal/badinput"
	"pacia/model/methods"
	"pacia/pretrain"
	"pacia/run/runconfig"
	"pacia/run/rundir"
)

// A SupervisedReporter is a Reporter that also receives the steps before the first episode,
// in which the encoder learns the labels of the training tasks.
type SupervisedReporter interface {
	Reporter
	// Supervised is called after each step, counted from 1, with the total number of steps
	// and the loss.
	Supervised(step, steps int, loss float64)
}

// superviseFirst trains the encoder on the labels of all training tasks, unless a step was
// made already. Its files are in a subfolder of the run, from which a stopped run is resumed.
func (r *run) superviseFirst(ctx context.Context) error {
	if r.cfg.Train.SupervisedEpochs == 0 || r.progress.steps() > 0 {
		return nil
	}
	dir, begun := filepath.Join(r.dir, rundir.SupervisedFolder), time.Now()
	learn := r.learnByTask
	if byMolecule(r.cfg) {
		learn = r.learnByMolecule
	}
	encoder, took, err := learn(ctx, dir)
	if errors.Is(err, pretrain.ErrStopped) || errors.Is(err, ErrStopped) {
		return fmt.Errorf("%w, while the encoder learnt the labels of the training tasks; --resume continues", ErrStopped)
	}
	if err != nil {
		return err
	}
	if r.saved < 0 { // a checkpoint already has the time of earlier processes
		r.Before += max(0, took-time.Since(begun))
	}
	return r.learner.StartFrom(encoder)
}

// learnByMolecule draws molecules, each with all its labels. It returns the file of the encoder, and the time that all
// processes have taken.
func (r *run) learnByMolecule(ctx context.Context, dir string) (encoder string, took time.Duration, err error) {
	library, err := pretrain.OfTasks(r.data, r.tasks.first)
	if err != nil {
		return "", 0, err
	}
	settings, err := r.cfg.Encode()
	if err != nil {
		return "", 0, err
	}
	options := supervisedOptions(r.cfg)
	options.Settings = string(settings)
	s, err := pretrain.Run(ctx, options, library, dir, true, &supervision{rep: r.rep})
	return filepath.Join(dir, pretrain.EncoderFile), time.Duration(s.Seconds * float64(time.Second)), err
}

// byMolecule reports whether the encoder is one that [pretrain] trains. These read graphs with the categories of
// MoleculeNet's atoms.
func byMolecule(c runconfig.Config) bool { return supervisedOptions(c).Validate() == nil }

// checkSupervised returns an error for an encoder that cannot learn labels before the first episode.
// For a new run it also refuses train.init, whose encoder would be replaced.
func checkSupervised(c runconfig.Config, begins bool) error {
	switch {
	case c.Train.SupervisedEpochs == 0:
		return nil
	case methods.TraitsOf(c.Model).Fingerprints:
		return &badinput.Error{
			What: fmt.Sprintf("train.supervised_epochs: model.method=%s has no encoder that could learn labels", c.Model.Method),
			Fix:  "write train.supervised_epochs=0"}
	case begins && c.Train.Init != "":
		return &badinput.Error{What: "train.supervised_epochs: an encoder that learnt labels would replace that of train.init",
			Fix: "write train.supervised_epochs=0, or model.pretrained in place of train.init"}
	}
	return nil
}

func supervisedOptions(c runconfig.Config) pretrain.Options {
	o := pretrain.Default()
	o.Task, o.Epochs, o.Start = pretrain.Supervised, c.Train.SupervisedEpochs, c.Model.Pretrained
	o.Encoder, o.Layers, o.Width, o.Dropout = c.Model.Encoder, c.Model.Layers, c.Model.Width, c.Model.Dropout
	o.Seed, o.Device = c.Seed, c.Device
	return o
}

// supervision passes the steps of a pretraining to the reporter of the run.
type supervision struct {
	rep   Reporter
	steps int
}

func (s *supervision) Begin(i pretrain.Info) { s.steps = i.Steps }

func (s *supervision) Step(step int, loss float64) {
	if rep, ok := s.rep.(SupervisedReporter); ok {
		rep.Supervised(step, s.steps, loss)
	}
}

func (s *supervision) Measured(pretrain.Entry) {}
