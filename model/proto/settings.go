package proto

import "pacia/model"

// Settings are the settings of prototypical networks, below "model.".
type Settings struct {
	Metric   string `yaml:"metric" oneof:"euclidean cosine dot mahalanobis" doc:"how a molecule is compared with a prototype (docs/methods.md)"`
	Single   string `yaml:"single" oneof:"zero published" doc:"covariance of a class of one molecule in model.metric=mahalanobis: 0, or that of the published code"`
	Teaching string `yaml:"teaching" oneof:"episodes tasks" doc:"what the encoder learns from: queries of episodes, or all labels of a batch with a classifier for each task"`
}

// ForPreset returns the published settings, for any preset of the model.
func ForPreset(string) model.Settings {
	return Settings{Metric: "euclidean", Single: "zero", Teaching: "episodes"}
}

// Check returns nil: all combinations are valid.
func (Settings) Check(model.Config) error { return nil }

// Traits sets FixedClasses if there are classifiers of training tasks, and ReadsHost if there are, because they are
// looked up by the tasks' numbers, or if libraries that factorise covariances on a GPU may wait for it.
func (s Settings) Traits(_ model.Config, t model.Traits) model.Traits {
	t.FixedClasses = s.Teaching == "tasks"
	t.ReadsHost = t.FixedClasses || s.Metric == mahalanobis
	return t
}
