package metamgnn

import (
	"slices"

	"github.com/sugarme/gotch/ts"

	"pacia/ops"
)

// Legend: T tasks, A atoms, d width of an atom's state.

// halved returns (e + mean of the states [A, d])/2. e is 0 before the first mini-batch.
func (m *metamgnn) halved(e []float64, states *ts.Tensor, s *ops.Scope) []float64 {
	of := s.Call("mean", func() (*ts.Tensor, error) { return states.MeanDim([]int64{0}, false, states.DType(), false) })
	mean := ops.Try(ops.ReadAs[float64](of)).In(s)
	for i := range mean {
		if e != nil {
			mean[i] += e[i]
		}
		mean[i] /= 2
	}
	return mean
}

// weigh returns the outer loss (1/T) Σ_t w_t Q_t of tasks, and w [T]. It adds the gradients of
// the attention's parameters.
func (m *metamgnn) weigh(tasks []learnt, s *ops.Scope) (loss float64, w []float64) {
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
	all, q := m.Vector(vectors, s), m.Vector(losses, s)
	e := s.View(all, int64(n), -1)
	a := s.Keep(ops.MLP(s.Keep(ops.ReLU(s.Keep(ops.MLP(e, m.attention[:1], ops.Mode{})))), m.attention[1:], ops.Mode{}))
	flat := s.View(a, -1)
	softmax := s.Call("softmax", func() (*ts.Tensor, error) { return flat.Softmax(0, flat.DType(), false) })
	product := s.Call("product", func() (*ts.Tensor, error) { return softmax.Mul(q, false) })
	total := s.Call("sum", func() (*ts.Tensor, error) { return product.Sum(product.DType(), false) })
	loss, w = ops.Try(ops.Number(total)).In(s), ops.Try(ops.ReadAs[float64](softmax)).In(s)
	s.Check(ops.Backward(total))
	return loss, w
}
