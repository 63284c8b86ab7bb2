package train

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"pacia/model"
)

// Criteria by which best.ckpt is chosen.
const (
	SelectLast       = "last"       // the model after the last episode
	SelectValidation = "validation" // the best on validation tasks, which are held out of the training tasks
	SelectTest       = "test"       // the best on the test tasks: what the published tables report
)

// Figures of a task that the best model is the best by.
const (
	MetricROCAUC     = "roc_auc"
	MetricDeltaAUPRC = "delta_auprc" // average precision less the share of actives
)

// When the test tasks are evaluated.
const (
	TestAlways = "always" // whenever the model is
	TestLast   = "last"   // once, in the end, with the model that was selected
)

// maxReplicas keeps a slip of the finger from filling a disk: 256 runs of the
// largest preset leave 40 GB.
const maxReplicas = 256

// Optimisers.
const (
	Adam  = "adam"  // weight decay, if any, is added to the gradient
	AdamW = "adamw" // weight decay is decoupled from the gradient
)

// Config is how a model is trained. The yaml names are the names of the
// settings below "train.".
type Config struct {
	Episodes        int     `yaml:"episodes"`         // optimisation steps of the whole run
	TasksPerStep    int     `yaml:"tasks_per_step"`   // B, tasks handled together in one step
	EvaluateEvery   int     `yaml:"evaluate_every"`   // episodes between evaluations; 0: only after the last
	CheckpointEvery int     `yaml:"checkpoint_every"` // episodes between saves of last.ckpt, left out while one is being written; 0: only after the last
	Selection       string  `yaml:"selection"`        // validation | last | test
	ValidationTasks int     `yaml:"validation_tasks"` // tasks held out by selection validation; 0: a fifth of the training tasks
	Optimizer       string  `yaml:"optimizer"`        // adam | adamw
	LearningRate    float64 `yaml:"learning_rate"`
	WeightDecay     float64 `yaml:"weight_decay"`
	ClipNorm        float64 `yaml:"clip_norm"`      // largest norm of the gradient of all parameters; 0: no limit
	ShuffleLabels   bool    `yaml:"shuffle_labels"` // a control: labels of the support sets are shuffled
	Replicas        int     `yaml:"replicas"`       // runs with the seeds seed, seed+1, …, side by side

	Metric          string `yaml:"metric"`           // roc_auc | delta_auprc: what the best model is the best by
	EvaluationDraws int    `yaml:"evaluation_draws"` // support sets of a task in an evaluation, whose figures are averaged
	TestEvery       string `yaml:"test_every"`       // always: in each evaluation | last: once, with the model that was selected
	// FineTune is how methods adapt that tune a copy of the model on the support set
	// of a task; nothing for the others.
	FineTune model.Tuning `yaml:"finetune,omitempty"`
}

// EpisodeConfig is the size of an episode. The yaml names are the names of the
// settings below "episode.".
type EpisodeConfig struct {
	Shots   int `yaml:"shots"`   // K, support molecules of each class, where support is 0
	Queries int `yaml:"queries"` // M, query molecules of a task in training; 0: all others
	// Support is N, support molecules of both classes together, whose shares are
	// those of the task; 0: as many of each class.
	Support     int `yaml:"support"`
	TestSupport int `yaml:"test_support"` // N in evaluations; 0: as in training
}

// ForPreset returns how the named preset of the model is trained on
// MoleculeNet: paper after the paper's appendix, reference after the published
// code.
func ForPreset(name string) (Config, error) {
	c := Config{
		EvaluateEvery: 10, CheckpointEvery: 100, Selection: SelectValidation, Replicas: 1,
		Metric: MetricROCAUC, EvaluationDraws: 1, TestEvery: TestAlways,
	}
	switch name {
	case model.Paper:
		c.Episodes, c.TasksPerStep = 25000, 1
		c.Optimizer, c.LearningRate = Adam, 0.006
	case model.Reference:
		c.Episodes, c.TasksPerStep = 40000, 9
		c.Optimizer, c.LearningRate = AdamW, 0.0006
		c.WeightDecay, c.ClipNorm = 5e-5, 1
	default:
		return Config{}, fmt.Errorf("model.preset: %q is not known; write paper or reference", name)
	}
	return c, nil
}

