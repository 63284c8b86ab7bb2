package model

import (
	"fmt"

	"pacia/gnn"
	"pacia/internal/setting"
)

// Presets are complete sets of settings. Paper follows the equations and tables of
// the paper, Reference the arithmetic of the published code. Every other field of
// Config can differ from its preset.
const (
	Paper     = "paper"
	Reference = "reference"
)

// Config holds all settings of a model: those of the body, which all methods share,
// and the method's own. The yaml names, including those of Own's fields, are the
// names of the settings below "model.". Configs are comparable with ==.
type Config struct {
	Preset       string  `yaml:"preset" oneof:"paper reference" doc:"source of the other defaults: the paper's equations and tables, or the published code"`
	Method       string  `yaml:"method" doc:"how a model learns a task (docs/methods.md)"`
	Encoder      string  `yaml:"encoder" oneof:"@encoders" doc:"the molecular encoder (docs/encoders.md)"`
	Layers       int     `yaml:"layers" range:"1 64" doc:"L_enc, layers of the encoder"`
	Width        int     `yaml:"width" range:"1 8192" doc:"d, width of the atom embeddings"`
	Heads        int     `yaml:"heads" range:"0 64" doc:"attention heads of model.encoder=mat" zero:"16, as published"`
	Dropout      float64 `yaml:"dropout" range:"[0 1)" doc:"dropout after each encoder layer; mat has none"`
	DropoutMask  string  `yaml:"dropout_mask" oneof:"atom surrounding" doc:"what has its own dropout mask: each atom, or each atom environment of a task, which is faster (GIN and PNA on a CPU)"`
	InputDropout float64 `yaml:"input_dropout" range:"[0 1)" doc:"dropout of fingerprint counts, for encoders that read them"`
	Descriptors  bool    `yaml:"descriptors" doc:"fingerprint encoders also read RDKit's descriptors, as ranks among the training molecules"`
	Readout      string  `yaml:"readout" oneof:"mean sum max combined" doc:"readout of a molecule from its atoms (Eq. 2); combined is that of FS-Mol's benchmark"`
	Joined       int     `yaml:"joined" range:"1 8192" zero:"512, as in FS-Mol's benchmark" doc:"width of vectors that are joined with fingerprints, for encoders with +fingerprint"`
	Jump         string  `yaml:"jump" oneof:"last sum max concat" doc:"which of the states h⁰ to h^L are read out: the last, or all, joined"`
	Norm         string  `yaml:"norm" oneof:"running support" doc:"statistics of batch norm in evaluation: running averages, or the support set's own"`
	Pretrained   string  `yaml:"pretrained" doc:"encoder to start from, in all members: a checkpoint, an exported model, or a PyTorch state dict" form:"a file" zero:"random weights"`

	GNNFiLM GNNFiLM `yaml:"gnnfilm" doc:"the layers of model.encoder=film; defaults are the published settings for QM9"`

	Own Settings `yaml:",inline"` // the method's; a struct, not a pointer to one
}

// The choices of Config.DropoutMask, which has an effect in training only. On a GPU
// each atom has its own mask.
const (
	MaskAtom        = "atom"
	MaskSurrounding = "surrounding"
)

// GNNFiLM holds the settings of GNN-FiLM alone.
type GNNFiLM struct {
	Activation string `yaml:"activation" oneof:"elu relu tanh" doc:"of each message"`
	Norm       bool   `yaml:"norm" doc:"a second layer norm after each layer"`
	Residual   int    `yaml:"residual" range:"1 64" zero:"no layer" doc:"layers from one residual connection to the next; each reads the mean of two states"`
	Dense      int    `yaml:"dense" range:"1 64" zero:"no layer" doc:"layers from one dense layer with tanh to the next, from the first on"`
}

var activations = map[string]gnn.Activation{"elu": gnn.ActivationELU, "relu": gnn.ActivationReLU, "tanh": gnn.ActivationTanh}

func (f GNNFiLM) layers() gnn.FiLMConfig {
	return gnn.FiLMConfig{Activation: activations[f.Activation], Norm: f.Norm, Residual: f.Residual, Dense: f.Dense}
}

// Settings are the settings of one method: a struct with fields that have the tags
// of package setting.
type Settings interface {
	// Check returns an error for the first setting that conflicts with another one
	// or with c. Ranges and choices were checked before.
	Check(c Config) error
}

// NoSettings are the Settings of a method without its own settings.
type NoSettings struct{}

// Check returns nil.
func (NoSettings) Check(Config) error { return nil }

// ForPreset returns the settings of the named preset, without the method and its
// own settings.
func ForPreset(name string) (Config, error) {
	c := Config{
		Preset: name, Encoder: "gin", Layers: 5, Width: 300, Dropout: 0.5, DropoutMask: MaskAtom, Readout: "mean", Jump: "last",
		GNNFiLM: GNNFiLM{Activation: "elu", Norm: true, Residual: 2, Dense: 32},
	}
	switch name {
	case Paper:
		c.Norm = "support"
	case Reference:
		c.Norm = "running"
	default:
		return Config{}, fmt.Errorf("model.preset: %q is not known; write paper or reference", name)
	}
	return c, nil
}

// Validate returns an error for the first setting that is out of range or conflicts
// with another one, with the value to write instead.
func (c Config) Validate() error {
	if c.Own == nil {
		return fmt.Errorf("model.method: %q has no settings of its own; take the configuration from package methods", c.Method)
	}
	if err := setting.Check("model.", c); err != nil {
		return err
	}
	if err := c.checkEncoder(); err != nil {
		return err
	}
	return c.Own.Check(c)
}

// Idle is a setting without an effect beside the other ones.
type Idle struct{ Name, Reason, Fix string }

// WithIdle is the Settings of a method if some of them may have no effect.
type WithIdle interface{ Idle(c Config) []Idle }

// Idle lists settings without an effect that differ from their defaults. Validate accepts them:
// earlier versions did, and their models can be used.
func (c Config) Idle() (all []Idle) {
	if _, joined := c.EncoderSpec(); c.Joined != 0 && !joined {
		all = append(all, Idle{"model.joined", fmt.Sprintf("model.encoder=%s joins no fingerprints", c.Encoder), "write 0"})
	}
	if c.InputDropout != 0 && !c.ReadsFingerprints() {
		all = append(all, Idle{"model.input_dropout", fmt.Sprintf("model.encoder=%s reads no fingerprints", c.Encoder), "write 0"})
	}
	if own, ok := c.Own.(WithIdle); ok {
		all = append(all, own.Idle(c)...)
	}
	return all
}

// Embedder is the Settings of a method that can compare molecules by vectors of a pretrained
// encoder. Training does not depend on it.
type Embedder interface {
	Embeds() bool
	// Embedding returns the settings with these vectors switched on or off.
	Embedding(on bool) Settings
}

// Embeds reports whether the method reads vectors of a pretrained encoder in Batch.Host.
func (c Config) Embeds() bool {
	own, ok := c.Own.(Embedder)
	return ok && own.Embeds()
}

// Embedding returns the configuration with vectors of a pretrained encoder switched on or off, if
// the method is an [Embedder].
func (c Config) Embedding(on bool) Config {
	if own, ok := c.Own.(Embedder); ok {
		c.Own = own.Embedding(on)
	}
	return c
}

// MarshalYAML puts the method's own settings beside the common ones.
func (c Config) MarshalYAML() (any, error) { return setting.Encode(c) }
