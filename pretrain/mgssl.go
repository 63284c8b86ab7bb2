package pretrain

import (
	"github.com/sugarme/gotch/ts"

	"pacia/ops"
)

// Legend: A atoms, N motifs, T messages, P predicted motifs, C choices, B molecules, V kinds of
// motifs, d width.

// mgssl generates the motif trees of molecules from their embeddings (Zhang et al. 2021, as in the
// published program, which omits masked atoms). x_i is the sum of h over the atoms of motif i. A
// message from i to its neighbour j depends on the messages m_ki that i received before, except the
// one from j:
//
//	s = Σ_k m_ki,  z = σ(W_z [x_i | s] + b_z),  r_k = σ(W_r x_i + b_r + U_r m_ki)
//	m_ij = (1 − z) ⊙ s + z ⊙ tanh(W_h [x_i | Σ_k r_k ⊙ m_ki] + b_h)
//
// If j is new, W_o ReLU(W m_ij + b) + b_o predicts its kind. Breadth first, it also predicts the end
// of the children (kind V). Depth first, u ReLU(U [x_i | Σ_k m_ki] + b) + c predicts at every step,
// from all messages to i, whether the step goes to a child or back. The loss is the sum of all cross
// entropies, divided by the number of molecules.
type mgssl struct {
	body
	motifs     *motifTrees
	depthFirst bool
	common     int32      // kinds from this number on are merged into one
	stop       int32      // breadth first: the last kind
	z, r, u, h ops.Linear // of messages
	kind       perceptron
	choice     perceptron // depth first
}

func newMGSSL(o Options, b body, l *Library) (*mgssl, error) {
	d := b.encoder.Width()
	t := &mgssl{body: b, motifs: l.motifs, depthFirst: o.Order == DepthFirst, common: int32(l.motifs.common(o.Rare))}
	t.stop = t.common
	if int(t.common) < len(l.motifs.Names) {
		t.stop++
	}
	kinds := int(t.stop)
	if !t.depthFirst {
		kinds++
	}
	b.set.Part("tree")
	t.z = b.set.Linear("tree.z", 2*d, d, true, 0)
	t.r, t.u = b.set.Linear("tree.r", d, d, true, 0), b.set.Linear("tree.u", d, d, false, 0)
	t.h = b.set.Linear("tree.h", 2*d, d, true, 0)
	b.set.Part("head")
	t.kind = perceptron{b.set.Linear("head.motif.0", d, d, true, 0), b.set.Linear("head.motif.1", d, max(kinds, 1), true, 0)}
	if t.depthFirst {
		t.choice = perceptron{b.set.Linear("head.choice.0", 2*d, d, true, 0), b.set.Linear("head.choice.1", d, 1, true, 0)}
	}
	return t, b.set.Err()
}

func (q *growth) answer(m ops.Mode) (*answer, error) {
	t := q.task
	return answering(func(a *answer, s *ops.Scope) {
		h := t.rows(t.embed(&q.batch, m, s), q.atoms, s)
		x := s.Keep(t.means(h, q.ptr, s).Mul(t.numbers(q.size, s, int64(len(q.size)), 1), false))
		messages := q.messages(x, s)
		var losses []*ts.Tensor
		if len(q.asked) > 0 {
			logits := t.kind.forward(t.rows(messages, q.asked, s), s)
			each := t.crossEntropies(logits, q.kinds, s)
			losses, a.logits = append(losses, each), append(a.logits, each, s.Keep(logits.Argmax([]int64{1}, false, false)))
		}
		if len(q.at) > 0 {
			scores := q.choices(x, messages, s)
			losses = append(losses, s.Times(t.binary(scores, q.more, s), float64(len(q.at))))
			a.logits = append(a.logits, scores)
		}
		for _, l := range losses {
			l = s.Keep(l.Sum(l.DType(), false))
			if a.loss != nil {
				l = s.Keep(a.loss.Add(l, false))
			}
			a.loss = l
		}
		a.loss = s.Times(a.loss, 1/float64(q.molecules))
	})
}

func (q *growth) choices(x, messages *ts.Tensor, s *ops.Scope) *ts.Tensor {
	t := q.task
	heard := t.numbers(make([]float64, len(q.at)*t.encoder.Width()), s, int64(len(q.at)), int64(t.encoder.Width()))
	if q.heard.width > 0 {
		heard = sum(q.heard.gather(messages, t, s), 1, s)
	}
	joined := s.Keep(ts.Cat([]*ts.Tensor{t.rows(x, q.at, s), heard}, 1))
	return s.Keep(t.choice.forward(joined, s).Reshape([]int64{-1}, false))
}

// gather returns the messages [n, width, d] in the lists, with zeros for padding.
func (l *hearers) gather(messages *ts.Tensor, t *mgssl, s *ops.Scope) *ts.Tensor {
	return s.Keep(t.rows(messages, l.messages, s).Reshape([]int64{int64(l.n), int64(l.width), -1}, false))
}
