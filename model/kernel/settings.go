package kernel

import "pacia/model"

// Settings are the method's own.
type Settings struct {
	Members int     `yaml:"members" range:"1 16" doc:"encoders trained side by side; their kernels are averaged"`
	Noise   float64 `yaml:"noise" range:"[0.000001 1000000]" doc:"σ², variance of the label noise; a molecule's kernel with itself is 1.1 to 3.1"`
	Memory  bool    `yaml:"memory" doc:"molecules are also compared by their labels in training tasks"`
	MiniMol bool    `yaml:"minimol" doc:"molecules are also compared by MiniMol's vectors (1.3 ms a molecule)"`
	Slope   float64 `yaml:"slope" range:"[0.000001 1000000]" doc:"factor from score to logit (pacia calibrate)"`
	Offset  float64 `yaml:"offset" range:"[-100 100]" doc:"added to that logit, besides the support set's log-odds"`
}

// ForPreset returns the settings chosen on FS-Mol's validation tasks, for any preset.
func ForPreset(string) model.Settings {
	return Settings{Members: 2, Noise: 1, Memory: true, Slope: 1}
}

// Calibrated returns settings with which logits are slope times the current ones, plus
// offset.
func (s Settings) Calibrated(slope, offset float64) model.Settings {
	s.Slope, s.Offset = slope*s.Slope, slope*s.Offset+offset
	return s
}

// Embeds reports whether molecules need the vectors of MiniMol.
func (s Settings) Embeds() bool { return s.MiniMol }

// Embedding returns the settings with or without these vectors.
func (s Settings) Embedding(on bool) model.Settings {
	s.MiniMol = on
	return s
}

// Check returns nil.
func (Settings) Check(model.Config) error { return nil }
