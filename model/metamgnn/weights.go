package metamgnn

import (
	"slices"

	"github.com/sugarme/gotch/ts"

	"pacia/ops"
)

// Legend: T tasks, A atoms, d width of an atom's state.

// halved is (e + mean of the states [A, d])/2, where e is 0 before the first mini-batch.
func (m *metamgnn) halved(e []float64, states *ts.Tensor, s *ops.Scope) []float64 {
	mean := ops.Try(ops.ReadAs[float64](s.Keep(states.MeanDim([]int64{0}, false, states.DType(), false)))).In(s)
	for i := range mean {
		if e != nil {
			mean[i] += e[i]
		}
		mean[i] /= 2
	}
	return mean
}

// weigh returns the outer loss (1/T) Σ_t w_t Q_t of tasks, and w [T]. It adds the gradients
// by the attention, through w.
func (m *metamgnn) weigh(tasks []path, s *ops.Scope) (loss float64, w []float64) {
	n := len(tasks)
	if m.Weighting.Hidden == 0 {
		for _, t := range tasks {
			loss += t.loss / float64(n*n)
		}
		return loss, slices.Repeat([]float64{1 / float64(n)}, n)
	}
	var vectors, losses []float64
	for _, t := range tasks {
		vectors, losses = append(vectors, t.vector...), append(losses, t.loss/float64(n))
	}
	e := s.Keep(m.Vector(vectors, s).View([]int64{int64(n), -1}, false))
	a := s.Keep(ops.MLP(s.Keep(ops.ReLU(s.Keep(ops.MLP(e, m.attention[:1], ops.Mode{})))), m.attention[1:], ops.Mode{}))
	flat := rowsOf(a, s)
	softmax := s.Keep(flat.Softmax(0, flat.DType(), false))
	product := s.Keep(softmax.Mul(m.Vector(losses, s), false))
	total := s.Keep(product.Sum(product.DType(), false))
	loss, w = ops.Try(ops.Number(total)).In(s), ops.Try(ops.ReadAs[float64](softmax)).In(s)
	s.Check(ops.Backward(total))
	return loss, w
}
