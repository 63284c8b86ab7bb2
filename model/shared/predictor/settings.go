package predictor

import "pacia/model"

// Settings are the settings of the predictor, below "model.".
type Settings struct {
	Relation   Relation   `yaml:"relation" doc:"the relation graph (Eqs. 4 and 5)"`
	Classifier Classifier `yaml:"classifier" doc:"the adaptive classifier (Eqs. 16 to 20)"`
}

// Check returns nil: all combinations are valid.
func (Settings) Check(model.Config) error { return nil }

// Relation holds the settings of the relation graph.
type Relation struct {
	Layers  int     `yaml:"layers" range:"1 64" doc:"L_rel, layers of the relation graph"`
	Width   int     `yaml:"width" range:"1 8192" doc:"width of its nodes"`
	Hidden  int     `yaml:"hidden" range:"1 8192" zero:"2 × model.relation.width" doc:"H, width of the first hidden layers: pairs d→H→H/2→1; with model.relation.node=double also the update 2d→H→d"`
	Share   bool    `yaml:"share" doc:"one set of weights for all relation layers"`
	Dropout float64 `yaml:"dropout" range:"[0 1)" doc:"dropout of nodes before the first layer; with par, also after the last"`
	Node    string  `yaml:"node" oneof:"single double" doc:"layers that update a node: one linear layer, or two"`
}

// Classifier holds the settings of the adaptive classifier.
type Classifier struct {
	Share bool `yaml:"share" doc:"one pair of MLPs for both classes"`
}

// ForPreset returns the settings of a preset of the model: shared weights and a node
// update of two layers in the paper, one classifier in the published code.
func ForPreset(paper bool) Settings {
	if paper {
		return Settings{Relation: Relation{Layers: 5, Width: 128, Share: true, Node: "double"}}
	}
	return Settings{Relation: Relation{Layers: 5, Width: 128, Node: "single"}, Classifier: Classifier{Share: true}}
}
