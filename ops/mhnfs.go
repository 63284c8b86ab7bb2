package ops

import "github.com/sugarme/gotch/ts"

// Legend: B tasks, N support molecules of a task, Q queries, C molecules of a context, d
// width of a molecule's vector, t of the entry for its activity, H heads, w width of a head.

var (
	mhnfsOp     = Named("mhnfs")
	mhnfsKeysOp = Named("mhnfs keys")
)

// NormLinear is layer norm with scale and offset [in], and then a linear layer.
type NormLinear struct {
	Scale, Offset *ts.Tensor
	Linear
}

func (l NormLinear) tensors() []*ts.Tensor { return []*ts.Tensor{l.Scale, l.Offset, l.W, l.B} }

// Hopfield is a modern Hopfield network, which retrieves similar molecules from a context
// (Ramsauer et al. 2021).
type Hopfield struct {
	Key, Value, Query NormLinear // d → H·w
	Out               Linear     // H·w → d
	Heads             int
	Beta              float64 // of each head's softmax
	Dropout           float64 // of the softmax, in training
	Gradient          bool    // the context also has a gradient
}

// AttentionBlock is a block of a transformer: layer norm first, without dropout.
type AttentionBlock struct {
	In     NormLinear // d+t → queries, keys and values, 3·H·w
	Out    Linear     // H·w → d+t
	First  NormLinear // of the hidden layer with ReLU
	Second Linear
	Heads  int
	Marks  int     // t
	Leave  float64 // share of the pairs of rows without attention, in training
}

// MHNfs holds the two stages before molecules are compared (Schimunek et al. 2023). Both
// begin with layer norm without scale and offset. A nil stage is omitted.
type MHNfs struct {
	Context   *Hopfield
	Attention *AttentionBlock
}

// HopfieldKeys holds the keys and values of a context in a Hopfield network, both [C, H·w].
type HopfieldKeys struct{ Keys, Values *ts.Tensor }

// Drop releases the tensors.
func (k *HopfieldKeys) Drop() { Drop(k.Keys, k.Values) }

// Keys returns the keys and values of the vectors [C, d] of a context, after a layer norm.
func (h *Hopfield) Keys(context *ts.Tensor) (*HopfieldKeys, error) {
	stored, values, err := mhnfsKeysOp.Two(Args{
		In:   append(append([]*ts.Tensor{context}, h.Key.tensors()...), h.Value.tensors()...),
		Ints: []int64{Flag(h.Gradient)},
	})
	return &HopfieldKeys{stored, values}, err
}

// Of returns queries x [Q, d] of tasks [Q], and the supports [B·N, d] of n molecules with
// labels [B·N], after the stages. A query reads its task's support, a support molecule reads the
// support, and both read the context of keys. So queries do not depend on each other.
func (m *MHNfs) Of(x, support, labels, task *ts.Tensor, n int, keys *HopfieldKeys, mode Mode) (query, refined *ts.Tensor, err error) {
	a := Args{
		In:    []*ts.Tensor{support, x, labels, task},
		Ints:  []int64{int64(n), 0, 0, 0, int64(mode.Key)},
		Reals: []float64{0, 0, 0},
	}
	if h := m.Context; h != nil {
		a.In = append(append(a.In, keys.Keys, keys.Values), append(h.Query.tensors(), h.Out.W, h.Out.B)...)
		a.Ints[1], a.Reals[0] = int64(h.Heads), h.Beta
		if mode.Training {
			a.Reals[1] = h.Dropout
		}
	}
	if l := m.Attention; l != nil {
		a.In = append(append(a.In, l.In.tensors()...), l.Out.W, l.Out.B)
		a.In = append(append(a.In, l.First.tensors()...), l.Second.W, l.Second.B)
		a.Ints[2], a.Ints[3] = int64(l.Heads), int64(l.Marks)
		if mode.Training {
			a.Reals[2] = l.Leave
		}
	}
	return mhnfsOp.Two(a)
}
