package egnn

import "pacia/model"

// Settings are the method's own, below "model.".
type Settings struct {
	Graph Graph `yaml:"graph" doc:"the graph of a query and its support"`
}

// Graph holds the sizes of the graph network.
type Graph struct {
	Layers int `yaml:"layers" range:"1 64" doc:"updates of nodes and edges"`
	Width  int `yaml:"width" range:"1 8192" doc:"w, width of its nodes"`
}

// ForPreset returns the published settings, for any preset of the model.
func ForPreset() Settings { return Settings{Graph{Layers: 3, Width: 96}} }

// Check returns nil: all combinations are valid.
func (Settings) Check(model.Config) error { return nil }
