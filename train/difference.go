package train

import (
	"bytes"
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"

	"pacia/model"
)

// freeSettings are the settings that may change from one resumption to the next: how
// far a run goes and where it computes, not what it computes. The data set's
// place is free because its hash is compared.
var freeSettings = []string{"threads", "device", "data.path", "data.cache", "train.episodes", "train.checkpoint_every"}

// encode returns c as YAML.
func (c RunConfig) encode() ([]byte, error) { return yaml.Marshal(c) }

// decodeConfig is the inverse of encode. A setting that RunConfig does not
// know is an error: it comes from another version of the program. A precision
// that there no longer is on the device is none: the model can be used, and
// whether its training can be resumed is for others to check.
func decodeConfig(text []byte) (RunConfig, error) {
	c := earlier()
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	if err := decoder.Decode(&c); err != nil {
		return RunConfig{}, err
	}
	return c, c.On(c.Device, c.Threads).Validate()
}

// earlier has what was so before there was a choice, for settings from then,
// which say nothing of it.
func earlier() (c RunConfig) {
	c.Precision = "float32"
	c.Model.Method, c.Model.Readout, c.Model.Jump = model.PACIA, "mean", "last"
	c.Model.Hyper.Labels, c.Model.Hyper.Prototypes, c.Model.Hyper.Layers = true, "concat", 3
	c.Train.Replicas, c.Train.FineTune = 1, model.DefaultTuning
	c.Train.Metric, c.Train.EvaluationDraws, c.Train.TestEvery = MetricROCAUC, 1, TestAlways
	return c
}

// difference is a setting that has another value than before.
type difference struct{ name, before, now string }

// firstDifference returns the first setting, in the order of RunConfig, that
// is not one of freeSettings and not the same in both; nil if there is none.
func firstDifference(before, now RunConfig) (*difference, error) {
	old, err := settings(before)
	if err != nil {
		return nil, err
	}
	current, err := settings(now)
	if err != nil {
		return nil, err
	}
	for i, s := range current {
		if s.value != old[i].value && !slices.Contains(freeSettings, s.name) {
			return &difference{s.name, old[i].value, s.value}, nil
		}
	}
	return nil, nil
}

type setting struct{ name, value string }

// settings lists the settings of c by their full names.
func settings(c RunConfig) ([]setting, error) {
	var root yaml.Node
	if err := root.Encode(c); err != nil {
		return nil, fmt.Errorf("listing the settings: %w", err)
	}
	return flatten("", &root), nil
}

func flatten(name string, n *yaml.Node) []setting {
	if n.Kind != yaml.MappingNode {
		return []setting{{name, n.Value}}
	}
	var all []setting
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i].Value
		if name != "" {
			key = name + "." + key
		}
		all = append(all, flatten(key, n.Content[i+1])...)
	}
	return all
}
