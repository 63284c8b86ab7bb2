package pacia

import (
	"fmt"
	"strings"

	"pacia/model"
	"pacia/model/predictor"
)

// Settings are PACIA's, below "model.".
type Settings struct {
	Adapt     Adapt  `yaml:"adapt" doc:"what the hypernetworks adapt: N node embeddings, D depth"`
	Film      string `yaml:"film" oneof:"affine scale unit" doc:"how w and b modulate h (Eq. 5): h(1+w)+b, hw+b or h(1+w/‖w‖)+b/‖b‖"`
	DepthLoss string `yaml:"depth_loss" oneof:"nodes expected uniform" doc:"how the relation layers enter the loss: their nodes averaged by softmax(p) (Eq. 5), their cross entropies so averaged, or these added up"`
	Hyper     Hyper  `yaml:"hyper" doc:"the hypernetworks (Eqs. 6 to 8)"`

	predictor.Settings `yaml:",inline"`
}

// Adapt says what is adapted in each half.
type Adapt struct {
	Encoder   string `yaml:"encoder" oneof:"none N D ND" doc:"in the encoder, to the task"`
	Predictor string `yaml:"predictor" oneof:"none N D ND" doc:"in the relation graph, to the query"`
}

// Hyper shapes the hypernetworks (Eqs. 6 to 8).
type Hyper struct {
	Form    string  `yaml:"form" oneof:"joint split" doc:"one network gives γ and p, or one each w, b and p"`
	Share   bool    `yaml:"share" doc:"one hypernetwork for all encoder layers"`
	Width   int     `yaml:"width" range:"0 8192" zero:"model.width" doc:"hidden width of the encoder's MLP after the class means"`
	Query   int     `yaml:"query" range:"0 8192" zero:"2 × model.relation.width" doc:"hidden width of the predictor's MLP after the class means"`
	Dropout float64 `yaml:"dropout" range:"[0 1)" doc:"inside the hypernetworks"`

	// Of the ablations in the paper's appendix.
	Labels     bool   `yaml:"labels" doc:"labels are joined with the support molecules (Eq. 6)"`
	Prototypes string `yaml:"prototypes" oneof:"concat mean" doc:"of the two classes: [r− | r+], or (r− + r+)/2"`
	Layers     int    `yaml:"layers" range:"1 4" doc:"linear layers of each MLP of Eqs. 6, 7 and 8"`
}

// ForPreset returns the settings of a preset of the model.
func ForPreset(preset string) model.Settings {
	s := Settings{
		Adapt:    Adapt{Encoder: "N", Predictor: "D"},
		Settings: predictor.ForPreset(preset == model.Paper),
		Film:     "unit", DepthLoss: "expected", Hyper: Hyper{Form: "split"},
	}
	if preset == model.Paper {
		s.Film, s.DepthLoss = "affine", "nodes"
		s.Hyper = Hyper{Form: "joint", Share: true, Dropout: 0.1}
	}
	s.Hyper.Labels, s.Hyper.Prototypes, s.Hyper.Layers = true, "concat", 3
	return s
}

// Check reports the first setting that another one does not allow.
func (s Settings) Check(c model.Config) error {
	if c.Jump != "last" && adapts(s.Adapt.Encoder, "D") {
		return fmt.Errorf("model.jump: %s does not go with model.adapt.encoder=%s, whose mixture of layers is read out; write last, or model.adapt.encoder=none or N",
			c.Jump, s.Adapt.Encoder)
	}
	for _, f := range []struct {
		name  string
		width int
	}{{"width", s.Hyper.Width}, {"query", s.Hyper.Query}} {
		if f.width != 0 && s.Hyper.Layers == 1 {
			return fmt.Errorf("model.hyper.%s: %d is the width of hidden layers, and with model.hyper.layers=1 there are none; write 0", f.name, f.width)
		}
	}
	return nil
}

// adapts says whether a setting of adapt.* contains N or D.
func adapts(setting, what string) bool { return setting != "none" && strings.Contains(setting, what) }
