package adkf

import "pacia/model"

// Settings are the settings of ADKF-IFT, below "model.".
type Settings struct {
	Gradient string `yaml:"gradient" oneof:"first held full" doc:"what the encoder's gradient follows besides the vectors: nothing (first), the numbers fitted to a task (held, as published), or also the mode of their prior (full)"`
}

// ForPreset returns the published settings, for any preset of the model.
func ForPreset(string) model.Settings { return Settings{Gradient: "held"} }

// Check returns nil: all combinations are valid.
func (Settings) Check(model.Config) error { return nil }

// Exact returns settings under which the gradients are the slope of the loss.
func (s Settings) Exact() model.Settings {
	s.Gradient = "full"
	return s
}

func (s Settings) order() processOrder {
	return map[string]processOrder{"first": processFirst, "held": processHeld, "full": processFull}[s.Gradient]
}
