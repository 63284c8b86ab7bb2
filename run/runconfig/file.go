package runconfig

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"pacia/data"
	"pacia/internal/badinput"
	"pacia/internal/each"
	"pacia/internal/input"
	"pacia/internal/setting"
	"pacia/metrics"
	"pacia/model"
	"pacia/model/methods"
)

// freeSettings are the settings that may change from one resumption to the next: how
// far a run goes and where it computes, not what it computes. The data set's
// place is free because its hash is compared.
var freeSettings = []string{"threads", "device", "data.path", "data.cache", "train.episodes", "train.checkpoint_every",
	"train.adaptivity", "train.adaptivity_draws", "train.adaptivity_queries"}

// Encode returns c as YAML.
func (c Config) Encode() ([]byte, error) {
	doc, err := setting.Encode(c)
	if err != nil {
		return nil, err
	}
	return yaml.Marshal(doc)
}

// MaxFile is the size of a file of settings in bytes. One with all of them has 4 KB.
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

// Decode is the inverse of Encode. A setting that Config does not know is an error:
// it comes from another version of the program. A precision that the device no
// longer has is not an error: the model can be used, and other code checks whether
// its training can be resumed.
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
			continue // of another method: once, files had the settings of all
		}
		if err := s.Set(&c, e.Value); err != nil {
			return Config{}, err
		}
	}
	return c, c.Feasible().Validate()
}

// earlier has the values of settings that were added later, for files from before
// there was a choice. For settings of the model they were those of its preset.
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
	c.Precision, c.Data.Molecules, c.Data.Repeats = "float32", data.RowsDrawn, data.RowsKeep
	c.Train.Replicas, c.Train.FineTune = 1, TuningOf(method)
	c.Train.Metric, c.Train.EvaluationDraws, c.Train.TestEvery = metrics.NameROCAUC, 1, TestAlways
	c.Train.EpisodeUnit, c.Train.Schedule, c.Train.TaskShare = EpisodeStep, Constant, EqualShare
	c.Train.Adaptivity, c.Train.AdaptivityDraws = AdaptivityLast, 1 // nothing that was found depends on it
	c.Model, err = methods.ForPreset(preset, method)
	return c, err
}

// Resuming returns the settings for a run that was begun with others: what is left open is
// as it was then.
func (c Config) Resuming(before Config) Config {
	c.Data.Molecules = cmp.Or(c.Data.Molecules, before.Data.Molecules)
	c.Data.Repeats = cmp.Or(c.Data.Repeats, before.Data.Repeats)
	return c
}

// Difference is a setting that has another value than before.
type Difference struct{ Name, Before, Now string }

// FirstDifference returns the first setting, in the order of Config, that
// is not one of freeSettings and not the same in both; nil if there is none.
func FirstDifference(before, now Config) *Difference {
	old := each.Pairs(setting.List("", before), func(s setting.Setting) (string, string) { return s.Name, s.Value })
	for _, s := range setting.List("", now) {
		if was, had := old[s.Name]; (!had || was != s.Value) && !slices.Contains(freeSettings, s.Name) {
			return &Difference{s.Name, was, s.Value}
		}
	}
	return nil
}
