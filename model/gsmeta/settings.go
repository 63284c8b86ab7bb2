package gsmeta

import (
	"errors"

	"pacia/model"
	"pacia/model/shared/inner"
)

// Settings are the method's own, below "model.".
type Settings struct {
	Properties Properties     `yaml:"properties" doc:"the graphs of molecules and properties (tasks)"`
	Adaptation inner.Settings `yaml:"adaptation" doc:"gradient steps on the support set of a training task"`
	Contrast   Contrast       `yaml:"contrast" doc:"loss that makes the graphs of one task's episodes alike"`
	Selection  Selection      `yaml:"selection" doc:"which of the drawn tasks a training step learns from"`
}

// Properties are the settings of the graphs.
type Properties struct {
	Layers       int     `yaml:"layers" range:"1 64" doc:"layers of the graphs of molecules and properties"`
	Similarity   int     `yaml:"similarity" range:"1 8192" doc:"h, hidden widths 2h and h of the similarity of two molecules"`
	Auxiliary    int     `yaml:"auxiliary" range:"1 65536" zero:"all" doc:"training tasks that a graph has besides its own"`
	Queries      string  `yaml:"queries" oneof:"labelled hidden" doc:"labelled: edges of a query hold its labels in training tasks; hidden: they are not measured"`
	InputDropout float64 `yaml:"input_dropout" range:"[0 1)" doc:"dropout of molecules and properties before the first layer"`
	Dropout      float64 `yaml:"dropout" range:"[0 1)" doc:"dropout of nodes after each layer, and of the channels of the similarity"`
}

// Contrast holds the settings of the loss between graphs.
type Contrast struct {
	Weight      float64 `yaml:"weight" range:"[0 1000]" doc:"weight of this loss; 0 leaves it out"`
	Temperature float64 `yaml:"temperature" range:"(0 1000]" doc:"τ, divides the cosines of graphs"`
}

// Selection holds the settings of the choice of tasks.
type Selection struct {
	Tasks  int     `yaml:"tasks" range:"0 4096" zero:"all, without a selector" doc:"tasks of train.tasks_per_step that a selector network keeps"`
	Hidden int     `yaml:"hidden" range:"1 8192" doc:"hidden width"`
	Anneal int     `yaml:"anneal" range:"1 1000000000" doc:"steps after which the selector's temperature, first 1, rises by 1"`
	Rate   float64 `yaml:"rate" range:"(0 1]" doc:"the selector's learning rate, as a share of train.learning_rate"`
}

// ForPreset returns the published settings, for any preset of the model.
func ForPreset(string) model.Settings {
	return Settings{
		Properties: Properties{Layers: 2, Similarity: 100, Queries: "labelled", InputDropout: 0.1, Dropout: 0.1},
		Adaptation: inner.Settings{Steps: 1, Rate: rate, Order: 1},
		Contrast:   Contrast{Weight: 0.05, Temperature: 0.08},
		Selection:  Selection{Tasks: 5, Hidden: 10, Anneal: 500, Rate: 0.5},
	}
}

// rate is α, for training and for test tasks.
const rate = 0.5

// Check refuses a choice of tasks without the contrast, from which it learns.
func (s Settings) Check(model.Config) error {
	if s.Selection.Tasks > 0 && s.Contrast.Weight == 0 {
		return errors.New("model.selection.tasks: the choice of tasks learns from the loss of model.contrast.weight, which is 0; write model.selection.tasks=0, or a weight such as 0.05")
	}
	return nil
}

// Exact returns settings with exact gradients of the loss: steps so short that the omitted second
// order is below rounding, and no choice of tasks, which learns from rewards.
func (s Settings) Exact() model.Settings {
	s.Adaptation.Rate, s.Selection.Tasks = 1e-14, 0
	return s
}
