package config

import (
	"slices"
	"strings"

	"pacia/model"
)

// What package methods will answer.

const defaultMethod = model.PACIA

func methodNames() []string { return []string{model.PACIA, model.FineTune, model.Multitask} }

func modelDefaults(preset, method string) (model.Config, error) {
	c, err := model.ForPreset(preset)
	if c.Method = method; method != model.PACIA {
		c.Adapt = model.AdaptConfig{Encoder: "none", Predictor: "none"}
	}
	return c, err
}

// ownersOf returns the methods that a setting below model. belongs to, as in
// relation.layers; none for those that all share.
func ownersOf(name string) []string {
	group, _, _ := strings.Cut(name, ".")
	switch {
	case slices.Contains([]string{"adapt", "film", "depth_loss", "hyper"}, group):
		return []string{model.PACIA}
	case group == "relation" || group == "classifier":
		return []string{model.PACIA, model.FineTune}
	}
	return nil
}
