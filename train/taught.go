package train

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"pacia/data"
	"pacia/model/methods"
	"pacia/run/checkpoint"
	"pacia/run/runconfig"
	"pacia/run/rundir"
)

// A TaughtReporter is a SupervisedReporter that also receives evaluations of an encoder that learns labels before the
// first episode: of class means of its vectors, on validation tasks.
type TaughtReporter interface {
	SupervisedReporter
	Taught(rundir.Evaluation)
}

// Labels of a step of [run.learnByTask], as those of the model that ships.
const (
	taughtTasks     = 64
	taughtMolecules = 16 // of a task, half of them as a support set
	taughtParts     = 4  // evaluations
)

// learnByTask trains the encoder and the readout, of any form, as a run of its own: a step draws tasks, and molecules of
// each. It returns the checkpoint that is best on validation tasks, or the last one without such tasks, and the time
// that all processes have taken.
func (r *run) learnByTask(ctx context.Context, dir string) (encoder string, took time.Duration, err error) {
	cfg := taughtConfig(r.cfg, labelsOf(r.data, r.tasks.first), len(r.tasks.first))
	t := &run{cfg: cfg, dir: dir, data: r.data, write: checkpoint.Save, saved: -1}
	t.tasks = tasks{train: r.tasks.first, validation: r.tasks.validation}
	defer func() { err = errors.Join(err, t.Close()) }()
	var info StartInfo
	if err := t.open(ctx, newTrainee, true, &info); err != nil {
		return "", 0, fmt.Errorf("labels first: %w", err)
	}
	t.rep = &taught{r.rep, cfg.Train.Episodes}
	if err := t.train(ctx); err != nil {
		return "", 0, err
	}
	file := rundir.LastFile
	if cfg.Train.Selection == runconfig.SelectValidation {
		file = rundir.BestFile
	}
	return filepath.Join(dir, file), t.Elapsed(), nil
}

// taughtConfig returns the settings of such a run.
func taughtConfig(c runconfig.Config, labels, tasks int) runconfig.Config {
	t := c.Train
	t.EpisodeUnit, t.TasksPerStep = runconfig.EpisodeStep, min(taughtTasks, tasks)
	t.Episodes = max(1, t.SupervisedEpochs*labels/(t.TasksPerStep*taughtMolecules))
	t.EvaluateEvery = max(1, (t.Episodes+taughtParts-1)/taughtParts)
	t.MergeTargets, t.SupervisedShare = true, 1
	t.SupervisedEpochs, t.Init, t.Replicas, t.Average, t.ClipNorm = 0, "", 1, 0, 0
	t.Optimizer, t.LearningRate, t.WeightDecay = runconfig.AdamW, 0.0005, 0.01
	t.Schedule, t.WarmUp, t.TaskShare = runconfig.Cosine, min(100, t.Episodes/10), runconfig.RootShare
	t.TestEvery, t.Adaptivity, t.SwapClasses, t.ShuffleLabels = runconfig.TestLast, runconfig.AdaptivityNever, false, false
	if t.Selection != runconfig.SelectValidation {
		t.Selection = runconfig.SelectLast
	}
	c.Model, c.Train = methods.Teacher(c.Model), t
	c.Train.FineTune = runconfig.TuningOf(c.Model.Method)
	if c.Episode.TestSize() == 0 {
		c.Episode.TestSupport = 2 * c.Episode.Shots
	}
	c.Episode.Support, c.Episode.Queries = taughtMolecules/2, taughtMolecules/2
	return c
}

// labelsOf counts the labels of tasks.
func labelsOf(ds *data.Dataset, tasks []int) (n int) {
	for _, number := range tasks {
		n += len(ds.Tasks[number].Rows)
	}
	return n
}

// taught passes the steps and evaluations of such a run to the reporter of the run that it is a part of.
type taught struct {
	rep   Reporter
	steps int
}

func (t *taught) Start(StartInfo) {}

func (t *taught) Step(s rundir.Step) {
	if rep, ok := t.rep.(SupervisedReporter); ok {
		rep.Supervised(s.Episode, t.steps, s.Loss)
	}
}

func (t *taught) Evaluation(e rundir.Evaluation) {
	if rep, ok := t.rep.(TaughtReporter); ok {
		rep.Taught(e)
	}
}

func (t *taught) Done(rundir.Summary) {}
