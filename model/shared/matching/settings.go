package matching

import "pacia/model"

// Settings are the settings of the comparison, below "model.".
type Settings struct {
	Similarity string  `yaml:"similarity" oneof:"softmax mean" doc:"how similarities become a score: labels weighted by a softmax of cosines (DeepChem), or mean inner products of the classes, subtracted (MHNfs)"`
	Cosine     bool    `yaml:"cosine" doc:"cosines in place of inner products in model.similarity=mean"`
	Beta       float64 `yaml:"beta" range:"(0 1000000]" zero:"1/√d" doc:"β, factor of the scores of model.similarity=mean"`
}

// Refinement holds the settings of the refinement of support and queries before the comparison.
type Refinement struct {
	Steps   int    `yaml:"steps" range:"0 100" doc:"T, refinements; 0 compares the vectors as they are"`
	Cell    string `yaml:"cell" oneof:"hard sigmoid" doc:"gates of the LSTMs: clip(0.2u + 0.5, 0, 1), as in DeepChem, or σ(u), as in MHNfs"`
	Support bool   `yaml:"support" doc:"the support is also refined; false: matching networks (AttnLSTM)"`
}

// Default returns DeepChem's form, for any preset of the model.
func Default() Settings { return Settings{Similarity: "softmax"} }

// Check returns nil: all combinations are valid.
func (Settings) Check(model.Config) error { return nil }
