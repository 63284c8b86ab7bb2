package iterref

import (
	"pacia/model"
	"pacia/model/shared/matching"
)

// Spec is the line of iterative refinement in the table of methods.
var Spec = model.Spec{
	Name: "iterref", Title: "IterRefLSTM",
	Source:   "Altae-Tran, Ramsundar, Pappu and Pande: Low Data Drug Discovery with One-Shot Learning, ACS Central Science 3, 2017",
	Traits:   model.Traits{CachesStates: true},
	Settings: func(string) model.Settings { return ForPreset() },
	New: func(b *model.Body, c model.Config, _ []int) (model.Method, error) {
		own := c.Own.(Settings)
		return matching.New(b, own.Settings, own.Refinement)
	},
}

// Settings are the method's own, below "model.".
type Settings struct {
	matching.Settings `yaml:",inline"`
	Refinement        matching.Refinement `yaml:"refinement" doc:"how support and queries are refined"`
}

// ForPreset returns DeepChem's settings, for any preset of the model.
func ForPreset() Settings {
	return Settings{matching.Default(), matching.Refinement{Steps: 3, Cell: "hard", Support: true}}
}
