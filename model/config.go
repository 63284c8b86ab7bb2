package model

import (
	"fmt"
	"slices"
	"strings"
)

// Preset names a complete reading of the method: Paper follows the equations
// and tables of the paper, Reference the arithmetic of the published code.
// Every other field of Config can depart from its preset.
const (
	Paper     = "paper"
	Reference = "reference"
)

// Methods by which a model comes to know a task.
const (
	PACIA     = "pacia"     // hypernetworks, in one forward pass
	FineTune  = "finetune"  // gradient steps on the support set, without hypernetworks
	Multitask = "multitask" // a shared encoder and a linear classifier for each task
)

// Config is every choice that the model leaves open. The yaml names are the
// names of the settings below "model.".
type Config struct {
	Preset     string           `yaml:"preset"`     // paper | reference
	Method     string           `yaml:"method"`     // pacia | finetune | multitask
	Encoder    string           `yaml:"encoder"`    // gin | gcn | graphsage | gat | pna, of atoms with FS-Mol's features
	Layers     int              `yaml:"layers"`     // L_enc
	Width      int              `yaml:"width"`      // d, of atom embeddings
	Dropout    float64          `yaml:"dropout"`    // after each encoder layer
	Readout    string           `yaml:"readout"`    // of a molecule's atoms (Eq. 2): mean | sum | max | combined, all three with weights, as in FS-Mol's benchmark
	Jump       string           `yaml:"jump"`       // of the states h⁰ to h^L that are read out: last | sum | max | concat
	Pretrained string           `yaml:"pretrained"` // file whose encoder to start from, or empty: a checkpoint, a model that pacia export wrote, a state dict of PyTorch
	Adapt      AdaptConfig      `yaml:"adapt"`
	Film       string           `yaml:"film"`       // affine: h(1+w)+b | scale: hw+b | unit: h(1+w/‖w‖)+b/‖b‖
	Norm       string           `yaml:"norm"`       // batch norm in evaluation, by: running averages | support, the task's own set
	DepthLoss  string           `yaml:"depth_loss"` // nodes (Eq. 5) | expected | uniform
	Hyper      HyperConfig      `yaml:"hyper"`
	Relation   RelationConfig   `yaml:"relation"`
	Classifier ClassifierConfig `yaml:"classifier"`
}

// AdaptConfig says what the hypernetworks adapt in each half: N node
// embeddings, D depth.
type AdaptConfig struct {
	Encoder   string `yaml:"encoder"`   // none | N | D | ND
	Predictor string `yaml:"predictor"` // none | N | D | ND
}

// HyperConfig shapes the hypernetworks (Eqs. 6 to 8).
type HyperConfig struct {
	Form    string  `yaml:"form"`    // joint: one network gives γ and p | split: one network each for w, b and p
	Share   bool    `yaml:"share"`   // one hypernetwork for all encoder layers
	Width   int     `yaml:"width"`   // hidden width of the encoder's MLP after the class means; 0: d
	Query   int     `yaml:"query"`   // hidden width of the predictor's MLP after the class means; 0: 2 × relation width
	Dropout float64 `yaml:"dropout"` // inside the hypernetworks

	// Of the ablations in the paper's appendix.
	Labels     bool   `yaml:"labels"`     // labels are joined with the support molecules (Eq. 6)
	Prototypes string `yaml:"prototypes"` // of the two classes: concat, [r− | r+] | mean, (r− + r+)/2
	Layers     int    `yaml:"layers"`     // linear layers of each MLP of Eqs. 6, 7 and 8
}

// RelationConfig shapes the relation graph (Eqs. 3 and 4).
type RelationConfig struct {
	Layers int    `yaml:"layers"` // L_rel
	Width  int    `yaml:"width"`  // of the nodes
	Hidden int    `yaml:"hidden"` // width H of the first hidden layers: pairs d→H→H/2→1, update 2d→H→d; 0: 2 × width
	Share  bool   `yaml:"share"`  // one set of weights for all relation layers
	Node   string `yaml:"node"`   // update of a node: single, one linear layer | double, two
}

