package probe

import "pacia/model"

// Settings are the method's own, below "model.".
type Settings struct {
	Vectors     string  `yaml:"vectors" oneof:"given taught" doc:"whose vectors (docs/methods.md)"`
	Shrinkage   float64 `yaml:"shrinkage" range:"[0.000001 1]" doc:"λ of the covariance"`
	Temperature float64 `yaml:"temperature" range:"(0 1000000]" doc:"τ, factor of distances"`
	Steps       int     `yaml:"steps" range:"0 10000" doc:"steps on class means"`
	Rate        float64 `yaml:"rate" range:"(0 10]" doc:"their rate"`
}

// Choices of settings.
const (
	given   = "given"
	minimol = "minimol" // model.encoder
)

// ForPreset returns the published settings, for any preset of the model. The published code makes ten steps
// for 16 support molecules, and scores before the last one.
func ForPreset(string) model.Settings {
	return Settings{Vectors: given, Shrinkage: 0.2, Temperature: 1, Steps: 9, Rate: 0.001}
}

// Check returns nil: all combinations are valid.
func (Settings) Check(model.Config) error { return nil }

// Traits returns the traits of a trained method if an encoder is trained. With given vectors no layer runs.
func (s Settings) Traits(c model.Config, t model.Traits) model.Traits {
	t.Untrained = s.Vectors == given
	t.NoEncoder = t.Untrained
	t.Fingerprints = t.Untrained && c.Encoder != minimol
	t.FixedClasses, t.ReadsHost = !t.Untrained, !t.Untrained
	return t
}
