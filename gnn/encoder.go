package gnn

import (
	"cmp"
	"fmt"

	"github.com/sugarme/gotch/ts"

	"pacia/gnn/params"
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
	// Layer returns h^(l+1) [R, d] from h^l [P, d], l counted from 0. In training,
	// batch norm takes the statistics of each group and moves the running
	// averages; otherwise it takes s, or the running averages where s is nil.
	Layer(l int, h *ts.Tensor, g *ops.Graph, m ops.Mode, s *Stats) (*ts.Tensor, error)
	// Support is Layer outside of training on the support set of one task,
	// normalised by its own statistics, which it returns for the task's queries.
	Support(l int, h *ts.Tensor, g *ops.Graph) (*ts.Tensor, *Stats, error)
}

// Residual is an encoder with layers that read the mean of two states.
type Residual interface {
	// Back is n where layer l reads the mean of h^l and h^(l−n), and 0 where it reads h^l.
	Back(l int) int
}

// Stats are the mean and variance [d] that a layer's batch norm takes.
type Stats struct{ Mean, Var *ts.Tensor }

// Drop releases the tensors.
func (s *Stats) Drop() { ops.Drop(s.Mean, s.Var) }

// Config is what an encoder needs to know of the model's settings.
type Config struct {
	Name    string // gin, gcn, graphsage, gat, pna, film, mat or fingerprint
	Layers  int
	Width   int
	Dropout float64
	Input   float64 // dropout of the counts of a fingerprint
	Counts  int     // F, counts of a fingerprint
	PNA     PNAConfig
	FiLM    FiLMConfig
	Heads   int // of mat; 0: 16, as published
}

// New lays out the named encoder.
func New(p *params.Set, c Config) (Encoder, error) {
	switch c.Name {
	case "gin":
		return newGIN(p, c), p.Err()
	case "pna":
		e, err := newPNA(p, c)
		return e, cmp.Or(err, p.Err())
	case "film":
		return newGNNFiLM(p, c), p.Err()
	case "mat":
		e, err := newMAT(p, c)
		return e, cmp.Or(err, p.Err())
	case "fingerprint":
		return newFingerprint(p, c), p.Err()
	case "gcn":
		return newGCN(p, c), p.Err()
	case "graphsage":
		return newGraphSAGE(p, c), p.Err()
	case "gat":
		return newGAT(p, c), p.Err()
	default:
		return nil, fmt.Errorf("model.encoder: %q is not known; write gin, gcn, graphsage, gat, pna, film, mat or fingerprint", c.Name)
	}
}