// ClassifierConfig shapes the adaptive classifier.
type ClassifierConfig struct {
	Share bool `yaml:"share"` // one pair of MLPs for both classes
}

// ForPreset returns the configuration that the named preset stands for.
func ForPreset(name string) (Config, error) {
	c := Config{
		Preset: name, Method: PACIA, Encoder: "gin", Layers: 5, Width: 300, Dropout: 0.5, Readout: "mean", Jump: "last",
		Adapt:    AdaptConfig{Encoder: "N", Predictor: "D"},
		Relation: RelationConfig{Layers: 5, Width: 128},
	}
	switch name {
	case Paper:
		c.Film, c.DepthLoss, c.Norm = "affine", "nodes", "support"
		c.Hyper = HyperConfig{Form: "joint", Share: true, Dropout: 0.1}
		c.Relation.Share, c.Relation.Node = true, "double"
	case Reference:
		c.Film, c.DepthLoss, c.Norm = "unit", "expected", "running"
		c.Hyper = HyperConfig{Form: "split"}
		c.Relation.Node = "single"
		c.Classifier.Share = true
	default:
		return Config{}, fmt.Errorf("model.preset: %q is not known; write paper or reference", name)
	}
	c.Hyper.Labels, c.Hyper.Prototypes, c.Hyper.Layers = true, "concat", 3
	return c, nil
}

// Validate reports the first setting that is out of range or does not go
// with another one, and what to write instead.
func (c Config) Validate() error {
	choices := []struct{ name, got, want string }{
		{"preset", c.Preset, "paper reference"},
		{"method", c.Method, "pacia finetune multitask"},
		{"encoder", c.Encoder, "gin gcn graphsage gat pna"},
		{"readout", c.Readout, "mean sum max combined"},
		{"jump", c.Jump, "last sum max concat"},
		{"adapt.encoder", c.Adapt.Encoder, "none N D ND"},
		{"adapt.predictor", c.Adapt.Predictor, "none N D ND"},
		{"film", c.Film, "affine scale unit"},
		{"depth_loss", c.DepthLoss, "nodes expected uniform"},
		{"norm", c.Norm, "running support"},
		{"hyper.form", c.Hyper.Form, "joint split"},
		{"hyper.prototypes", c.Hyper.Prototypes, "concat mean"},
		{"relation.node", c.Relation.Node, "single double"},
	}
	for _, f := range choices {
		if options := strings.Fields(f.want); !slices.Contains(options, f.got) {
			return fmt.Errorf("model.%s: %q is not one of %s", f.name, f.got, strings.Join(options, ", "))
		}
	}
	sizes := []struct {
		name          string
		got, min, max int
	}{
		{"layers", c.Layers, 1, 64},
		{"width", c.Width, 1, 8192},
		{"hyper.width", c.Hyper.Width, 0, 8192},
		{"hyper.query", c.Hyper.Query, 0, 8192},
		{"hyper.layers", c.Hyper.Layers, 1, 4},
		{"relation.layers", c.Relation.Layers, 1, 64},
		{"relation.width", c.Relation.Width, 1, 8192},
		{"relation.hidden", c.Relation.Hidden, 0, 8192},
	}
	for _, f := range sizes {
		if f.got < f.min || f.got > f.max {
			return fmt.Errorf("model.%s: %d is out of range; write %d to %d", f.name, f.got, f.min, f.max)
		}
	}
	for _, f := range []struct {
		name string
		got  float64
	}{{"dropout", c.Dropout}, {"hyper.dropout", c.Hyper.Dropout}} {
		if !(f.got >= 0 && f.got < 1) {
			return fmt.Errorf("model.%s: %v is out of range; write a number from 0 to below 1", f.name, f.got)
		}
	}
	if err := c.checkMethod(); err != nil {
		return err
	}
	return c.checkTogether()
}
