package train

import (
	"math"
	"strings"
	"testing"

	"pacia/model"
	"pacia/model/methods"
	"pacia/ops"
	"pacia/setting"
)

// testConfig returns valid settings of a tiny run.
func testConfig(t *testing.T) RunConfig {
	t.Helper()
	m, err := methods.ForPreset(model.Paper, methods.Default)
	if err != nil {
		t.Fatal(err)
	}
	c, err := ForPreset(model.Paper)
	if err != nil {
		t.Fatal(err)
	}
	c.Episodes, c.TasksPerStep, c.EvaluateEvery, c.CheckpointEvery = 12, 2, 4, 3
	return RunConfig{
		Seed: 7, Threads: 1, Device: "cpu", Precision: "float32",
		Data:  DataConfig{Path: "embedded", Split: "auto", SMILES: "smiles"},
		Model: m, Episode: EpisodeConfig{Shots: 2, Queries: 4}, Train: c,
	}
}

func TestPresetsAreValid(t *testing.T) {
	for _, preset := range []string{model.Paper, model.Reference} {
		c, err := ForPreset(preset)
		if err != nil {
			t.Fatal(err)
		}
		if err := setting.Check("train.", c); err != nil {
			t.Errorf("%s: %v", preset, err)
		}
	}
	if _, err := ForPreset("papers"); err == nil {
		t.Error("the preset papers is accepted")
	}
}

func TestValidateNamesTheSetting(t *testing.T) {
	for _, tt := range []struct {
		change func(*RunConfig)
		want   string
	}{
		{func(c *RunConfig) { c.Threads = -1 }, "threads: -1"},
		{func(c *RunConfig) { c.Device = "gpu" }, `device: "gpu"`},
		{func(c *RunConfig) { c.Precision = "half" }, `precision: "half" is not one of float32, tf32, bf16`},
		{func(c *RunConfig) { c.Precision = "tf32" }, "precision: tf32 is for GPUs; with device=cpu write float32"},
		{func(c *RunConfig) { c.Device, c.Precision = "cuda", "bf16" }, "precision: bf16 is for CPUs; on a GPU write tf32"},
		{func(c *RunConfig) { c.Data.Path = "" }, "data.path: "},
		{func(c *RunConfig) { c.Data.Split = "" }, "data.split: "},
		{func(c *RunConfig) { c.Model.Width = 0 }, "model.width: 0"},
		{func(c *RunConfig) { c.Episode.Shots = 0 }, "episode.shots: 0"},
		{func(c *RunConfig) { c.Episode.Queries = -4 }, "episode.queries: -4"},
		{func(c *RunConfig) { c.Episode.Support, c.Episode.Queries = 8, 1 }, "episode.queries: a stratified draw"},
		{func(c *RunConfig) { c.Episode.Support = 1 }, "episode.support: 1 is out of range; write 2 to 8192, or 0 for episode.shots of each class"},
		{func(c *RunConfig) { c.Episode.TestSupport = -3 }, "episode.test_support: -3"},
		{func(c *RunConfig) { c.Train.Metric = "auc" }, `train.metric: "auc" is not one of roc_auc, delta_auprc`},
		{func(c *RunConfig) { c.Train.EvaluationDraws = 0 }, "train.evaluation_draws: 0"},
		{func(c *RunConfig) { c.Train.TestEvery = "never" }, `train.test_every: "never"`},
		{func(c *RunConfig) { c.Train.TestEvery, c.Train.Selection = TestLast, SelectTest }, "train.test_every: last leaves nothing to select"},
		{func(c *RunConfig) { c.Train.Episodes = 0 }, "train.episodes: 0"},
		{func(c *RunConfig) { c.Train.TasksPerStep = 0 }, "train.tasks_per_step: 0"},
		{func(c *RunConfig) { c.Train.EvaluateEvery = -1 }, "train.evaluate_every: -1"},
		{func(c *RunConfig) { c.Train.Selection = "best" }, `train.selection: "best"`},
		{func(c *RunConfig) { c.Train.Optimizer = "sgd" }, `train.optimizer: "sgd"`},
		{func(c *RunConfig) { c.Train.LearningRate = 0 }, "train.learning_rate: 0"},
		{func(c *RunConfig) { c.Train.WeightDecay = 1 }, "train.weight_decay: 1"},
		{func(c *RunConfig) { c.Train.ClipNorm = -1 }, "train.clip_norm: -1"},
		{func(c *RunConfig) { c.Train.Replicas = 0 }, "train.replicas: 0"},
		{func(c *RunConfig) { c.Train.Replicas = 257 }, "train.replicas: 257"},
		{func(c *RunConfig) { c.Seed, c.Train.Replicas = math.MaxUint64-1, 3 }, "seed: 18446744073709551614 leaves no room for 3 replicas; write 18446744073709551613"},
		{func(c *RunConfig) { c.Train.Selection, c.Train.ValidationTasks = SelectLast, 3 }, "train.validation_tasks: 3"},
	} {
		c := testConfig(t)
		if err := c.Validate(); err != nil {
			t.Fatal(err)
		}
		tt.change(&c)
		if err := c.Validate(); err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("got %v, want an error that starts with %q", err, tt.want)
		}
	}
}

