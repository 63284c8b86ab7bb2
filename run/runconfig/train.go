package runconfig

import (
	"cmp"
	"errors"
	"fmt"

	"pacia/internal/each"
	"pacia/internal/setting"
	"pacia/metrics"
	"pacia/model"
	"pacia/model/methods"
	"pacia/ops"
)

// Criteria by which best.ckpt is chosen.
const (
	SelectLast       = "last"       // the model after the last episode
	SelectValidation = "validation" // the best on validation tasks, which are held out of the training tasks
	SelectTest       = "test"       // the best on the test tasks, as in the published tables
)

// When the test tasks are evaluated.
const (
	TestAlways = "always" // in every evaluation
	TestLast   = "last"   // once, at the end, with the selected model
)

// When adaptivity is measured.
const (
	AdaptivityLast   = "last"   // at the end, with the selected model
	AdaptivityAlways = "always" // in every evaluation
	AdaptivityNever  = "never"
)

// Optimisers.
const (
	Adam  = "adam"  // weight decay, if any, is added to the gradient
	AdamW = "adamw" // weight decay is decoupled from the gradient
)

// Units of an episode.
const (
	EpisodePass = "pass" // a pass over all training tasks: the paper, appendix, Hyperparameters
	EpisodeStep = "step" // one optimisation step, as in programs published for FS-Mol
)

// The schedule of the learning rate, and how often tasks are drawn.
const (
	Constant   = "constant"
	Cosine     = "cosine"
	EqualShare = "equal"
	RootShare  = "root"
)

// leastRate is the share of the learning rate at which the schedule ends.
const leastRate = 0.02

// StepTasks returns B, the number of tasks in an optimisation step, for a number of training tasks.
func (c Train) StepTasks(tasks int) int {
	if c.TasksPerStep == 0 {
		return tasks
	}
	return min(c.TasksPerStep, tasks)
}

// EpisodeSteps returns the number of optimisation steps in an episode, for a number of training tasks.
func (c Train) EpisodeSteps(tasks int) int {
	if c.EpisodeUnit == EpisodeStep || tasks == 0 {
		return 1
	}
	b := c.StepTasks(tasks)
	return (tasks + b - 1) / b
}

// RateSchedule returns the schedule of the learning rate over a run, for a number of training tasks.
func (c Train) RateSchedule(tasks int) ops.Schedule {
	s := ops.Schedule{Warm: c.WarmUp}
	if c.Schedule == Cosine {
		s.Steps, s.Least = c.Episodes*c.EpisodeSteps(tasks), leastRate
	}
	return s
}

// Train holds the settings below "train.".
type Train struct {
	Episodes         int     `yaml:"episodes" doc:"episodes of the whole run" range:"1 1e9" zero:"nothing to train"`
	EpisodeUnit      string  `yaml:"episode_unit" doc:"an episode is a pass over all training tasks, as in the paper, or one optimisation step" oneof:"pass step"`
	TasksPerStep     int     `yaml:"tasks_per_step" doc:"B, tasks of an optimisation step" range:"1 inf" zero:"all training tasks at once"`
	EvaluateEvery    int     `yaml:"evaluate_every" doc:"episodes between evaluations" range:"0 inf" zero:"only after the last"`
	CheckpointEvery  int     `yaml:"checkpoint_every" doc:"episodes between saves of last.ckpt" range:"0 inf" zero:"only after the last"`
	Selection        string  `yaml:"selection" doc:"model in best.ckpt: best on held-out validation tasks, last, or best on the test tasks, as in the published tables" oneof:"validation last test"`
	ValidationTasks  int     `yaml:"validation_tasks" doc:"tasks held out by selection=validation" range:"0 inf" zero:"a fifth of the training tasks"`
	SupervisedEpochs int     `yaml:"supervised_epochs" doc:"passes over the training molecules before the first episode, in which the encoder learns all labels at once" range:"0 100000" zero:"none"`
	SupervisedShare  float64 `yaml:"supervised_share" doc:"share of the training tasks whose labels are learnt first; the episodes are of the others, which are the same for every seed" range:"(0 1]"`
	Init             string  `yaml:"init" doc:"start of all weights: a checkpoint or an exported model with the same model settings" form:"a file" zero:"random weights"`
	Optimizer        string  `yaml:"optimizer" doc:"Adam adds weight decay to the gradient; AdamW keeps the two apart" oneof:"adam adamw"`
	LearningRate     float64 `yaml:"learning_rate" doc:"learning rate of the optimizer" range:"(0 10]"`
	Schedule         string  `yaml:"schedule" doc:"course of the learning rate: constant, or half a cosine down to a fiftieth" oneof:"constant cosine"`
	WarmUp           int     `yaml:"warm_up" doc:"optimisation steps over which the learning rate rises from 0" range:"0 inf" zero:"none"`
	Average          int     `yaml:"average" doc:"steps over which weights are averaged (an exponential moving average) for evaluations and best.ckpt" range:"10 1000000" zero:"none"`
	TaskShare        string  `yaml:"task_share" doc:"how often a training task is drawn: equally, or by the square root of its molecules" oneof:"equal root"`
	MergeTargets     bool    `yaml:"merge_targets" doc:"training tasks of one target also form a joint task (FS-Mol)"`
	WeightDecay      float64 `yaml:"weight_decay" doc:"weight decay of all parameters" range:"[0 1)"`
	ClipNorm         float64 `yaml:"clip_norm" doc:"largest norm of the gradient; larger ones are scaled down" range:"0 1e9" zero:"no limit"`
	SwapClasses      bool    `yaml:"swap_classes" doc:"half of the training episodes have their classes swapped"`
	ShuffleLabels    bool    `yaml:"shuffle_labels" doc:"a control: the labels of support sets are shuffled"`
	// 256 replicas of the largest preset leave 40 GB on the disk.
	Replicas int `yaml:"replicas" doc:"runs with the seeds seed, seed+1, …, side by side" range:"1 256"`

	Metric            string `yaml:"metric" doc:"metric that selects the best model" oneof:"@metrics"`
	ValidationDraws   int    `yaml:"validation_draws" doc:"support sets of each validation task in an evaluation" range:"1 1000" zero:"train.evaluation_draws"`
	EvaluationDraws   int    `yaml:"evaluation_draws" doc:"support sets of each task in an evaluation, averaged" range:"1 1000"`
	TestEvery         string `yaml:"test_every" doc:"test tasks are evaluated every time, or once with the selected model" oneof:"always last"`
	Adaptivity        string `yaml:"adaptivity" doc:"when controls run (swapped labels, another task's support set): at the end with the selected model, in every evaluation, or never" oneof:"last always never"`
	AdaptivityDraws   int    `yaml:"adaptivity_draws" doc:"draws of a task that the controls repeat, the first ones" range:"1 1000" zero:"all"`
	AdaptivityQueries int    `yaml:"adaptivity_queries" doc:"queries of a draw in the controls, stratified" range:"2 inf" zero:"all"`

	FineTune model.Tuning `yaml:"finetune,omitempty" doc:"methods that adapt by gradient steps on a support set"`
}

