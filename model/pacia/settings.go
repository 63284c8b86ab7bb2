package pacia

import (
	"fmt"
	"strings"

	"pacia/internal/setting"
	"pacia/model"
	"pacia/model/shared/predictor"
	"pacia/ops"
)

// Settings are PACIA's, below "model.".
type Settings struct {
	Adapt       Adapt   `yaml:"adapt" doc:"what the hypernetworks adapt: N node embeddings, D depth"`
	Film        string  `yaml:"film" oneof:"affine scale unit" doc:"how the vectors w and b modulate h: h(1+w)+b, hw+b or h(1+w/‖w‖)+b/‖b‖"`
	DepthLoss   string  `yaml:"depth_loss" oneof:"@depth losses" doc:"loss of the relation layers"`
	Hyper       Hyper   `yaml:"hyper" doc:"the hypernetworks (Eqs. 9 to 11)"`
	Head        string  `yaml:"head" oneof:"graph means" doc:"what scores a query: relation graph and adaptive classifier, or the angles to the class means of the support"`
	Beside      string  `yaml:"beside" oneof:"none means means+expected means+tanimoto" doc:"what is added to the logits of model.head=graph: nothing, those of model.head=means, or these with what is expected in any task, or with the similarity of fingerprints"`
	EncoderRate float64 `yaml:"encoder_rate" range:"[0 10]" doc:"learning rate of the encoder and its readout, as a share of that of the other layers"`

	predictor.Settings `yaml:",inline"`
}

// lossNodes is the choice of depth_loss beside the losses over layers of ops.
const lossNodes = "nodes"

func init() {
	setting.OfferExplained("depth losses", func() []setting.Choice {
		all := []setting.Choice{{Name: lossNodes, Text: "that of nodes with weights softmax(p) (Eq. 8)"}}
		for _, f := range ops.LossForms()[ops.LossLast+1:] {
			all = append(all, setting.Choice(f))
		}
		return all
	})
}

// Adapt selects the adapted parts of each half.
type Adapt struct {
	Encoder   string `yaml:"encoder" oneof:"none N D ND" doc:"in the encoder, to the task"`
	Predictor string `yaml:"predictor" oneof:"none N D ND" doc:"in the relation graph, to the query"`
}

// Hyper holds the settings of the hypernetworks (Eqs. 9 to 11).
type Hyper struct {
	Form    string  `yaml:"form" oneof:"joint split" doc:"one network gives γ and p, or three networks give w, b and p"`
	Share   bool    `yaml:"share" doc:"one hypernetwork for all encoder layers"`
	Width   int     `yaml:"width" range:"1 8192" zero:"model.width" doc:"hidden width of the encoder's MLP after the class means (joint)"`
	Query   int     `yaml:"query" range:"1 8192" zero:"2 × model.relation.width" doc:"hidden width of the predictor's MLP after the class means (joint)"`
	Dropout float64 `yaml:"dropout" range:"[0 1)" doc:"dropout inside the hypernetworks (joint)"`
	Start   string  `yaml:"start" oneof:"random zero" doc:"start of the hypernetworks' last layer; zero leaves the encoder unmodulated at first"`

	// The ablations in the paper's appendix.
	Labels     bool   `yaml:"labels" doc:"labels are joined with the support molecules (Eq. 9)"`
	Prototypes string `yaml:"prototypes" oneof:"concat mean" doc:"prototypes of the classes: [r− | r+], or (r− + r+)/2"`
	Layers     int    `yaml:"layers" range:"1 4" doc:"linear layers of each MLP of Eqs. 9, 10 and 11"`
}

// ForPreset returns the settings of a preset of the model.
func ForPreset(preset string) model.Settings {
	s := Settings{
		Adapt:    Adapt{Encoder: "N", Predictor: "D"},
		Settings: predictor.ForPreset(preset == model.Paper),
		Film:     "unit", DepthLoss: "expected", Hyper: Hyper{Form: "split"}, Head: "graph", Beside: besideNone, EncoderRate: 1,
	}
	if preset == model.Paper {
		s.Film, s.DepthLoss = "affine", "nodes"
		s.Hyper = Hyper{Form: "joint", Share: true, Dropout: 0.1}
	}
	s.Hyper.Labels, s.Hyper.Prototypes, s.Hyper.Layers, s.Hyper.Start = true, "concat", 3, "random"
	return s
}

// Check returns an error for the first setting that conflicts with another one.
func (s Settings) Check(c model.Config) error {
	if c.Jump != "last" && adapts(s.Adapt.Encoder, "D") {
		return fmt.Errorf("model.jump: %s does not go with model.adapt.encoder=%s, whose mixture of layers is read out; write last, or model.adapt.encoder=none or N",
			c.Jump, s.Adapt.Encoder)
	}
	if s.Head == headMeans && s.Adapt.Predictor != "none" {
		return fmt.Errorf("model.head: means has no predictor to adapt; write model.adapt.predictor=none in place of %s", s.Adapt.Predictor)
	}
	if s.Head == headMeans && s.Beside != besideNone {
		return fmt.Errorf("model.beside: %s is added to model.head=graph, not to %s; write none", s.Beside, s.Head)
	}
	if s.Hyper.Start == startZero && (s.Film != "affine" || s.Hyper.Form != "joint") {
		return fmt.Errorf("model.hyper.start: zero is for model.film=affine and model.hyper.form=joint, not %s and %s", s.Film, s.Hyper.Form)
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

// Idle lists settings of the joint form beside the split one, which has fixed widths and no dropout.
func (s Settings) Idle(c model.Config) (all []model.Idle) {
	if s.Hyper.Form == "joint" {
		return nil
	}
	add := func(name, lacks string) {
		all = append(all, model.Idle{Name: "model.hyper." + name,
			Reason: "model.hyper.form=split " + lacks, Fix: "write 0, or model.hyper.form=joint"})
	}
	if s.Hyper.Width != 0 {
		add("width", "has hidden layers of model.width")
	}
	if s.Hyper.Query != 0 {
		add("query", "has hidden layers of model.relation.width or twice that")
	}
	if p := s.Hyper.Dropout; p != 0 && p != ForPreset(c.Preset).(Settings).Hyper.Dropout {
		add("dropout", "has no dropout")
	}
	return all
}

// Names of settings.
const (
	headMeans      = "means"
	besideNone     = "none"
	besideExpected = "means+expected"
	besideTanimoto = "means+tanimoto"
	startZero      = "zero"
)

// adapts reports whether a setting of adapt.* contains N or D.
func adapts(setting, what string) bool { return setting != "none" && strings.Contains(setting, what) }

// Traits returns t without depth and stages if the settings have no relation graph, and with fingerprints if these are
// compared.
func (s Settings) Traits(_ model.Config, t model.Traits) model.Traits {
	t.Compares = s.Beside == besideTanimoto
	t.ReadsHost = t.Compares || s.EncoderRate != 1 // a recorded step has one rate
	if s.Head == headMeans {
		t.Stages, t.Depth = false, false
	}
	return t
}
