package multitask

import "pacia/model"

// Settings are those of multi-task learning, below "model.".
type Settings struct {
	Tail        int     `yaml:"tail" range:"1 8192" zero:"none: the classifiers are linear, with an output for each class" doc:"width of a hidden layer between a molecule's vector and the classifiers, which then have one output; training tasks share it, and a test task starts a new one"`
	EncoderRate float64 `yaml:"encoder_rate" range:"(0 10]" doc:"learning rate of the encoder, as a share of that of the hidden layer and the classifiers, in training and in fine-tuning"`
}

// ForPreset returns linear classifiers, for any preset of the model.
func ForPreset(string) model.Settings { return Settings{EncoderRate: 1} }

// Check has nothing to say: all combinations go together.
func (Settings) Check(model.Config) error { return nil }
