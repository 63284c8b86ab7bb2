package pretrain

import (
	"github.com/sugarme/gotch/ts"

	"pacia/data/molecule"
	"pacia/gnn"
	"pacia/gnn/params"
	"pacia/internal/each"
	"pacia/ops"
)

// Legend: A atoms, n molecules or rows, d width.

// body is the part that all tasks share: the encoder to train, its parameters with those of
// the layers beside it, and the molecules.
type body struct {
	encoder gnn.Encoder
	set     *params.Set
	store   *molecule.Store
}

// embed returns the embeddings [A, d] of a batch's atoms after the last layer.
func (b *body) embed(g *batch, m ops.Mode, s *ops.Scope) *ts.Tensor {
	return embed(b.encoder, g, b.set.Device, m.Site(siteEncoder), s)
}

func embed(e gnn.Encoder, b *batch, d ops.Device, m ops.Mode, s *ops.Scope) *ts.Tensor {
	g := ops.Try(b.graph(d)).In(s)
	defer g.Drop()
	return s.Keep(encode(e, g, m))
}

func encode(e gnn.Encoder, g *ops.Graph, m ops.Mode) (*ts.Tensor, error) {
	h, err := e.Embed(g, ops.Mode{})
	for l := 0; err == nil && l < e.Layers(); l++ {
		before := h
		h, err = e.Layer(l, before, g, m.Site(uint64(l)), nil)
		ops.Drop(before)
	}
	return h, err
}

func (b *body) rows(x *ts.Tensor, index []int32, s *ops.Scope) *ts.Tensor {
	return s.Keep(ops.Rows(x, s.Keep(ops.Vector(index, b.set.Device))))
}

// means returns the means [n, d] over the rows of x between the offsets ptr [n+1].
func (b *body) means(x *ts.Tensor, ptr []int32, s *ops.Scope) *ts.Tensor {
	offsets := s.Keep(ops.Vector(ptr, b.set.Device))
	which := s.Keep(ops.Vector(counting(len(ptr)-1), b.set.Device))
	// The mean only uses the offsets of molecules in a graph.
	g := ops.Try(ops.GraphOf(ops.GraphParts{RowPtr: offsets, Mol: offsets})).In(s)
	return s.Keep(ops.SegmentMean(x, g, which))
}

// counting returns 0, 1, …, n−1.
func counting(n int) []int32 {
	return each.Order[int32](n)
}

// numbers copies values to the device, in the precision of the parameters.
func (b *body) numbers(values []float64, s *ops.Scope, shape ...int64) *ts.Tensor {
	if b.set.Float64 {
		return s.Keep(ops.New(values, shape, b.set.Device))
	}
	return s.Keep(ops.New(singles(values), shape, b.set.Device))
}

func singles(values []float64) []float32 {
	return each.As[float32](values)
}

func linear(x *ts.Tensor, s *ops.Scope, layers ...ops.Linear) *ts.Tensor {
	return s.Keep(ops.MLP(x, layers, ops.Mode{}))
}

// perceptron is two linear layers with ReLU between them.
type perceptron [2]ops.Linear

func (p *perceptron) forward(x *ts.Tensor, s *ops.Scope) *ts.Tensor {
	return linear(s.Keep(ops.ReLU(linear(x, s, p[0]))), s, p[1])
}

// dots returns the products [n] of the rows of x and y [n, d].
func dots(x, y *ts.Tensor, s *ops.Scope) *ts.Tensor {
	return sum(s.Call("product", func() (*ts.Tensor, error) { return x.Mul(y, false) }), 1, s)
}

func sum(x *ts.Tensor, dim int64, s *ops.Scope) *ts.Tensor {
	return s.Call("sum", func() (*ts.Tensor, error) { return x.SumDimIntlist([]int64{dim}, false, x.DType(), false) })
}

// plus adds a number to all entries.
func plus(x *ts.Tensor, v float64, s *ops.Scope) *ts.Tensor {
	number := ts.FloatScalar(v)
	defer number.MustDrop()
	return s.Keep(x.AddScalar(number, false))
}

func mean(x *ts.Tensor, s *ops.Scope) *ts.Tensor { return s.Keep(x.Mean(x.DType(), false)) }

// libtorch's constants for the reduction of the rows' losses.
const (
	reduceNone = iota
	reduceMean
)

func (b *body) crossEntropy(logits *ts.Tensor, labels []int64, s *ops.Scope) *ts.Tensor {
	return b.classLoss(logits, labels, reduceMean, s)
}

// crossEntropies returns the cross entropies [n] of the rows of logits.
func (b *body) crossEntropies(logits *ts.Tensor, labels []int64, s *ops.Scope) *ts.Tensor {
	return b.classLoss(logits, labels, reduceNone, s)
}

func (b *body) classLoss(logits *ts.Tensor, labels []int64, reduce int64, s *ops.Scope) *ts.Tensor {
	none := s.None()     // no weights
	const ignored = -100 // libtorch's number; no label is negative
	return s.Keep(logits.CrossEntropyLoss(s.Keep(ops.Vector(labels, b.set.Device)), none, reduce, ignored, 0, false))
}

// binary returns the mean binary cross entropy of scores [n].
func (b *body) binary(scores *ts.Tensor, labels []float64, s *ops.Scope) *ts.Tensor {
	target := b.numbers(labels, s, int64(len(labels)))
	none := s.None() // no weights
	return s.Call("binary cross entropy", func() (*ts.Tensor, error) {
		return scores.BinaryCrossEntropyWithLogits(target, none, none, reduceMean, false)
	})
}
