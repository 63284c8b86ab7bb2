package maml

import "pacia/model"

// Settings are the method's own, below "model.".
type Settings struct {
	Adaptation Adaptation `yaml:"adaptation" doc:"gradient steps on the support set of a training task"`
}

// Adaptation holds the settings of the inner steps.
type Adaptation struct {
	Steps int     `yaml:"steps" range:"1 16" doc:"gradient steps on the support set in training"`
	Rate  float64 `yaml:"rate" range:"(0 10]" doc:"α, learning rate of these steps"`
	Order int     `yaml:"order" range:"1 2" doc:"1: first-order gradients; 2: gradients through these steps"`
}

// rate is the default of α, which the published comparison does not state.
const rate = 0.05

// ForPreset returns one step, first order, for any preset of the model.
func ForPreset(string) model.Settings { return Settings{Adaptation{Steps: 1, Rate: rate, Order: 1}} }

// Check returns nil: all combinations are valid.
func (Settings) Check(model.Config) error { return nil }

// Exact returns settings with exact gradients of the loss.
func (s Settings) Exact() model.Settings {
	s.Adaptation.Order = 2
	return s
}
