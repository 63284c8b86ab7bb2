package mhnfs

import (
	"github.com/sugarme/gotch/ts"

	_ "pacia/model/mhnfs/op" // the operations
	"pacia/ops"
)

// Legend: B tasks, N support molecules of a task, Q queries, C molecules of a context, d
// width of a molecule's vector, t of the entry for its activity, H heads, w width of a head.

var (
	mhnfsOp     = ops.Named("mhnfs")
	mhnfsKeysOp = ops.Named("mhnfs keys")
)

// normLinear is layer norm with scale and offset [in], and then a linear layer.
type normLinear struct {
	scale, offset *ts.Tensor
	ops.Linear
}

func (l normLinear) tensors() []*ts.Tensor { return []*ts.Tensor{l.scale, l.offset, l.W, l.B} }

// hopfield is a modern Hopfield network, which retrieves similar molecules from a context
// (Ramsauer et al. 2021).
type hopfield struct {
	key, value, query normLinear // d → H·w
	out               ops.Linear // H·w → d
	heads             int
	beta              float64 // of each head's softmax
	dropout           float64 // of the softmax, in training
	gradient          bool    // the context also has a gradient
}

// attentionBlock is a block of a transformer: layer norm first, without dropout.
type attentionBlock struct {
	in     normLinear // d+t → queries, keys and values, 3·H·w
	out    ops.Linear // H·w → d+t
	first  normLinear // of the hidden layer with ReLU
	second ops.Linear
	heads  int
	marks  int     // t
	leave  float64 // share of the pairs of rows without attention, in training
}

// stages holds the two stages before molecules are compared (Schimunek et al. 2023). Both
// begin with layer norm without scale and offset. A nil stage is omitted.
type stages struct {
	context   *hopfield
	attention *attentionBlock
}

// hopfieldKeys holds the keys and values of a context in a Hopfield network, both [C, H·w].
type hopfieldKeys struct{ keys, values *ts.Tensor }

// drop releases the tensors.
func (k *hopfieldKeys) drop() { ops.Drop(k.keys, k.values) }

// keys returns the keys and values of the vectors [C, d] of a context, after a layer norm.
func (h *hopfield) keys(context *ts.Tensor) (*hopfieldKeys, error) {
	stored, values, err := mhnfsKeysOp.Two(ops.Args{
		In:   append(append([]*ts.Tensor{context}, h.key.tensors()...), h.value.tensors()...),
		Ints: []int64{ops.Flag(h.gradient)},
	})
	return &hopfieldKeys{stored, values}, err
}

// of returns queries x [Q, d] of tasks [Q], and the supports [B·N, d] of n molecules with
// labels [B·N], after the stages. A query reads its task's support, a support molecule reads the
// support, and both read the context of keys. So queries do not depend on each other.
func (m *stages) of(x, support, labels, task *ts.Tensor, n int, keys *hopfieldKeys, mode ops.Mode) (query, refined *ts.Tensor, err error) {
	a := ops.Args{
		In:    []*ts.Tensor{support, x, labels, task},
		Ints:  []int64{int64(n), 0, 0, 0, int64(mode.Key)},
		Reals: []float64{0, 0, 0},
	}
	if h := m.context; h != nil {
		a.In = append(append(a.In, keys.keys, keys.values), append(h.query.tensors(), h.out.W, h.out.B)...)
		a.Ints[1], a.Reals[0] = int64(h.heads), h.beta
		if mode.Training {
			a.Reals[1] = h.dropout
		}
	}
	if l := m.attention; l != nil {
		a.In = append(append(a.In, l.in.tensors()...), l.out.W, l.out.B)
		a.In = append(append(a.In, l.first.tensors()...), l.second.W, l.second.B)
		a.Ints[2], a.Ints[3] = int64(l.heads), int64(l.marks)
		if mode.Training {
			a.Reals[2] = l.leave
		}
	}
	return mhnfsOp.Two(a)
}
