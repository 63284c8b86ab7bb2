package train

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"pacia/model"
	"pacia/model/methods"
	"pacia/setting"
)

// freeSettings are the settings that may change from one resumption to the next: how
// far a run goes and where it computes, not what it computes. The data set's
// place is free because its hash is compared.
var freeSettings = []string{"threads", "device", "data.path", "data.cache", "train.episodes", "train.checkpoint_every"}

// encode returns c as YAML.
func (c RunConfig) encode() ([]byte, error) { return yaml.Marshal(c) }

// decodeConfig is the inverse of encode. A setting that RunConfig does not
// know is an error: it comes from another version of the program.
func decodeConfig(text []byte) (RunConfig, error) {
	entries, err := setting.Flatten(text)
	if err != nil {
		return RunConfig{}, err
	}
	c, err := earlier(entries)
	if err != nil {
		return RunConfig{}, err
	}
	known := map[string]setting.Setting{}
	for _, s := range setting.List("", c) {
		known[s.Name] = s
	}
	var ofModel []setting.Entry
	for _, e := range entries {
		if name, ok := strings.CutPrefix(e.Name, modelPrefix); ok {
			ofModel = append(ofModel, setting.Entry{Name: name, Value: e.Value, Row: e.Row})
			continue
		}
		if strings.HasPrefix(e.Name, "train.finetune.") && !methods.Traits(c.Model).Tunes {
			continue // once, every method had them
		}
		s, ok := known[e.Name]
		if !ok {
			return RunConfig{}, fmt.Errorf("unknown setting %s", e.Name)
		}
		if err := s.Set(&c, e.Value); err != nil {
			return RunConfig{}, err
		}
	}
	if c.Model, err = methods.Decode(c.Model, ofModel); err != nil {
		return RunConfig{}, err
	}
	return c, c.Validate()
}

const modelPrefix = "model."

// earlier has what was so before there was a choice, for settings from then,
// which say nothing of it.
func earlier(entries []setting.Entry) (c RunConfig, err error) {
	preset, method := model.Paper, methods.Default
	for _, e := range entries {
		switch e.Name {
		case modelPrefix + "preset":
			preset = e.Value
		case modelPrefix + "method":
			method = e.Value
		}
	}
	c.Precision = "float32"
	c.Train.Replicas = 1
	c.Train.Metric, c.Train.EvaluationDraws, c.Train.TestEvery = MetricROCAUC, 1, TestAlways
	if c.Model, err = methods.ForPreset(preset, method); err == nil {
		c.Train.FineTune = TuningOf(c.Model)
	}
	return c, err
}

// TuningOf returns the defaults of train.finetune for a model's method.
func TuningOf(c model.Config) model.Tuning {
	if methods.Traits(c).Tunes {
		return model.DefaultTuning
	}
	return model.Tuning{}
}

// difference is a setting that has another value than before.
type difference struct{ name, before, now string }

// firstDifference returns the first setting, in the order of RunConfig, that
// is not one of freeSettings and not the same in both; nil if there is none.
func firstDifference(before, now RunConfig) *difference {
	old := map[string]string{}
	for _, s := range setting.List("", before) {
		old[s.Name] = s.Value
	}
	for _, s := range setting.List("", now) {
		if was, had := old[s.Name]; (!had || was != s.Value) && !slices.Contains(freeSettings, s.Name) {
			return &difference{s.Name, was, s.Value}
		}
	}
	return nil
}