func init() {
	setting.OfferExplained("metrics", func() []setting.Choice {
		return each.Of(metrics.All, func(m metrics.Metric) setting.Choice { return setting.Choice{Name: m.Name, Text: m.About} })
	})
}

// TuningOf returns the defaults of train.finetune for a method. They are zero for a
// method that makes no gradient steps on a support set.
func TuningOf(method string) model.Tuning {
	spec, _ := methods.Find(cmp.Or(method, methods.Default)) // an unknown method is refused elsewhere
	switch {
	case !spec.Traits.Tunes:
		return model.Tuning{}
	case spec.Tuning.Steps == 0:
		return model.DefaultTuning
	}
	return spec.Tuning
}

// Episode holds the settings below "episode.", the size of an episode.
type Episode struct {
	Shots       int `yaml:"shots" doc:"K, support molecules of each class, where episode.support is 0" range:"1 4096"`
	Queries     int `yaml:"queries" doc:"M, query molecules of a task in training" range:"1 65536" zero:"all others"`
	Support     int `yaml:"support" doc:"N, support molecules of both classes, stratified" range:"2 8192" zero:"episode.shots of each class"`
	TestSupport int `yaml:"test_support" doc:"N in evaluations" range:"2 8192" zero:"as in training"`
}

// DrawsOfValidation returns the number of support sets drawn from each validation task.
func (c Train) DrawsOfValidation() int { return cmp.Or(c.ValidationDraws, c.EvaluationDraws) }

// ForPreset returns the settings for training a preset of the model on MoleculeNet:
// those of the paper's appendix for paper, those of the published code for reference.
func ForPreset(name string) (Train, error) {
	c := Train{
		EpisodeUnit: EpisodePass, EvaluateEvery: 250, CheckpointEvery: 100, Selection: SelectValidation, Replicas: 1, SupervisedShare: 1,
		Schedule: Constant, TaskShare: EqualShare,
		Metric: metrics.NameROCAUC, EvaluationDraws: 1, TestEvery: TestAlways,
		Adaptivity: AdaptivityLast, AdaptivityDraws: 1,
	}
	switch name {
	case model.Paper:
		c.Episodes, c.TasksPerStep, c.CheckpointEvery = 25000, 1, 10 // a pass may take minutes
		c.Optimizer, c.LearningRate = Adam, 0.006
	case model.Reference:
		c.EpisodeUnit, c.Episodes, c.TasksPerStep = EpisodeStep, 40000, 9
		c.Optimizer, c.LearningRate = AdamW, 0.0006
		c.WeightDecay, c.ClipNorm = 5e-5, 1
	default:
		return Train{}, fmt.Errorf("model.preset: %q is not known; write paper or reference", name)
	}
	return c, nil
}

// checkTogether reports the first setting that conflicts with another one, and
// the value to write instead.
func (c Train) checkTogether() error {
	if c.TestEvery == TestLast && c.Selection == SelectTest {
		return errors.New("train.test_every: last leaves nothing to select on the test tasks; write train.selection=validation or train.test_every=always")
	}
	if c.ValidationTasks > 0 && c.Selection != SelectValidation {
		return fmt.Errorf("train.validation_tasks: %d tasks would be held out for nothing; write train.selection=validation or train.validation_tasks=0", c.ValidationTasks)
	}
	return nil
}

func (c Episode) checkTogether() error {
	if c.Support > 0 && c.Queries == 1 {
		return errors.New("episode.queries: a stratified draw has queries of both classes; write 2 or more (0: all others)")
	}
	return nil
}

// TestSize returns N of an evaluation's support sets, or 0 for Shots of each class.
func (c Episode) TestSize() int {
	if c.TestSupport > 0 {
		return c.TestSupport
	}
	return c.Support
}
