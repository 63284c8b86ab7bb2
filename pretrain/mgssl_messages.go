package pretrain

import (
	"github.com/sugarme/gotch/ts"

	"pacia/ops"
)

// Legend: N motifs, T messages, n messages of a wave, k received before each, d width.

// messages returns a row of zeros and all messages [T+1, d], given the motifs x [N, d].
// Terms that do not depend on other messages are computed for all motifs at once. The
// messages of a wave are computed in one pass.
func (q *growth) messages(x *ts.Tensor, s *ops.Scope) *ts.Tensor {
	t, d := q.task, int64(q.task.encoder.Width())
	zOfX, zOfSum := t.halves(t.z, d, s)
	hOfX, hOfSum := t.halves(t.h, d, s)
	of := func(w, b *ts.Tensor) *ts.Tensor { return t.rows(s.Keep(b.Addmm(x, w, false)), q.from, s) }
	z, h, r := of(zOfX, t.z.B), of(hOfX, t.h.B), of(s.Keep(t.r.W.T(false)), t.r.B)
	all := t.numbers(make([]float64, d), s, 1, d)
	first := int64(0)
	for _, l := range q.waves {
		n, end := int64(l.n), first
		part := func(y *ts.Tensor) *ts.Tensor { return s.Keep(y.Narrow(0, end, n, false)) }
		var next *ts.Tensor
		if l.heard.width == 0 {
			next = s.Keep(s.Keep(part(z).Sigmoid(false)).Mul(s.Keep(part(h).Tanh(false)), false))
		} else {
			heard := l.heard.gather(all, t, s) // [n, k, d]
			open := s.Keep(linear(heard, s, t.u).Add(s.Keep(part(r).Unsqueeze(1, false)), false))
			kept := s.Keep(s.Keep(open.Sigmoid(false)).Mul(heard, false))
			total := sum(heard, 1, s)
			gate := s.Keep(s.Keep(part(z).Addmm(total, zOfSum, false)).Sigmoid(false))
			fresh := s.Keep(s.Keep(part(h).Addmm(sum(kept, 1, s), hOfSum, false)).Tanh(false))
			next = s.Keep(total.LerpTensor(fresh, gate, false))
		}
		all = s.Keep(ts.Cat([]*ts.Tensor{all, next}, 0))
		first += n
	}
	return all
}

// halves returns the transposed parts [d, d] of W [d, 2 d] that multiply x and the sum.
func (t *mgssl) halves(l ops.Linear, d int64, s *ops.Scope) (ofX, ofSum *ts.Tensor) {
	turned := s.Keep(l.W.T(false))
	return s.Keep(turned.Narrow(0, 0, d, false)), s.Keep(turned.Narrow(0, d, d, false))
}
