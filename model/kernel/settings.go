package kernel

import "pacia/model"

// Settings are the method's own.
type Settings struct {
	Members int     `yaml:"members" range:"1 16" doc:"encoders that are taught side by side, and whose kernels are averaged"`
	Noise   float64 `yaml:"noise" range:"[0.000001 1000000]" doc:"σ², variance of the noise of labels, beside a kernel of 1.1 to 2.4 of a molecule and itself"`
	Memory  bool    `yaml:"memory" doc:"labels of the training tasks are kept, so that molecules are compared by them as well"`
	MiniMol bool    `yaml:"minimol" doc:"molecules are compared by the vectors of the encoder MiniMol, too, which takes 2 ms a molecule"`
	Slope   float64 `yaml:"slope" range:"[0.000001 1000000]" doc:"what a score is multiplied with to be a logit: calibrated on validation tasks"`
	Offset  float64 `yaml:"offset" range:"[-100 100]" doc:"what is then added to it, beside the log-odds of the labels of the support set"`
}

// ForPreset returns what was chosen on FS-Mol's validation tasks, for any preset.
func ForPreset(string) model.Settings {
	return Settings{Members: 2, Noise: 1, Memory: true, Slope: 1}
}

// Calibrated returns the settings with which logits are slope times those of now, plus
// offset.
func (s Settings) Calibrated(slope, offset float64) model.Settings {
	s.Slope, s.Offset = slope*s.Slope, slope*s.Offset+offset
	return s
}

// Embeds says that molecules need the vectors of MiniMol.
func (s Settings) Embeds() bool { return s.MiniMol }

// Embedding returns the settings with or without them.
func (s Settings) Embedding(on bool) model.Settings {
	s.MiniMol = on
	return s
}

// Check has nothing to say.
func (Settings) Check(model.Config) error { return nil }
