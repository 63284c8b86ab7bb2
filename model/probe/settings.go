package probe

import (
	"pacia/model"
)

// Settings are the method's own, below "model.".
type Settings struct {
	Vectors     string  `yaml:"vectors" oneof:"given taught" doc:"vectors of molecules: as given, which are MiniMol's with model.encoder=minimol and log(1 + counts of the fingerprint) with any other, or by an encoder that training tasks have taught"`
	Shrinkage   float64 `yaml:"shrinkage" range:"[0.000001 1]" doc:"λ, share of the identity in the covariance of a class"`
	Temperature float64 `yaml:"temperature" range:"(0 1000000]" doc:"τ, factor of the distances in the logits"`
	Steps       int     `yaml:"steps" range:"0 10000" doc:"steps of Adam on the class means of a test task"`
	Rate        float64 `yaml:"rate" range:"(0 10]" doc:"rate of these steps"`
	Precision   string  `yaml:"precision" oneof:"fixed followed" doc:"the precision matrices in a step's gradient: fixed, as in the paper, or functions of the means, as in published code"`
}

// Choices of settings.
const (
	given    = "given"
	followed = "followed"
	minimol  = "minimol" // model.encoder
)

// ForPreset returns what was published, for any preset of the model: the code's ten steps for 16 support
// molecules score before the last.
func ForPreset(string) model.Settings {
	return Settings{Vectors: given, Shrinkage: 0.2, Temperature: 1, Steps: 9, Rate: 0.001, Precision: followed}
}

// Check has nothing to say: all combinations go together.
func (Settings) Check(model.Config) error { return nil }

// Traits: an encoder that is taught needs training, and one whose vectors are given runs no layer.
func (s Settings) Traits(c model.Config, t model.Traits) model.Traits {
	t.Untrained = s.Vectors == given
	t.Fingerprints = t.Untrained && c.Encoder != minimol
	t.ReadsHost = !t.Untrained
	return t
}
