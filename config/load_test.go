package config

import (
	"bytes"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pacia/internal/badinput"
	"pacia/internal/setting"
	"pacia/model"
	"pacia/model/methods"
	"pacia/run/runconfig"
)

// clean clears the environment variables of settings.
func clean(t *testing.T) {
	t.Helper()
	for _, s := range settings {
		t.Setenv(Variable(s.Name), "")
	}
}

func write(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "my.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func load(t *testing.T, o Options) Config {
	t.Helper()
	c, err := Load(o)
	if err != nil {
		t.Fatalf("Load(%+v): %v", o, err)
	}
	return c
}

// TestLabelsFirstNeedAnEncoder checks that a built-in preset's train.supervised_epochs does not apply to a
// method without an encoder. A user's does, and is refused when a run begins.
func TestLabelsFirstNeedAnEncoder(t *testing.T) {
	clean(t)
	for _, tt := range []struct {
		method string
		more   []string
		want   int
	}{
		{"pacia", nil, 300}, {"similarity", nil, 0}, {"gp", []string{"train.supervised_epochs=2"}, 2},
	} {
		set := append([]string{"data.path=tox21.csv.gz", "model.method=" + tt.method}, tt.more...)
		if c := load(t, Options{Preset: "fast/tox21-10shot", Set: set}); c.Train.SupervisedEpochs != tt.want {
			t.Errorf("%s %v: %d epochs, want %d", tt.method, tt.more, c.Train.SupervisedEpochs, tt.want)
		}
	}
}

func TestLaterSourcesWin(t *testing.T) {
	clean(t)
	const path = "data.path=tox21.csv.gz"
	preset := Options{Preset: "tox21-1shot", Set: []string{path}}
	if c := load(t, preset); c.Train.Episodes != 25000 || c.Episode.Shots != 1 || c.Data.Split != "tox21" {
		t.Errorf("preset alone: episodes %d, shots %d, split %q; want 25000, 1, tox21", c.Train.Episodes, c.Episode.Shots, c.Data.Split)
	}
	file := preset
	file.File = write(t, "train:\n  episodes: 7\nepisode: {shots: 3}\n")
	if c := load(t, file); c.Train.Episodes != 7 || c.Episode.Shots != 3 || c.Data.Split != "tox21" {
		t.Errorf("file over preset: episodes %d, shots %d, split %q; want 7, 3, tox21", c.Train.Episodes, c.Episode.Shots, c.Data.Split)
	}
	t.Setenv("PACIA_TRAIN_EPISODES", "8")
	if c := load(t, file); c.Train.Episodes != 8 || c.Episode.Shots != 3 {
		t.Errorf("environment over file: episodes %d, shots %d; want 8, 3", c.Train.Episodes, c.Episode.Shots)
	}
	file.Set = append(file.Set, "train.episodes=9", "train.episodes=1e1")
	if c := load(t, file); c.Train.Episodes != 10 || c.Episode.Shots != 3 {
		t.Errorf("--set over environment: episodes %d, shots %d; want 10, 3", c.Train.Episodes, c.Episode.Shots)
	}
}

// The optimiser depends on model.preset, which any source may set, but an explicit
// setting of the optimiser still holds.
func TestModelPresetGivesDefaultsOnly(t *testing.T) {
	clean(t)
	set := []string{"data.path=x.csv", "model.preset=reference", "train.clip_norm=2"}
	c := load(t, Options{Preset: "sider-10shot", Set: set})
	if c.Train.Optimizer != runconfig.AdamW || c.Train.LearningRate != 0.0006 || c.Train.TasksPerStep != 9 {
		t.Errorf("reference trains with %s at %v, %d tasks a step; want adamw, 0.0006, 9", c.Train.Optimizer, c.Train.LearningRate, c.Train.TasksPerStep)
	}
	if c.Train.ClipNorm != 2 {
		t.Errorf("train.clip_norm=2 became %v", c.Train.ClipNorm)
	}
	t.Setenv("PACIA_MODEL_PRESET", "paper")
	if c := load(t, Options{Preset: "sider-10shot", Set: set[:1]}); c.Train.Optimizer != runconfig.Adam {
		t.Errorf("paper trains with %s, want adam", c.Train.Optimizer)
	}
}

