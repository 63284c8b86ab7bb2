package config

import (
	"path/filepath"
	"testing"

	"pacia/internal/badinput"
)

func TestFaultsOfSet(t *testing.T) {
	clean(t)
	tests := []struct{ set, want string }{
		{"train.episode=5", "--set unknown setting train.episode; the nearest known one is train.episodes"},
		{"episodes=5", "--set unknown setting episodes; the nearest known one is train.episodes"},
		{"learning_rate=x", "--set unknown setting learning_rate; the nearest known one is train.learning_rate"},
		{"unknown.key=1", "--set unknown setting unknown.key; pacia config --explain lists all"},
		{"model.adapt.encodr=N", "--set unknown setting model.adapt.encodr; the nearest known one is model.adapt.encoder"},
		{"model=5", "--set setting model is a group; write one of its settings, such as model.preset"},
		{"seed", `--set "seed" has no value; write --set NAME=VALUE`},
		{"train.episodes=many", `--set train.episodes: "many" is not a whole number`},
		{"train.episodes=2.5", `--set train.episodes: "2.5" is not a whole number`},
		{"train.learning_rate=NaN", `--set train.learning_rate: "NaN" is not a number`},
		{"seed=-1", `--set seed: "-1" is not a whole number, 0 or more`},
		{"train.shuffle_labels=1", `--set train.shuffle_labels: "1" is not true or false`},
		{"device=gpu", `device: "gpu" is not known; write cpu, cuda or cuda:N`},
		{"threads=-2", "threads: -2 is out of range; write 0 (all cores) to 1024"},
		{"model.preset=papre", `model.preset: "papre" is not known; write paper or reference`},
		{"model.film=afine", `model.film: "afine" is not one of affine, scale, unit`},
		{"train.episodes=0", "train.episodes: 0 is out of range; write 1 or more"},
		{"episode.shots=0", "episode.shots: 0 is out of range; write 1 to 4096"},
		{"data.path=", "data.path is not set; write data.path=FOLDER/assays.csv: behind --set, below set: of a sweep, or as PACIA_DATA_PATH"},
	}
	for _, tt := range tests {
		_, err := Load(Options{Set: []string{tt.set}})
		expect(t, tt.set, err, tt.want)
	}
}

func TestFaultsOfFilesNameTheRow(t *testing.T) {
	clean(t)
	tests := []struct{ text, want string }{
		{"seed: 1\ntrain:\n  episode: 5\n", "my.yaml: row 3: unknown setting train.episode; the nearest known one is train.episodes"},
		{"seed: 1\nthreads: x\n", `my.yaml: row 2: threads: "x" is not a whole number`},
		{"seed:\n", `my.yaml: row 1: seed: "" is not a whole number, 0 or more`},
		{"seed: [1, 2]\n", "my.yaml: row 1: seed takes one value, not a list or a group"},
		{"data:\n  path: a\n  path: b\n", "my.yaml: row 3: data.path is set twice, first in row 2; keep one of the two"},
		{"train.episodes: 5\ntrain:\n  episodes: 6\n", "my.yaml: row 3: train.episodes is set twice, first in row 1; keep one of the two"},
		{"train: 5\n", "my.yaml: row 1: setting train is a group; write one of its settings, such as train.episodes"},
		{"just text\n", `my.yaml: row 1: "just text" where settings should be; write name: value`},
		{"seed: 1\npreset: tox21-5shot\n", `my.yaml: row 2: unknown preset "tox21-5shot"; the nearest known one is tox21-1shot; pacia config --list shows all`},
		{"a: b: c\n", "my.yaml: not a YAML file: yaml: mapping values are not allowed in this context"},
	}
	for _, tt := range tests {
		file := write(t, tt.text)
		_, err := Load(Options{File: file})
		expect(t, tt.text, err, filepath.Dir(file)+"/"+tt.want)
	}
}

