package gnn

import (
	"cmp"
	"fmt"

	"github.com/sugarme/gotch/ts"

	"pacia/gnn/params"
	"pacia/ops"
)

// ReadoutConfig defines how the atoms' states become one vector of a molecule.
type ReadoutConfig struct {
	Jump string // jumping knowledge: last, sum, max, concat
	Pool string // mean, sum, max, combined

	// For combined only; 0: as in FS-Mol's benchmark.
	Heads     int // 12
	HeadWidth int // 64
	Out       int // 512
}

// FSMolReadout is the readout of FS-Mol's benchmark.
var FSMolReadout = ReadoutConfig{Jump: "concat", Pool: "combined"}

var (
	jumps = map[string]ops.JumpForm{"last": ops.JumpLast, "sum": ops.JumpSum, "max": ops.JumpMax, "concat": ops.JumpConcat}
	pools = map[string]ops.PoolForm{"mean": ops.PoolMean, "sum": ops.PoolSum, "max": ops.PoolMax}
)

// Readout turns the states of all layers of an encoder into vectors of the
// molecules.
type Readout struct {
	jump     ops.JumpForm
	pool     ops.PoolForm
	combined *ops.Combined // or nil
	joined   *joined       // or nil
	width    int
}

// NewReadout lays out a readout of the states h⁰ … h^L of an encoder of L layers.
func NewReadout(p *params.Set, c ReadoutConfig, layers, width int) (*Readout, error) {
	jump, known := jumps[c.Jump]
	if !known {
		return nil, fmt.Errorf("model.jump: %q is not known; write last, sum, max or concat", c.Jump)
	}
	if jump == ops.JumpConcat {
		width *= layers + 1
	}
	r := &Readout{jump: jump, width: width}
	if c.Pool == "combined" {
		r.combine(p, c)
		return r, p.Err()
	}
	if r.pool, known = pools[c.Pool]; !known {
		return nil, fmt.Errorf("model.readout: %q is not known; write mean, sum, max or combined", c.Pool)
	}
	return r, nil
}

// combine lays out the readout of FS-Mol's benchmark. The hidden layers have the total
// width of all heads.
func (r *Readout) combine(p *params.Set, c ReadoutConfig) {
	p.Part("readout")
	heads, all, out := cmp.Or(c.Heads, 12), cmp.Or(c.Heads, 12)*cmp.Or(c.HeadWidth, 64), cmp.Or(c.Out, 512)
	pooler := func(name string) ops.Pooler {
		mlp := func(part string, n int) [2]ops.Linear {
			return [2]ops.Linear{p.Linear(name+part+".0", r.width, all, true, 0), p.Linear(name+part+".1", all, n, true, 0)}
		}
		return ops.Pooler{Scores: mlp("scores", heads), Values: mlp("values", all),
			Combination: p.Linear(name+"combination", all, out, false, 0).W}
	}
	r.combined = &ops.Combined{
		Mean: pooler("readout.mean."), Sum: pooler("readout.sum."),
		Max: p.Linear("readout.max", r.width, out, false, 0).W,
		Out: p.Linear("readout.combination", 3*out, out, false, 0).W,
	}
	r.width = out
}

// Width returns the width of a molecule's vector.
func (r *Readout) Width() int { return r.width }

// Last reports whether only the last state is used.
func (r *Readout) Last() bool { return r.jump == ops.JumpLast }

// Plain reports whether a molecule's vector is the mean of its atoms' last states.
// [ops.SegmentMean] then computes it for the selected molecules only.
func (r *Readout) Plain() bool {
	return r.Last() && r.combined == nil && r.joined == nil && r.pool == ops.PoolMean
}

// Molecules returns the vectors [n, width] of the graph's molecules, from the
// states [A, d] of its atoms after every layer, h⁰ first. In training, fingerprints that are
// joined lose counts by dropout.
func (r *Readout) Molecules(states []*ts.Tensor, g *ops.Graph, m ops.Mode) (*ts.Tensor, error) {
	var like *ops.Representatives
	if r.combined != nil {
		like = g.FinalRepresentatives()
	}
	x, err := ops.Jump(states, r.jump, like)
	if err != nil {
		return nil, err
	}
	defer ops.Drop(x)
	if x, err = r.pooled(x, g, like); err != nil || r.joined == nil {
		return x, err
	}
	defer ops.Drop(x)
	return r.joined.join(x, g, m)
}

func (r *Readout) pooled(x *ts.Tensor, g *ops.Graph, like *ops.Representatives) (*ts.Tensor, error) {
	if r.combined != nil {
		return r.combined.Readout(x, g, like)
	}
	return ops.Pool(x, g, r.pool)
}