func TestEveryBuiltInFileLoads(t *testing.T) {
	clean(t)
	if c := load(t, Options{}); c.Data.Path != Embedded {
		t.Errorf("the default trains on %q, want %q", c.Data.Path, Embedded)
	}
	counts := map[string]int{}
	for _, p := range Presets() {
		counts[path.Dir(p)]++
		c := load(t, Options{Preset: p, Set: []string{"data.path=x.csv"}})
		if p == "model" { // of make model, not of the paper
			continue
		}
		about := About(p)
		if !strings.HasPrefix(about, "Table ") && !strings.HasPrefix(about, "Figure ") {
			t.Errorf("the first comment of preset %s is %q, which does not begin with a table or figure of the paper", p, about)
		}
		name, shots, ok := strings.Cut(path.Base(p), "-")
		if shots, _, more := strings.Cut(shots, "shot"); ok && more && (c.Data.Split != name || shots != strconv.Itoa(c.Episode.Shots)) {
			t.Errorf("preset %s has split %s and %d shots", p, c.Data.Split, c.Episode.Shots)
		}
		published := []string{"metamgnn", "gsmeta", "pintuning"} // methods that start from a pretrained encoder
		want := strings.HasPrefix(p, "pretrained") || strings.Contains(p, "pregnn") || slices.Contains(published, c.Model.Method)
		if want != (c.Model.Pretrained != "") {
			t.Errorf("preset %s starts from %q", p, c.Model.Pretrained)
		}
	}
	for folder, least := range map[string]int{".": 36, "fast": 2, "rivals": 20} {
		if counts[folder] < least {
			t.Errorf("%d presets in %s, want at least %d", counts[folder], folder, least)
		}
	}
}

// A user's file extends a preset in the same way as built-in ones.
func TestAFileExtendsAPreset(t *testing.T) {
	clean(t)
	file := write(t, "train: {episodes: 5}\npreset: sider-1shot\ndata: {path: x.csv}\n")
	c := load(t, Options{File: file})
	if c.Train.Episodes != 5 || c.Episode.Shots != 1 || c.Data.Split != "sider" {
		t.Errorf("episodes %d, shots %d, split %q; want 5, 1, sider", c.Train.Episodes, c.Episode.Shots, c.Data.Split)
	}
}

func TestWrittenSettingsLoadToTheSame(t *testing.T) {
	clean(t)
	want := load(t, Options{Preset: "muv-10shot", Set: []string{
		"seed=18446744073709551615", "data.path=C: #1 'x'.csv", "data.split=1e3", "model.preset=reference",
		"model.adapt.encoder=ND", "model.adapt.predictor=none", "train.learning_rate=6.25e-7", "train.shuffle_labels=true",
	}})
	var text bytes.Buffer
	if err := Write(&text, want); err != nil {
		t.Fatal(err)
	}
	got := load(t, Options{File: write(t, text.String())})
	if got != want {
		t.Errorf("loaded %+v\nwant   %+v\nfrom\n%s", got, want, text.String())
	}
}

func TestBaseTakesThePlaceOfDefaults(t *testing.T) {
	clean(t)
	base := load(t, Options{Set: []string{"model.width=96", "seed=5"}})
	got := load(t, Options{Base: &base, Set: []string{"seed=6"}})
	want := base
	want.Seed = 6
	if got != want {
		t.Errorf("loaded %+v\nwant   %+v", got, want)
	}
}

// TestAModelGoesToAnotherDevice checks that a model can be used on a device without the model's
// precision, for both ways to choose the device.
func TestAModelGoesToAnotherDevice(t *testing.T) {
	base := load(t, Options{})
	base.Precision = "bf16"
	for name, o := range map[string]Options{"--device": {Device: "cuda"}, "--set": {Set: []string{"device=cuda"}}} {
		o.Base = &base
		if c := load(t, o); c.Device != "cuda" || c.Precision != "float32" {
			t.Errorf("%s: device %s, precision %s; want cuda and float32", name, c.Device, c.Precision)
		}
	}
}

