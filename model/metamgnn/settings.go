package metamgnn

import (
	"fmt"

	"pacia/gnn"
	"pacia/model"
)

// Settings are the method's own, below "model.".
type Settings struct {
	Adaptation Adaptation `yaml:"adaptation" doc:"gradient steps on the support set of a training task"`
	Minibatch  Minibatch  `yaml:"minibatch" doc:"mini-batches of a support set or of queries"`
	Self       Self       `yaml:"selfsupervised" doc:"losses that read no labels"`
	Weighting  Weighting  `yaml:"weighting" doc:"attention that weighs the tasks of a training step"`
	Score      string     `yaml:"score" oneof:"probability rounded" doc:"what ranks queries; rounded is 0 or 1, as in the published code"`
}

// Adaptation holds the settings of the inner steps.
type Adaptation struct {
	Steps int     `yaml:"steps" range:"1 16" doc:"gradient steps on the support set in training"`
	Rate  float64 `yaml:"rate" range:"(0 10]" doc:"α, learning rate of these steps"`
}

// Minibatch holds the settings of mini-batches of a support set or of queries.
type Minibatch struct {
	Molecules int  `yaml:"molecules" range:"1 100000" doc:"molecules of a mini-batch"`
	Divide    bool `yaml:"divide" doc:"the mean losses are divided once more by the number of molecules or bonds, as in the published code"`
}

// Self holds the settings of the losses without labels.
type Self struct {
	Bonds float64 `yaml:"bonds" range:"[0 1000]" doc:"weight of the loss that distinguishes bonds from other pairs of atoms; 0 leaves it out"`
	Atoms float64 `yaml:"atoms" range:"[0 1000]" doc:"weight of the loss that predicts an atom's element from its state; 0, or pna, film and mat, leave it out"`
	Drawn int     `yaml:"drawn" range:"1 100000" doc:"atoms drawn from each mini-batch for that loss"`
}

// Weighting holds the settings of the attention over tasks.
type Weighting struct {
	Hidden int `yaml:"hidden" range:"0 8192" zero:"no attention" doc:"hidden width"`
}

// ForPreset returns the published settings, for any preset of the model.
func ForPreset(string) model.Settings {
	return Settings{
		Adaptation: Adaptation{Steps: 1, Rate: rate},
		Minibatch:  Minibatch{Molecules: 5, Divide: true},
		Self:       Self{Bonds: 0.1, Atoms: 0.1, Drawn: 5},
		Weighting:  Weighting{Hidden: 100},
		Score:      "probability",
	}
}

// rate is α, for training and for test tasks.
const rate = 0.4

// Check refuses losses without labels for an encoder without atoms.
func (s Settings) Check(c model.Config) error {
	if e, _ := c.EncoderSpec(); e.Reads.Whole && (s.Self.Bonds > 0 || s.Self.Atoms > 0) {
		return fmt.Errorf("model.selfsupervised: model.encoder=%s has no atoms to ask about; write 0 for both model.selfsupervised.bonds and model.selfsupervised.atoms, or model.encoder=gin", c.Encoder)
	}
	return nil
}

// elements reports whether a loss predicts the elements of atoms. It needs atoms with categories.
func (s Settings) elements(c model.Config) bool {
	e, _ := c.EncoderSpec()
	return s.Self.Atoms > 0 && e.Reads == gnn.Categories
}

// Exact returns settings with exact gradients of the loss: steps so short that the omitted second
// order is below rounding, and no attention, because its gradient stops at the tasks' vectors.
func (s Settings) Exact() model.Settings {
	s.Adaptation.Rate, s.Weighting.Hidden = 1e-14, 0
	return s
}
