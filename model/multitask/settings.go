package multitask

import "pacia/model"

// Settings are the settings of multi-task learning, below "model.".
type Settings struct {
	Tail        int     `yaml:"tail" range:"1 8192" zero:"linear classifiers, two outputs" doc:"width of a shared hidden layer before the classifiers, which then have one output; a test task gets a new one"`
	EncoderRate float64 `yaml:"encoder_rate" range:"(0 10]" doc:"learning rate of the encoder, as a share of that of the other layers"`
}

// ForPreset returns linear classifiers, for any preset of the model.
func ForPreset(string) model.Settings { return Settings{EncoderRate: 1} }

// Check returns nil: all combinations are valid.
func (Settings) Check(model.Config) error { return nil }
