package ops

import "github.com/sugarme/gotch/ts"

// Legend: B tasks, N support molecules of a task, Q queries, d width.

var matchOp = Named("match with the support")

// MatchForm defines how similarities to the support become the logits of a query.
type MatchForm int64

// The forms of a match.
const (
	// MatchSoftmax: P(active) is the mean label of the support, weighted by a softmax of
	// cosines (Altae-Tran et al. 2017, as in DeepChem).
	MatchSoftmax MatchForm = iota
	// MatchMean: the logit is β/2 times the difference of the mean similarities to actives
	// and to inactives, after layer norm (Schimunek et al. 2023).
	MatchMean
)

// Gates is the form of the gates of a match's LSTMs.
type Gates int64

// Forms of a gate.
const (
	GatesHard    Gates = iota // clip(0.2u + 0.5, 0, 1)
	GatesSigmoid              // σ(u)
)

// LSTM is the weights W [4d, 2d] of its input, U [4d, d] of its state and B [4d], of the
// gates i, f, g and o, in this order.
type LSTM struct{ W, U, B *ts.Tensor }

// Match compares queries with the molecules of their task's support, one by one.
type Match struct {
	Form   MatchForm
	Beta   float64 // of MatchMean
	Cosine bool    // in place of inner products, of MatchMean
	Leave  float64 // share of the pairs that MatchMean omits in training: 0 in sums with the same divisor
	Key    uint64  // determines these pairs

	Steps   int // of refinement; 0: none
	Gates   Gates
	Support LSTM // refines the support; without it the support is not refined
	Query   LSTM

	There  *ts.Tensor // [B·N] 0 for padding of a support set; nil: no padding
	Attend bool       // padding takes part in attention, as in MHNfs' code
}

// Matched is the result of a match; Drop releases all.
type Matched struct {
	Logits         *ts.Tensor // [Q, 1, 2] inactive, active
	Query, Support *ts.Tensor // [Q, d], [B·N, d] refined
}

// Drop releases the tensors.
func (m *Matched) Drop() { Drop(m.Logits, m.Query, m.Support) }

// Of matches queries x [Q, d] of tasks [Q] with supports [B·N, d] of n molecules with labels
// [B·N]. Results do not depend on other queries, and the refined support not on any.
func (m *Match) Of(x, support, labels, task *ts.Tensor, n int) (*Matched, error) {
	logits, query, support, err := matchOp.Three(m.args(x, support, labels, task, n))
	return &Matched{logits, query, support}, err
}

// Logits is Of without the refined vectors.
func (m *Match) Logits(x, support, labels, task *ts.Tensor, n int) (*ts.Tensor, error) {
	return matchOp.One(m.args(x, support, labels, task, n))
}

func (m *Match) args(x, support, labels, task *ts.Tensor, n int) Args {
	s, q := m.Support, m.Query
	return Args{
		In:    []*ts.Tensor{support, x, labels, task, m.There, s.W, s.U, s.B, q.W, q.U, q.B},
		Ints:  []int64{int64(n), int64(m.Steps), int64(m.Form), int64(m.Gates), Flag(m.Cosine), Flag(m.Attend), int64(m.Key)},
		Reals: []float64{m.Beta, m.Leave},
	}
}
