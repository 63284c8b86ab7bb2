package gnn

import (
	"github.com/sugarme/gotch/ts"

	"pacia/ops"
)

// Legend: A atoms, P rows before a layer and R after it, d width. Rows are
// atoms; those of a graph with levels stand for many, up to its last level.

// Encoder is a molecular encoder whose layers run one by one.
type Encoder interface {
	// Layers is L_enc, Width is d.
	Layers() int
	Width() int
	// Embed returns h⁰ [R, d].
	Embed(g *ops.Graph, m ops.Mode) (*ts.Tensor, error)
	// Layer returns h^(l+1) [R, d] from h^l [P, d] (Eq. 1), l counted from 0. In training,
	// batch norm takes the statistics of each group and updates the running
	// averages. Otherwise it takes s, or the running averages if s is nil.
	Layer(l int, h *ts.Tensor, g *ops.Graph, m ops.Mode, s *Stats) (*ts.Tensor, error)
	// Support is like Layer outside of training, on the support set of one task. It
	// normalises by the support set's statistics, and returns them for the queries.
	Support(l int, h *ts.Tensor, g *ops.Graph) (*ts.Tensor, *Stats, error)
}

// Residual is an encoder with layers that read the mean of two states.
type Residual interface {
	// Back returns n if layer l reads the mean of h^l and h^(l−n), and 0 if it reads h^l.
	Back(l int) int
}

// Stats are the mean and variance [d] that a layer's batch norm takes.
type Stats struct{ Mean, Var *ts.Tensor }

// Drop releases the tensors.
func (s *Stats) Drop() { ops.Drop(s.Mean, s.Var) }

// Config holds the model's settings that an encoder needs.
type Config struct {
	Name    string // model.encoder
	Layers  int
	Width   int
	Dropout float64
	Input   float64 // dropout of the counts of a fingerprint
	Counts  int     // F, counts of a fingerprint
	Heads   int     // of attention; 0: Heads of the encoder's Spec
	PNA     PNAConfig
	FiLM    FiLMConfig

	Features int // of an atom; 0: those of what the encoder reads
}

// PNAConfig holds the sizes of PNA; 0 stands for those of FS-Mol's benchmark.
type PNAConfig struct {
	Towers   int // 4
	PerTower int // numbers of an aggregate of a tower, 64
	Inner    int // width inside the layer that a block ends in, 8·Width
}

// Activation is the activation of a message of GNN-FiLM.
type Activation int64

// The activations.
const (
	ActivationELU Activation = iota
	ActivationReLU
	ActivationTanh
)

// FiLMConfig holds the settings of GNN-FiLM.
type FiLMConfig struct {
	Activation Activation // of each message
	Norm       bool       // a second layer norm follows that of each layer
	Residual   int        // distance of residual connections, in layers; 0: no residual connections
	Dense      int        // distance of layers that end in a dense layer with tanh, from layer 0 on; 0: none
	Types      int        // of bonds; 0: those of FS-Mol's molecules
}
