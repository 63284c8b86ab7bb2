package maml

import (
	"pacia/model"
	"pacia/model/shared/inner"
)

// Settings are the method's own, below "model.".
type Settings struct {
	Adaptation inner.Settings `yaml:"adaptation" doc:"gradient steps on the support set of a training task"`
}

// rate is the default of α, which the published comparison does not state.
const rate = 0.05

// ForPreset returns one step, first order, for any preset of the model.
func ForPreset(string) model.Settings {
	return Settings{inner.Settings{Steps: 1, Rate: rate, Order: 1}}
}

// Check returns nil: all combinations are valid.
func (Settings) Check(model.Config) error { return nil }

// Exact returns settings with exact gradients of the loss.
func (s Settings) Exact() model.Settings {
	s.Adaptation.Order = 2
	return s
}
