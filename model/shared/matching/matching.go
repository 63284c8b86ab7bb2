package matching

import (
	"cmp"
	"math"

	"github.com/sugarme/gotch/ts"

	"pacia/gnn/params"
	"pacia/model"
	"pacia/ops"
)

// Legend: d width of a molecule's vector.

// matching is a method with its parameters.
type matching struct {
	*model.Body
	match ops.Match
}

// New lays out an encoder and the LSTMs of the refinement, if there is one.
func New(b *model.Body, c Settings, r Refinement) (model.Method, error) {
	if err := b.AddAll(); err != nil {
		return nil, err
	}
	d := b.Readout.Width()
	m := &matching{Body: b, match: c.match(d)}
	if r.Steps > 0 {
		b.Set.Part("refinement")
		r.layOut(&m.match, b.Set, d)
	}
	return m, b.Set.Err()
}

// match returns the comparison of vectors of width d.
func (c Settings) match(d int) ops.Match {
	m := ops.Match{Beta: cmp.Or(c.Beta, 1/math.Sqrt(float64(d))), Cosine: c.Cosine}
	if c.Similarity == "mean" {
		m.Form = ops.MatchMean
	}
	return m
}

// layOut adds the refinement of vectors of width d to a comparison.
func (r Refinement) layOut(m *ops.Match, p *params.Set, d int) {
	m.Steps = r.Steps
	if r.Cell == "sigmoid" {
		m.Gates = ops.GatesSigmoid
	}
	if r.Support {
		m.Support = cell(p, "refinement.support", d, m.Gates)
	}
	m.Query = cell(p, "refinement.query", d, m.Gates)
}

// cell lays out an LSTM with initial values as in the code that its gates come from:
// all within 1/√d (PyTorch), or Glorot's for W and a bias of 1 for the forget gate
// (Keras). In the latter U has numbers of the size of those in an orthogonal matrix.
func cell(p *params.Set, name string, d int, gates ops.Gates) ops.LSTM {
	wide, bound := int64(d), 1/math.Sqrt(float64(d))
	state := bound
	if gates == ops.GatesHard {
		state = math.Sqrt(3 / (4 * float64(d)))
	}
	l := ops.LSTM{
		W: p.Uniform(name+".input.weight", bound, 4*wide, 2*wide), // Glorot's bound √(6/(2d + 4d)) is 1/√d
		U: p.Uniform(name+".state.weight", state, 4*wide, wide),
	}
	if gates == ops.GatesSigmoid {
		l.B = p.Uniform(name+".bias", bound, 4*wide)
		return l
	}
	l.B = p.Filled(name+".bias", func(i int) float64 {
		if i/d == forgets {
			return 1
		}
		return 0
	}, 4*wide)
	return l
}

// forgets is the index of the forget gate among i, f, g, o.
const forgets = 1

// Adaptive is 0: a task takes one forward pass.
func (m *matching) Adaptive() int { return 0 }

// Loss returns the mean cross entropy of the queries.
func (m *matching) Loss(b *model.Batch, mode ops.Mode, s *ops.Scope) *ts.Tensor {
	return m.ComparedLoss(b, mode, m.logits, s)
}

// Adapt keeps the support's vectors. Their refinement does not depend on queries. It is
// repeated with each batch of queries, because it costs little in comparison.
func (m *matching) Adapt(support *model.Batch, s *ops.Scope) model.Task {
	return m.Comparison(support, m.logits, s)
}

func (m *matching) logits(of *model.Batch, vectors *ts.Tensor, queries *model.Batch, x *ts.Tensor, s *ops.Scope) *ts.Tensor {
	return s.Keep(m.match.Logits(x, vectors, of.SupportLabel, queries.QueryTask, of.Host.Support))
}
