package sweep_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pacia/internal/badinput"
	"pacia/sweep"
)

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// read writes a sweep's file and reads it.
func read(t *testing.T, text string) *sweep.Plan {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s.yaml")
	put(t, path, text)
	p, err := sweep.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func names(p *sweep.Plan) []string {
	var all []string
	for _, r := range p.Runs {
		all = append(all, r.Name)
	}
	return all
}

func TestGridTimesSeeds(t *testing.T) {
	p := read(t, `
set: {train.episodes: 7}
seeds: 2
grid:
  model.width: [8, 16]
  train.learning_rate: [1e-3]
`)
	want := []string{
		"model.width=8,learning_rate=1e-3,seed=0", "model.width=8,learning_rate=1e-3,seed=1",
		"model.width=16,learning_rate=1e-3,seed=0", "model.width=16,learning_rate=1e-3,seed=1",
	}
	if got := names(p); !slices.Equal(got, want) {
		t.Errorf("runs %q, want %q", got, want)
	}
	c := p.Runs[3].Config
	if c.Seed != 1 || c.Model.Width != 16 || c.Train.LearningRate != 1e-3 || c.Train.Episodes != 7 || c.Train.TasksPerStep != 4 {
		t.Errorf("the last run has %+v", c)
	}
}

// Names must differ even if the last parts of settings are equal.
func TestNames(t *testing.T) {
	p := read(t, `
seeds: [5]
list:
  - {model.width: 8, model.relation.width: 4}
  - {name: with a/slash, model.adapt.encoder: none}
`)
	want := []string{"model.width=8,relation.width=4,seed=5", "with_a_slash,seed=5"}
	if got := names(p); !slices.Equal(got, want) {
		t.Errorf("runs %q, want %q", got, want)
	}
	long := read(t, "set: {data.split: 0-1/2}\nlist:\n  - {data.path: "+strings.Repeat("x", 300)+"}\n  - {data.path: "+strings.Repeat("x", 299)+"y}\n")
	if n := names(long); n[0] == n[1] || len(n[0]) > 200 {
		t.Errorf("long names %q", n)
	}
}

// More runs do not change the first ones, values are in their ranges, and another seed
// gives other values.
func TestRandomSample(t *testing.T) {
	sample := func(runs, seed string) []string {
		return names(read(t, `
random:
  runs: `+runs+`
  seed: `+seed+`
  settings:
    train.learning_rate: {from: 1e-4, to: 1e-2, scale: log}
    model.width: {from: 4, to: 6}
    model.adapt.predictor: [N, D]
`))
	}
	few, many, other := sample("5", "0"), sample("40", "0"), sample("5", "1")
	if !slices.Equal(few, many[:5]) {
		t.Errorf("5 of 40 runs are\n%q, alone\n%q", many[:5], few)
	}
	if slices.Equal(few, other) {
		t.Errorf("two seeds give %q", few)
	}
	all := strings.Join(many, "\n")
	for _, want := range []string{"model.width=4,", "model.width=5,", "model.width=6,", "predictor=N,", "predictor=D,"} {
		if !strings.Contains(all, want) {
			t.Errorf("no %s among 40 runs:\n%s", want, all)
		}
	}
	low := 0
	for _, r := range read(t, "random: {runs: 200, settings: {train.learning_rate: {from: 1e-4, to: 1e-2, scale: log}}}").Runs {
		if rate := r.Config.Train.LearningRate; rate < 1e-4 || rate > 1e-2 {
			t.Errorf("learning rate %v", rate)
		} else if rate < 1e-3 {
			low++
		}
	}
	if low < 60 || low > 140 { // half are expected; on a linear scale it would be 18
		t.Errorf("%d of 200 learning rates are below the middle of the logarithmic scale", low)
	}
}

// A value that is rounded for its name stays in its range, and values can be drawn from any range.
func TestNarrowAndWideRanges(t *testing.T) {
	for _, r := range read(t, "random: {runs: 2, settings: {train.learning_rate: {from: 0.12345, to: 0.1236}}}").Runs {
		if rate := r.Config.Train.LearningRate; rate < 0.12345 || rate > 0.1236 {
			t.Errorf("learning rate %v", rate)
		}
	}
	t.Chdir(t.TempDir())
	for _, bounds := range []string{"{from: -9223372036854775808, to: 9223372036854775807}", "{from: -1e308, to: 1e308}"} {
		put(t, "s.yaml", "random: {runs: 1, settings: {train.clip_norm: "+bounds+"}}")
		_, err := sweep.Read("s.yaml")
		if err == nil || !strings.Contains(err.Error(), "train.clip_norm: ") || !strings.Contains(err.Error(), "out of range") {
			t.Errorf("%s: %v", bounds, err)
		}
	}
}

func TestFaults(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, tt := range []struct{ text, want string }{
		{"grid: {model.layer: [1]}", "s.yaml: row 1: unknown setting model.layer; the nearest known one is model.layers"},
		{"seeds: 2\ngrid:\n  model.layers: [2, two]", `s.yaml: row 3: model.layers: "two" is not a whole number`},
		{"set:\n  train.episode: 1", "s.yaml: row 2: unknown setting train.episode; the nearest known one is train.episodes"},
		{"grid: {model.layers: [1, 65]}", "s.yaml: run model.layers=65,seed=0: model.layers: 65 is out of range; write 1 to 64"},
		{"grid: {seed: [1, 2]}", "s.yaml: row 1: seed is not a setting to vary; write seeds: [0, 1] or a count"},
		{"set: {device: cuda}", "s.yaml: row 1: device is not a setting to vary; write devices: [cpu] or [cuda:0, cuda:1]"},
		{"devices: [gpu]", `s.yaml: row 1: device "gpu" is not known; write cpu, cuda or cuda:N`},
		{"per_device: 0", `s.yaml: row 1: "0" is not a valid count; write a whole number from 1 to 10000`},
		{"seeds: [1, -2]", `s.yaml: row 1: "-2" is not a seed; write a whole number, 0 or more`},
		{"seeds: [1, 1]", "s.yaml: two runs are called seed=1; keep one of them, or give them different names"},
		{"gird: {}", `s.yaml: row 1: a sweep has no "gird"; write one of preset, config, set, seeds, grid, list, random, devices, per_device, slurm`},
		{"grid: {model.width: [8]}\nlist: [{model.width: 8}]", "s.yaml: row 2: list beside another way to vary settings; keep one of grid, list and random"},
		{"grid: {model.width: 8}", "s.yaml: row 1: no list of values; write values such as [1, 2]"},
		{"random: {runs: 9, settings: {model.width: [8, 9]}}", "s.yaml: row 1: there are hardly 9 different samples; write runs: 2, or a grid"},
		{"random: {runs: 2, settings: {model.width: {from: 9, to: 8}}}", "s.yaml: row 1: the range of model.width is empty; write {from: A, to: B} with A below B, both above 0 where the scale is log"},
		{"preset: tox21", `s.yaml: run seed=0: unknown preset "tox21"; the nearest known one is `},
		{"config: none.yaml", "none.yaml: cannot read the settings: no such file or directory"},
		{"preset: sider-1shot",
			"s.yaml: run seed=0: data.path is not set; write data.path=FOLDER/sider.csv.gz: behind --set, below set: of a sweep, or as PACIA_DATA_PATH"},
		{"grid: {train.learning_rate: [0.001, 1e-3]}",
			"s.yaml: runs learning_rate=0.001,seed=0 and learning_rate=1e-3,seed=0 have the same settings; leave one of them out"},
		{"set: {model: {width: 8}}",
			"s.yaml: row 1: a list or a group where one value should be; write one value; a setting has its whole name, such as model.layers"},
		{"grid: {model: {width: [8]}}",
			"s.yaml: row 1: no list of values; write values such as [1, 2]; a setting has its whole name, such as model.layers"},
		{"set: [model.width=8]", "s.yaml: row 1: a list where names with values should be; write name: value"},
		{"random:", "s.yaml: row 1: nothing where names with values should be; write name: value"},
		{"slurm: [mem=8G]", `s.yaml: row 1: "mem=8G" is not an option of sbatch; write one such as --mem=8G`},
		{"a: [", "s.yaml: not a YAML file: "},
		{"grid: {train.learning_rate: [1], train.learning_rate: [2]}", "s.yaml: row 1: train.learning_rate is there twice; keep one of the two"},
	} {
		put(t, "s.yaml", tt.text)
		_, err := sweep.Read("s.yaml")
		if err == nil || !strings.HasPrefix(err.Error(), tt.want) || !badinput.Is(err) {
			t.Errorf("%s:\n got %v\nwant %s", tt.text, err, tt.want)
		}
	}
	if _, err := sweep.Read("none.yaml"); err == nil || err.Error() != "none.yaml: cannot read the sweep: no such file or directory; check its name" {
		t.Errorf("no file: %v", err)
	}
}

func TestEverySettingCanBeVaried(t *testing.T) {
	p := read(t, "list:\n  - {data.split: 0-3/4, threads: 2, precision: auto}\n")
	if got := names(p)[0]; got != "split=0-3_4,threads=2,precision=auto,seed=0" {
		t.Errorf("it is called %s", got)
	}
}
