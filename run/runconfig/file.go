package runconfig

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"

	"pacia/data/source"
	"pacia/internal/badinput"
	"pacia/internal/each"
	"pacia/internal/input"
	"pacia/internal/setting"
	"pacia/metrics"
	"pacia/model"
	"pacia/model/methods"
	"pacia/run/rundir"
)

// freeSettings lists the settings that may change when a run is resumed: the length of a
// run and where it computes, but not what it computes. The path of the data set may
// change because its hash is compared.
var freeSettings = []string{"threads", "device", "data.path", "data.absolute_path", "data.cache", "train.episodes",
	"train.checkpoint_every", "train.adaptivity", "train.adaptivity_draws", "train.adaptivity_queries"}

// Encode returns c as YAML.
func (c Config) Encode() ([]byte, error) {
	doc, err := setting.Encode(c)
	if err != nil {
		return nil, err
	}
	return yaml.Marshal(doc)
}

// MaxFile is the largest size of a settings file in bytes. All settings take 4 KB.
const MaxFile = 1 << 20

// Read reads the settings that a run has left in its folder.
func Read(path string) (Config, error) {
	text, err := input.ReadAll(context.Background(), path, input.Regular, MaxFile)
	if err != nil {
		return Config{}, &badinput.Error{What: "cannot read the settings of the run", Err: err, Fix: "write another --out"}
	}
	c, err := Decode(text)
	if err != nil {
		return Config{}, &badinput.Error{File: path, What: "the settings cannot be read", Err: err, Fix: "write another --out"}
	}
	return c, nil
}

// ReadIn returns the settings of the run in the folder dir, or nil if it holds none.
func ReadIn(dir string) (*Config, error) {
	path := filepath.Join(dir, rundir.ConfigFile)
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	c, err := Read(path)
	return &c, err
}

// Decode is the inverse of Encode. An unknown setting is an error: it comes from another
// version of the program. A precision that the device does not support is not an error:
// the model can be used, and other code checks whether its training can be resumed.
func Decode(text []byte) (Config, error) {
	entries, err := setting.Flatten(text)
	if err != nil {
		return Config{}, err
	}
	c, err := earlier(entries)
	if err != nil {
		return Config{}, err
	}
	known := each.Pairs(setting.List("", c), func(s setting.Setting) (string, setting.Setting) { return s.Name, s })
	for _, e := range entries {
		s, ok := known[e.Name]
		switch {
		case !ok && methods.Owners(e.Name) == nil && !strings.HasPrefix(e.Name, "train.finetune."):
			return Config{}, fmt.Errorf("row %d: unknown setting %s", e.Row, e.Name)
		case !ok:
			continue // earlier versions wrote settings of all methods
		}
		if err := s.Set(&c, e.Value); err != nil {
			return Config{}, err
		}
	}
	return c, c.Feasible().Validate()
}

// earlier returns the values that settings added later had before they were added. For
// settings of the model they are those of its preset.
func earlier(entries []setting.Entry) (c Config, err error) {
	preset, method := model.Paper, methods.Default
	for _, e := range entries {
		switch e.Name {
		case "model.preset":
			preset = e.Value
		case "model.method":
			method = e.Value
		}
	}
	c.Precision, c.Data.Molecules, c.Data.Repeats = "float32", source.RowsDrawn, source.RowsKeep
	c.Train.Replicas, c.Train.SupervisedShare, c.Train.FineTune = 1, 1, TuningOf(method)
	c.Train.Metric, c.Train.EvaluationDraws, c.Train.TestEvery = metrics.NameROCAUC, 1, TestAlways
	c.Train.EpisodeUnit, c.Train.Schedule, c.Train.TaskShare = EpisodeStep, Constant, EqualShare
	c.Train.Adaptivity, c.Train.AdaptivityDraws = AdaptivityLast, 1 // earlier results do not depend on it
	c.Model, err = methods.ForPreset(preset, method)
	return c, err
}

// Resuming returns c for resuming a run with the settings before: empty values of
// data.molecules and data.repeats are taken from these.
func (c Config) Resuming(before Config) Config {
	c.Data.Molecules = cmp.Or(c.Data.Molecules, before.Data.Molecules)
	c.Data.Repeats = cmp.Or(c.Data.Repeats, before.Data.Repeats)
	return c
}

// FirstDifference returns the first setting, in the order of Config, that differs and
// is not one of freeSettings, or nil.
func FirstDifference(before, now Config) *setting.Difference {
	return setting.FirstDifference(before, now, freeSettings...)
}
