package mhnfs

import (
	"cmp"

	"pacia/model"
)

// Settings are the method's own, below "model.".
type Settings struct {
	Context   Context   `yaml:"context" doc:"context: class means (PAR), training molecules (MHNfs)"`
	Attention Attention `yaml:"attention" doc:"attention between a query and its support"`
	Scale     float64   `yaml:"scale" range:"(0 1000000]" zero:"√(2/d)" doc:"β', factor of MHNfs' scores"`
}

// Context holds the settings of the Hopfield network that stores training molecules.
type Context struct {
	Molecules int     `yaml:"molecules" range:"0 65536" doc:"C, training molecules kept with the model; 0: no context"`
	Heads     int     `yaml:"heads" range:"1 64" doc:"heads of the attention"`
	Width     int     `yaml:"width" range:"1 8192" zero:"d/2" doc:"w, width of a head"`
	Beta      float64 `yaml:"beta" range:"(0 1000000]" zero:"1/√w" doc:"β, factor of the attention's inner products"`
	Dropout   float64 `yaml:"softmax_dropout" range:"[0 1)" doc:"dropout of the attention's weights"`
	Gradient  bool    `yaml:"gradient" doc:"the encoder also learns from the context's molecules"`
}

// Attention holds the settings of the transformer block.
type Attention struct {
	Heads  int     `yaml:"heads" range:"0 64" doc:"heads; 0: no attention"`
	Hidden int     `yaml:"hidden" range:"1 8192" doc:"width of the layer after the attention"`
	Labels int     `yaml:"labels" range:"1 1024" doc:"entries that encode a molecule's label"`
	Mask   float64 `yaml:"mask" range:"[0 1)" doc:"probability that a support molecule is hidden from another molecule in training"`
}

// ForPreset returns the published settings, for any preset of the model, except for a context
// small enough for two cores.
func ForPreset(string) model.Settings {
	return Settings{
		Context:   Context{Molecules: 1024, Heads: 8, Dropout: 0.5},
		Attention: Attention{Heads: 8, Hidden: 567, Labels: 64, Mask: 0.1},
	}
}

// Check returns nil: all combinations are valid.
func (Settings) Check(model.Config) error { return nil }

// Exact returns settings under which the gradients are the slope of the loss.
func (s Settings) Exact() model.Settings {
	s.Context.Gradient = true
	return s
}

// width returns w for vectors of width d.
func (c Context) width(d int) int { return cmp.Or(c.Width, max(1, d/2)) }

// width returns the width of a head for rows of width e: e divided by the heads, rounded up.
func (a Attention) width(e int) int { return (e + a.Heads - 1) / a.Heads }
