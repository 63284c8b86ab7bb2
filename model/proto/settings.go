package proto

import "pacia/model"

// Settings are those of prototypical networks, below "model.".
type Settings struct {
	Metric   string `yaml:"metric" oneof:"euclidean cosine dot mahalanobis" doc:"how near a molecule is to a prototype: by the squared distance; by that of vectors of length 1, whose logits are multiplied by a trained factor; by the inner product; or by the squared distance with the covariance of each class, as FS-Mol has it"`
	Single   string `yaml:"single" oneof:"zero published" doc:"covariance of a class of one molecule in model.metric=mahalanobis: 0, or what the published code makes of one, the variance of its numbers in every entry"`
	Teaching string `yaml:"teaching" oneof:"episodes tasks" doc:"what the encoder learns from: the queries of episodes, or all labels of a batch at once, by a linear classifier for each training task"`
}

// ForPreset returns what was published, for any preset of the model.
func ForPreset(string) model.Settings {
	return Settings{Metric: "euclidean", Single: "zero", Teaching: "episodes"}
}

// Check has nothing to say: all combinations go together.
func (Settings) Check(model.Config) error { return nil }