func TestFaultsOfSourcesThatAreNotThere(t *testing.T) {
	clean(t)
	_, err := Load(Options{Preset: "tox22-10shot"})
	expect(t, "preset", err, `unknown preset "tox22-10shot"; the nearest known one is tox21-10shot; pacia config --list shows all`)
	_, err = Load(Options{Preset: "tox21"})
	expect(t, "begun", err, `unknown preset "tox21"; the nearest known one is tox21-1shot; pacia config --list shows all`)
	_, err = Load(Options{Preset: "nosuch"})
	expect(t, "none near", err, `unknown preset "nosuch"; pacia config --list shows all`)
	_, err = Load(Options{Preset: "tox21-10shot"})
	expect(t, "data.path", err,
		"data.path is not set; write data.path=FOLDER/tox21.csv.gz: behind --set, below set: of a sweep, or as PACIA_DATA_PATH")
	file := filepath.Join(t.TempDir(), "none.yaml")
	_, err = Load(Options{File: file})
	expect(t, "file", err, file+": cannot read the settings: no such file or directory")
}

func TestFaultsOfTheEnvironment(t *testing.T) {
	clean(t)
	t.Setenv("PACIA_TRAIN_EPISODES", "many")
	_, err := Load(Options{})
	expect(t, "type", err, `environment variable PACIA_TRAIN_EPISODES: train.episodes: "many" is not a whole number`)
	t.Setenv("PACIA_TRAIN_EPISODES", "")
	t.Setenv("PACIA_SHARED", "/data")
	if _, err := Load(Options{}); err != nil {
		t.Errorf("PACIA_SHARED is not a setting and must be let through: %v", err)
	}
	t.Setenv("PACIA_TRAIN_EPISODE", "5")
	_, err = Load(Options{})
	expect(t, "unknown", err, "environment variable PACIA_TRAIN_EPISODE is not a setting; the nearest known one is PACIA_TRAIN_EPISODES")
	t.Setenv("PACIA_NO_SUCH_THING", "1") // comes before the others
	_, err = Load(Options{})
	expect(t, "none near", err, "environment variable PACIA_NO_SUCH_THING is not a setting; pacia config --explain lists all")
}

func expect(t *testing.T, name string, err error, want string) {
	t.Helper()
	if err == nil {
		t.Errorf("%q: accepted, want %q", name, want)
		return
	}
	if err.Error() != want {
		t.Errorf("%q:\n got %q\nwant %q", name, err, want)
	}
	if !badinput.Is(err) {
		t.Errorf("%q: %v is not a fault", name, err)
	}
}

// A setting of another method is refused if a user wrote it, and ignored in a built-in
// file.
func TestSettingsOfOtherMethods(t *testing.T) {
	clean(t)
	const why = "model.adapt.encoder belongs to model.method=pacia, and model.method is multitask; leave it out"
	_, err := Load(Options{Set: []string{"model.method=multitask", "model.adapt.encoder=N"}})
	expect(t, "--set", err, "--set "+why)
	_, err = Load(Options{Set: []string{"model.method=multitask", "model.relation.layers=2"}})
	expect(t, "--set", err, "--set model.relation.layers belongs to model.method=pacia or finetune or par, and model.method is multitask; leave it out")
	file := write(t, "model:\n  adapt: {encoder: N}\n  method: multitask\n")
	_, err = Load(Options{File: file})
	expect(t, "file", err, file+": row 2: "+why+", or write it below model.pacia in a file for several methods")
	t.Setenv("PACIA_MODEL_ADAPT_ENCODER", "N")
	_, err = Load(Options{Preset: "tox21-10shot", Set: []string{"model.method=multitask", "data.path=x.csv"}})
	expect(t, "environment", err, "environment variable PACIA_MODEL_ADAPT_ENCODER: "+why)
	t.Setenv("PACIA_MODEL_ADAPT_ENCODER", "")
	load(t, Options{Set: []string{"model.method=multitask"}}) // config.yaml has model.depth_loss
	load(t, Options{File: write(t, "preset: sider-10shot, without-label\nmodel: {method: finetune}\n"), Set: []string{"data.path=x.csv"}})
}
