package runconfig

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pacia/data/source"
	"pacia/internal/setting"
	"pacia/model"
	"pacia/model/methods"
	"pacia/ops"
)

// testConfig returns valid settings of a tiny run.
func testConfig(t *testing.T) Config {
	t.Helper()
	m, err := methods.ForPreset(model.Paper, methods.Default)
	if err != nil {
		t.Fatal(err)
	}
	c, err := ForPreset(model.Paper)
	if err != nil {
		t.Fatal(err)
	}
	c.EpisodeUnit, c.Episodes, c.TasksPerStep, c.EvaluateEvery, c.CheckpointEvery = EpisodeStep, 12, 2, 4, 3
	return Config{
		Seed: 7, Threads: 1, Device: "cpu", Precision: "float32",
		Data:  Data{Path: "embedded", Split: "auto", SMILES: "smiles"},
		Model: m, Episode: Episode{Shots: 2, Queries: 4}, Train: c,
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
		change func(*Config)
		want   string
	}{
		{func(c *Config) { c.Threads = -1 }, "threads: -1"},
		{func(c *Config) { c.Device = "gpu" }, `device: "gpu"`},
		{func(c *Config) { c.Precision = "half" }, `precision: "half" is not one of float32, tf32, bf16, auto`},
		{func(c *Config) { c.Precision = "tf32" }, "precision: tf32 is for GPUs; with device=cpu write float32"},
		{func(c *Config) { c.Device, c.Precision = "cuda", "bf16" }, "precision: bf16 is for CPUs; on a GPU write tf32"},
		{func(c *Config) { c.Device, c.Precision, c.Model.DropoutMask = "cuda:1", "tf32", "surrounding" }, "model.dropout_mask: surrounding is for CPUs; with device=cuda:1 write atom"},
		{func(c *Config) { c.Model.DropoutMask = "molecule" }, `model.dropout_mask: "molecule" is not one of atom, surrounding`},
		{func(c *Config) { c.Model.DropoutMask, c.Model.Encoder = "surrounding", "gcn" }, "model.dropout_mask: surrounding is for encoders with gin or pna, which model.encoder=gcn is not; write atom"},
		{func(c *Config) { c.Model.DropoutMask, c.Model.Jump = "surrounding", "max" }, "model.dropout_mask: surrounding goes with model.jump=last, not with max; write atom"},
		{func(c *Config) { c.Data.Path = "" }, "data.path: "},
		{func(c *Config) { c.Data.Split = "" }, "data.split: "},
		{func(c *Config) { c.Model.Width = 0 }, "model.width: 0"},
		{func(c *Config) { c.Episode.Shots = 0 }, "episode.shots: 0"},
		{func(c *Config) { c.Episode.Queries = -4 }, "episode.queries: -4"},
		{func(c *Config) { c.Episode.Support, c.Episode.Queries = 8, 1 }, "episode.queries: a stratified draw"},
		{func(c *Config) { c.Episode.Support = 1 }, "episode.support: 1 is out of range; write 2 to 8192 (0: episode.shots of each class)"},
		{func(c *Config) { c.Episode.TestSupport = -3 }, "episode.test_support: -3"},
		{func(c *Config) { c.Train.Metric = "auc" }, `train.metric: "auc" is not one of roc_auc, delta_auprc`},
		{func(c *Config) { c.Train.EvaluationDraws = 0 }, "train.evaluation_draws: 0"},
		{func(c *Config) { c.Train.TestEvery = "never" }, `train.test_every: "never"`},
		{func(c *Config) { c.Train.TestEvery, c.Train.Selection = TestLast, SelectTest }, "train.test_every: last leaves nothing to select"},
		{func(c *Config) { c.Train.Episodes = 0 }, "train.episodes: 0"},
		{func(c *Config) { c.Train.TasksPerStep = -1 }, "train.tasks_per_step: -1"},
		{func(c *Config) { c.Train.EpisodeUnit = "epoch" }, `train.episode_unit: "epoch"`},
		{func(c *Config) { c.Train.EvaluateEvery = -1 }, "train.evaluate_every: -1"},
		{func(c *Config) { c.Train.Selection = "best" }, `train.selection: "best"`},
		{func(c *Config) { c.Train.Optimizer = "sgd" }, `train.optimizer: "sgd"`},
		{func(c *Config) { c.Train.LearningRate = 0 }, "train.learning_rate: 0"},
		{func(c *Config) { c.Train.WeightDecay = 1 }, "train.weight_decay: 1"},
		{func(c *Config) { c.Train.ClipNorm = -1 }, "train.clip_norm: -1"},
		{func(c *Config) { c.Train.Replicas = 0 }, "train.replicas: 0"},
		{func(c *Config) { c.Train.Replicas = 257 }, "train.replicas: 257"},
		{func(c *Config) { c.Seed, c.Train.Replicas = math.MaxUint64-1, 3 }, "seed: 18446744073709551614 leaves no room for 3 replicas; write 18446744073709551613"},
		{func(c *Config) { c.Train.Episodes = 2e9 }, "train.episodes: 2000000000"},
		{func(c *Config) { c.Train.Selection, c.Train.ValidationTasks = SelectLast, 3 }, "train.validation_tasks: 3"},
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
	text, err := c.Encode()
	if err != nil {
		t.Fatal(err)
	}
	back, err := Decode(text)
	if err != nil {
		t.Fatal(err)
	}
	if back != c {
		t.Errorf("got %+v\nwant %+v", back, c)
	}
	if _, err := Decode(append(text, "speed: 3\n"...)); err == nil {
		t.Error("an unknown setting is accepted")
	}
}

// TestPrecisionOfEarlierRuns checks that a precision that is no longer supported can
// be read. The model then computes in float32.
func TestPrecisionOfEarlierRuns(t *testing.T) {
	for _, device := range []string{CPU, "cuda"} {
		for name := range precisions {
			c := testConfig(t)
			c.Device, c.Precision = device, name
			text, err := c.Encode()
			if err != nil {
				t.Fatal(err)
			}
			if back, err := Decode(text); err != nil || back != c {
				t.Errorf("%s on %s: got %+v, %v", name, device, back, err)
			}
			on := c
			on.Device = CPU
			on = on.Feasible()
			if on.Precision != "float32" && (name != "bf16" || !ops.HasBF16()) {
				t.Errorf("%s on %s becomes %s on the CPU", name, device, on.Precision)
			}
			if err := on.Validate(); err != nil {
				t.Errorf("%s on %s: %v", name, device, err)
			}
		}
	}
}

// TestMasksOnAnotherDevice checks that a model trained with masks by environment can be used
// on a GPU, which does not support them.
func TestMasksOnAnotherDevice(t *testing.T) {
	c := testConfig(t)
	c.Model.DropoutMask = model.MaskSurrounding
	if c.Feasible() != c {
		t.Errorf("the CPU has no masks by environment: %+v", c.Feasible().Model)
	}
	c.Device = "cuda"
	if f := c.Feasible(); f.Model.DropoutMask != model.MaskAtom || f.Validate() != nil {
		t.Errorf("masks by %s on a GPU, %v", f.Model.DropoutMask, f.Validate())
	}
}

// TestAnyPrecision checks that auto works on every device, and is the first supported one of the
// precisions listed for it.
func TestAnyPrecision(t *testing.T) {
	for device, names := range map[string][]string{CPU: {"bf16", "float32"}, "cuda": {"tf32"}} {
		c := testConfig(t)
		c.Device, c.Precision = device, "auto"
		if err := c.Validate(); err != nil {
			t.Errorf("on %s: %v", device, err)
		}
		got := c.products()
		for _, c.Precision = range names {
			if c.Validate() == nil {
				break
			}
		}
		if want := precisions[c.Precision]; got != want || c.Validate() != nil {
			t.Errorf("on %s auto is precision %d, want %d, that of %s", device, got, want, c.Precision)
		}
	}
}

func TestFirstDifference(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*Config)
		want   string
	}{
		{"none", func(*Config) {}, ""},
		{"how far and where", func(c *Config) {
			c.Threads, c.Device, c.Train.Episodes, c.Train.CheckpointEvery = 9, "cuda:1", 99, 9
			c.Data.Path, c.Data.Cache = "elsewhere.csv", "/tmp"
		}, ""},
		{"seed", func(c *Config) { c.Seed = 8 }, "seed: 7, 8"},
		{"nested", func(c *Config) {
			if err := setting.Assign(c, "model.adapt.encoder=ND"); err != nil {
				t.Fatal(err)
			}
		}, "model.adapt.encoder: N, ND"},
		{"the first of two", func(c *Config) { c.Train.LearningRate, c.Episode.Shots = 0.5, 3 }, "episode.shots: 2, 3"},
		{"bool", func(c *Config) { c.Train.ShuffleLabels = true }, "train.shuffle_labels: false, true"},
	} {
		now := testConfig(t)
		tt.change(&now)
		d := FirstDifference(testConfig(t), now)
		var got string
		if d != nil {
			got = d.Name + ": " + d.Before + ", " + d.Now
		}
		if got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestSettingsOfEarlierRuns checks that settings that an earlier version did not have get the
// values of that version.
func TestSettingsOfEarlierRuns(t *testing.T) {
	c := testConfig(t)
	text, err := c.Encode()
	if err != nil {
		t.Fatal(err)
	}
	since := []string{"precision:", "method:", "readout:", "jump:", "labels:", "prototypes:", "support:", "test_support:", "replicas:",
		"metric:", "evaluation_draws:", "test_every:", "adaptivity:", "adaptivity_draws:", "adaptivity_queries:",
		"schedule:", "warm_up:", "average:", "task_share:", "molecules:", "repeats:"}
	var old []string
	for line := range strings.Lines(string(text)) {
		if !slices.Contains(since, strings.Fields(line)[0]) {
			old = append(old, line)
		}
	}
	if left := strings.Count(string(text), "\n") - len(old); left != len(since) {
		t.Fatalf("%d settings are left out, want %d:\n%s", left, len(since), text)
	}
	for _, more := range []string{"", "    finetune:\n        steps: 5\n        rate: 0.001\n"} { // earlier versions wrote these for every method
		want := c
		want.Data.Molecules, want.Data.Repeats = source.RowsDrawn, source.RowsKeep
		if back, err := Decode([]byte(strings.Join(old, "") + more)); err != nil || back != want {
			t.Errorf("got %+v (%v)\nwant %+v", back, err, want)
		}
	}
}
