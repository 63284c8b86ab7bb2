package par

import "pacia/model"

// Settings are the settings of PAR, below "model.".
type Settings struct {
	Relation   Relation   `yaml:"relation" doc:"the relation graph (Eqs. 4 and 5)"`
	Context    Context    `yaml:"context" doc:"context: class means (PAR), training molecules (MHNfs)"`
	Adaptation Adaptation `yaml:"adaptation" doc:"the gradient steps on a support set that are a part of PAR"`
}

// Relation holds the settings of the relation graph.
type Relation struct {
	Layers  int     `yaml:"layers" range:"1 64" doc:"L_rel, layers of the relation graph"`
	Width   int     `yaml:"width" range:"1 8192" doc:"width of its nodes"`
	Hidden  int     `yaml:"hidden" range:"1 8192" zero:"2 × model.relation.width" doc:"H, width of the first hidden layers: pairs d→H→H/2→1; with model.relation.node=double also the update 2d→H→d"`
	Keep    string  `yaml:"keep" oneof:"shots all" doc:"neighbours that a node keeps: as many as the shots, or all"`
	Dropout float64 `yaml:"dropout" range:"[0 1)" doc:"dropout of nodes before the first layer; with par, also after the last"`
}

// Context holds the settings of the attention to the class means.
type Context struct {
	Dropout float64 `yaml:"dropout" range:"[0 1)" doc:"dropout of the attention's weights and in the projection to nodes"`
}

// Adaptation holds the settings of the inner steps.
type Adaptation struct {
	Steps     int     `yaml:"steps" range:"1 16" doc:"gradient steps on the support set in training"`
	TestSteps int     `yaml:"test_steps" range:"1 64" zero:"model.adaptation.steps" doc:"the same for a test task"`
	Rate      float64 `yaml:"rate" range:"(0 10]" doc:"α, learning rate of these steps"`
	Order     int     `yaml:"order" range:"1 2" doc:"1: first-order gradients; 2: gradients through these steps"`
}

// ForPreset returns the settings published for MoleculeNet, for any preset of the model.
func ForPreset(string) model.Settings {
	return Settings{
		Relation:   Relation{Layers: 2, Width: 128, Keep: "shots", Dropout: 0.2},
		Context:    Context{Dropout: 0.1},
		Adaptation: Adaptation{Steps: 1, Rate: 0.1, Order: 2},
	}
}

// Check returns nil: all combinations are valid.
func (Settings) Check(model.Config) error { return nil }

// Exact returns settings under which the gradients are the slope of the loss.
func (s Settings) Exact() model.Settings {
	s.Adaptation.Order = 2
	return s
}