func TestDefaultsAreValid(t *testing.T) {
	for _, preset := range []string{model.Paper, model.Reference} {
		for _, method := range append(methods.Names(), "") {
			c, err := Default(preset, method)
			if err != nil {
				t.Fatal(err)
			}
			if err := c.Validate(); err != nil {
				t.Errorf("%s, %s: %v", preset, method, err)
			}
		}
	}
	if _, err := Default("papre", ""); !badinput.Is(err) {
		t.Errorf("Default(papre) = %v, want a fault", err)
	}
	if _, err := Default(model.Paper, "paccia"); !badinput.Is(err) {
		t.Errorf("Default(paper, paccia) = %v, want a fault", err)
	}
}

// A method with nothing to train ignores the episodes of a built-in file, but not its
// other settings. Episodes that a user sets are refused.
func TestEpisodesOfAMethodWithoutTraining(t *testing.T) {
	clean(t)
	for _, preset := range []string{"", "fsmol"} {
		o := Options{Preset: preset, Set: []string{"data.path=x", "model.method=forest", "model.trees=7"}}
		if c := load(t, o); c.Train.Episodes != 0 || preset == "fsmol" && c.Episode.TestSupport != 16 {
			t.Errorf("preset %q: %d episodes, support sets of %d; want none, 16", preset, c.Train.Episodes, c.Episode.TestSupport)
		}
		o.Set = append(o.Set, "train.episodes=5")
		_, err := Load(o)
		expect(t, "with episodes", err, "train.episodes: model.method=forest has nothing to train; write 0")
	}
	_, err := Load(Options{Set: []string{"data.path=x", "model.method=forest", "train.init=x.ckpt"}})
	expect(t, "with weights", err, "train.init: model.method=forest has no weights to start from; leave it out")
}

// TestSettingsOfSeveralMethods checks that settings below a method's name are read for that
// method and ignored for others, and that config.yaml serves every method.
func TestSettingsOfSeveralMethods(t *testing.T) {
	clean(t)
	file := write(t, "model:\n  pacia:\n    depth_loss: uniform\n    relation:\n      width: 48\n  siamese: {}\n  adkf:\n")
	for method, want := range map[string]string{"pacia": "uniform", "siamese": ""} {
		c, err := Load(Options{File: file, Set: []string{"model.method=" + method, "model.pacia.relation.layers=2"}})
		if err != nil {
			t.Fatalf("%s: %v", method, err)
		}
		got := ""
		for _, s := range setting.List("", c) {
			if s.Name == "model.depth_loss" {
				got = s.Value
			}
			if s.Name == "model.relation.layers" && method == "pacia" && s.Value != "2" {
				t.Errorf("--set model.pacia.relation.layers=2 leaves %s", s.Value)
			}
		}
		if got != want {
			t.Errorf("%s: model.depth_loss is %q, want %q", method, got, want)
		}
	}
	for _, method := range methods.Names() {
		set := []string{"model.method=" + method}
		if methods.Traits(method).Untrained {
			set = append(set, "train.episodes=0")
		}
		if _, err := Load(Options{File: filepath.Join("..", "config.yaml"), Set: set}); err != nil {
			t.Errorf("config.yaml with model.method=%s: %v", method, err)
		}
	}
	for set, want := range map[string]string{
		"model.siamese.depth_loss=uniform": "--set unknown setting model.siamese.depth_loss",
		"model.pacia.layers=2":             "--set unknown setting model.pacia.layers; write one of ",
		"model.single.steps=2":             "--set unknown setting model.single.steps; write one of tail, encoder_rate below model.single",
		"model.similarity.shares=2":        "leave it out; model.similarity has no settings of its own",
	} {
		if _, err := Load(Options{Set: []string{set}}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", set, err, want)
		}
	}
}
