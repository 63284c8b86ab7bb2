package mhnfs

import (
	"cmp"

	"pacia/model"
)

// Settings are the method's own, below "model.".
type Settings struct {
	Context   Context   `yaml:"context" doc:"what molecules take from others: PAR's of class means, MHNfs' of training molecules"`
	Attention Attention `yaml:"attention" doc:"the attention of a query and its support to each other"`
	Scale     float64   `yaml:"scale" range:"(0 1000000]" zero:"√(2/d) of vectors d wide" doc:"β', which multiplies the scores of MHNfs"`
}

// Context is the Hopfield network that stores training molecules.
type Context struct {
	Molecules int     `yaml:"molecules" range:"0 65536" doc:"C, molecules of the training tasks that are kept with the model for a context; 0 leaves the context out"`
	Heads     int     `yaml:"heads" range:"1 64" doc:"heads of the attention to the context"`
	Width     int     `yaml:"width" range:"1 8192" zero:"d/2 of vectors d wide" doc:"w, width of a head of the attention to the context"`
	Beta      float64 `yaml:"beta" range:"(0 1000000]" zero:"1/√w" doc:"β, which multiplies the inner products of the attention to the context"`
	Dropout   float64 `yaml:"softmax_dropout" range:"[0 1)" doc:"dropout of the attention's weights"`
	Gradient  bool    `yaml:"gradient" doc:"the encoder learns from the context's molecules, too"`
}

// Attention is the block of a transformer.
type Attention struct {
	Heads  int     `yaml:"heads" range:"0 64" doc:"heads of the attention of a query and its support; 0 leaves it out"`
	Hidden int     `yaml:"hidden" range:"1 8192" doc:"width of the layer behind that attention"`
	Labels int     `yaml:"labels" range:"1 1024" doc:"entries that tell a molecule's activity to the attention"`
	Mask   float64 `yaml:"mask" range:"[0 1)" doc:"probability with which a support molecule is hidden from another one, or from a query, in training"`
}

// ForPreset returns the published settings, for any preset of the model, with a context that
// two cores can bear.
func ForPreset(string) model.Settings {
	return Settings{
		Context:   Context{Molecules: 1024, Heads: 8, Dropout: 0.5},
		Attention: Attention{Heads: 8, Hidden: 567, Labels: 64, Mask: 0.1},
	}
}

// Check has nothing to say: all combinations go together.
func (Settings) Check(model.Config) error { return nil }

// Exact returns settings under which the gradients are the slope of the loss.
func (s Settings) Exact() model.Settings {
	s.Context.Gradient = true
	return s
}

// width is w for vectors d wide.
func (c Context) width(d int) int { return cmp.Or(c.Width, max(1, d/2)) }

// width is that of a head for rows e wide: of all heads together e, rounded up.
func (a Attention) width(e int) int { return (e + a.Heads - 1) / a.Heads }
