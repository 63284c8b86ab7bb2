package pintuning

import (
	"errors"

	"pacia/model"
	"pacia/model/gsmeta"
	"pacia/model/shared/inner"
)

// Settings are the method's own, below "model.".
type Settings struct {
	Properties gsmeta.Properties `yaml:"properties" doc:"the graphs of molecules and properties (tasks)"`
	Adaptation inner.Settings    `yaml:"adaptation" doc:"gradient steps on the support set of a training task"`
	Contrast   gsmeta.Contrast   `yaml:"contrast" doc:"loss that makes the graphs of one task's episodes alike"`
	Adapter    Adapter           `yaml:"adapter" doc:"adapters in the layers of the encoder"`
}

// Adapter holds the settings of the adapters and of the weight consolidation.
type Adapter struct {
	Width         int     `yaml:"width" range:"1 8192" doc:"k, width of an adapter's bottleneck"`
	Consolidation float64 `yaml:"consolidation" range:"[0 1000]" doc:"λ, weight of the distance that inner steps move the tables of atoms and bonds; 0 leaves it out"`
}

// rate is α, for training and for test tasks.
const rate = 0.05

// ForPreset returns the published settings of Tox21, for any preset of the model.
func ForPreset(preset string) model.Settings {
	of := gsmeta.ForPreset(preset).(gsmeta.Settings)
	of.Adaptation.Rate, of.Adaptation.Order = rate, 2
	return Settings{
		Properties: of.Properties, Adaptation: of.Adaptation, Contrast: of.Contrast,
		Adapter: Adapter{Width: 50, Consolidation: 0.1},
	}
}

// Check refuses an encoder without layers to adapt, and a consolidation without a gradient.
func (s Settings) Check(c model.Config) error {
	switch {
	case c.Encoder != "gin":
		return errors.New("model.encoder: pintuning adapts the layers of GIN; write model.encoder=gin")
	case c.DropoutMask == model.MaskSurrounding:
		return errors.New("model.dropout_mask: with adapters, equal atom environments can have different states; write model.dropout_mask=atom")
	case s.Adapter.Consolidation > 0 && s.Adaptation.Order < 2:
		return errors.New("model.adapter.consolidation: its gradient is of the second order; write model.adaptation.order=2, or 0 for it")
	}
	return nil
}

// learning returns the settings of GS-META's learner.
func (s Settings) learning() gsmeta.Settings {
	return gsmeta.Settings{Properties: s.Properties, Adaptation: s.Adaptation, Contrast: s.Contrast}
}