// Validate reports the first setting that is out of range or does not go with
// another one, and what to write instead.
func (c Config) Validate() error {
	for _, f := range []struct{ name, got, want string }{
		{"selection", c.Selection, "validation last test"},
		{"optimizer", c.Optimizer, "adam adamw"},
		{"metric", c.Metric, "roc_auc delta_auprc"},
		{"test_every", c.TestEvery, "always last"},
	} {
		if options := strings.Fields(f.want); !slices.Contains(options, f.got) {
			return fmt.Errorf("train.%s: %q is not one of %s", f.name, f.got, strings.Join(options, ", "))
		}
	}
	for _, f := range []struct {
		name     string
		got, min int
	}{
		{"episodes", c.Episodes, 0},
		{"tasks_per_step", c.TasksPerStep, 1},
		{"evaluate_every", c.EvaluateEvery, 0},
		{"checkpoint_every", c.CheckpointEvery, 0},
		{"validation_tasks", c.ValidationTasks, 0},
	} {
		if f.got < f.min {
			return fmt.Errorf("train.%s: %d is out of range; write %d or more", f.name, f.got, f.min)
		}
	}
	if c.Replicas < 1 || c.Replicas > maxReplicas {
		return fmt.Errorf("train.replicas: %d is out of range; write 1 to %d", c.Replicas, maxReplicas)
	}
	if !(c.LearningRate > 0 && c.LearningRate <= 10) {
		return fmt.Errorf("train.learning_rate: %v is out of range; write a number above 0, at most 10", c.LearningRate)
	}
	if !(c.WeightDecay >= 0 && c.WeightDecay < 1) {
		return fmt.Errorf("train.weight_decay: %v is out of range; write a number from 0 to below 1", c.WeightDecay)
	}
	if !(c.ClipNorm >= 0 && c.ClipNorm <= 1e9) {
		return fmt.Errorf("train.clip_norm: %v is out of range; write a number from 0 (no limit) to 1e9", c.ClipNorm)
	}
	if c.EvaluationDraws < 1 || c.EvaluationDraws > 1000 {
		return fmt.Errorf("train.evaluation_draws: %d is out of range; write 1 to 1000", c.EvaluationDraws)
	}
	if c.TestEvery == TestLast && c.Selection == SelectTest {
		return errors.New("train.test_every: last leaves nothing to select on the test tasks; write train.selection=validation or train.test_every=always")
	}
	if c.ValidationTasks > 0 && c.Selection != SelectValidation {
		return fmt.Errorf("train.validation_tasks: %d tasks would be held out for nothing; write train.selection=validation or train.validation_tasks=0", c.ValidationTasks)
	}
	return nil
}

// Validate reports the first size that is out of range.
func (c EpisodeConfig) Validate() error {
	if c.Shots < 1 || c.Shots > 4096 {
		return fmt.Errorf("episode.shots: %d is out of range; write 1 to 4096", c.Shots)
	}
	if c.Queries < 0 || c.Queries > 65536 {
		return fmt.Errorf("episode.queries: %d is out of range; write 1 to 65536, or 0 for all others of the task", c.Queries)
	}
	if c.Support > 0 && c.Queries == 1 {
		return errors.New("episode.queries: a stratified draw has queries of both classes; write 2 or more, or 0 for all others of the task")
	}
	for _, f := range []struct {
		name, none string
		got        int
	}{
		{"support", "episode.shots of each class", c.Support},
		{"test_support", "support sets as in training", c.TestSupport},
	} {
		if f.got != 0 && (f.got < 2 || f.got > 8192) {
			return fmt.Errorf("episode.%s: %d is out of range; write 2 to 8192, or 0 for %s", f.name, f.got, f.none)
		}
	}
	return nil
}

// TestSize returns N of an evaluation's support sets; 0: as many of each class.
func (c EpisodeConfig) TestSize() int {
	if c.TestSupport > 0 {
		return c.TestSupport
	}
	return c.Support
}
