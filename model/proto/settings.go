package proto

import "pacia/model"

// Settings are those of prototypical networks, below "model.".
type Settings struct {
	Metric   string `yaml:"metric" oneof:"euclidean cosine" doc:"how near a molecule is to a prototype: by the squared distance, or by that of vectors of length 1, whose logits are multiplied by a trained factor"`
	Teaching string `yaml:"teaching" oneof:"episodes tasks" doc:"what the encoder learns from: the queries of episodes, or all labels of a batch at once, by a linear classifier for each training task"`
}

// ForPreset returns what was published, for any preset of the model.
func ForPreset(string) model.Settings { return Settings{Metric: "euclidean", Teaching: "episodes"} }

// Check has nothing to say: all combinations go together.
func (Settings) Check(model.Config) error { return nil }