func TestConfigSurvivesEncoding(t *testing.T) {
	c := testConfig(t)
	c.Seed = 1<<64 - 1
	c.Data.Path = "a: \"b\"\n#é"
	text, err := c.encode()
	if err != nil {
		t.Fatal(err)
	}
	back, err := decodeConfig(text)
	if err != nil {
		t.Fatal(err)
	}
	if back != c {
		t.Errorf("got %+v\nwant %+v", back, c)
	}
	if _, err := decodeConfig(append(text, "speed: 3\n"...)); err == nil {
		t.Error("a setting that nobody knows is accepted")
	}
}

// TestPrecisionOfEarlierRuns: what a run was trained with is read, though it
// cannot be trained with any more, and computes in float32.
func TestPrecisionOfEarlierRuns(t *testing.T) {
	for _, device := range []string{cpu, "cuda"} {
		for name := range precisions {
			c := testConfig(t)
			c.Device, c.Precision = device, name
			text, err := c.encode()
			if err != nil {
				t.Fatal(err)
			}
			if back, err := decodeConfig(text); err != nil || back != c {
				t.Errorf("%s on %s: got %+v, %v", name, device, back, err)
			}
			on := c.On(cpu, 2)
			if on.Threads != 2 || on.Precision != "float32" && (name != "bf16" || !ops.HasBF16()) {
				t.Errorf("%s on %s becomes %s on the CPU", name, device, on.Precision)
			}
			if err := on.Validate(); err != nil {
				t.Errorf("%s on %s: %v", name, device, err)
			}
		}
	}
}

func TestFirstDifference(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*RunConfig)
		want   string
	}{
		{"none", func(*RunConfig) {}, ""},
		{"how far and where", func(c *RunConfig) {
			c.Threads, c.Device, c.Train.Episodes, c.Train.CheckpointEvery = 9, "cuda:1", 99, 9
			c.Data.Path, c.Data.Cache = "elsewhere.csv", "/tmp"
		}, ""},
		{"seed", func(c *RunConfig) { c.Seed = 8 }, "seed: 7, 8"},
		{"nested", func(c *RunConfig) { assign(t, c, "model.adapt.encoder=ND") }, "model.adapt.encoder: N, ND"},
		{"the first of two", func(c *RunConfig) { c.Train.LearningRate, c.Episode.Shots = 0.5, 3 }, "episode.shots: 2, 3"},
		{"bool", func(c *RunConfig) { c.Train.ShuffleLabels = true }, "train.shuffle_labels: false, true"},
	} {
		now := testConfig(t)
		tt.change(&now)
		d := firstDifference(testConfig(t), now)
		var got string
		if d != nil {
			got = d.name + ": " + d.before + ", " + d.now
		}
		if got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}
