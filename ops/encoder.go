package ops

import (
	"slices"

	"github.com/sugarme/gotch/ts"
)

// Legend: A atoms, n molecules, m selected molecules, B tasks, d width,
// d' inner width.

var (
	embedOp       = Named("embed")
	segmentMeanOp = Named("segment mean")
	filmOp        = Named("film")
	dropoutOp     = Named("dropout")
)

// Embed returns h⁰ [A, d], the sum of an atom's embeddings of its two
// categories, from tables [·, d]; with levels [R_0, d].
func Embed(g *Graph, atomicNumber, chirality *ts.Tensor) (*ts.Tensor, error) {
	return embedOp.One(Args{In: []*ts.Tensor{g.atoms, atomicNumber, chirality}, Ints: []int64{int64(g.largest)}})
}

// Mode defines how a layer runs.
type Mode struct {
	Training bool    // batch statistics and dropout, or running averages
	Dropout  float64 // probability to drop
	Key      uint64  // of the dropout masks of this step; see Site
	Keys     *Keys   // source of the keys in place of Key, or nil
	path     []uint64
}

// Site returns the mode with the key of one place in the model, so that
// different places draw different masks.
func (m Mode) Site(n uint64) Mode {
	m.Key = MixBits(m.Key ^ MixBits(n))
	if m.Keys != nil {
		m.path = append(slices.Clip(m.path), n)
	}
	return m
}

// MixBits is the finaliser of splitmix64.
func MixBits(x uint64) uint64 {
	x += 0x9E3779B97F4A7C15
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}

// key returns the address of the key on the device, or 0 if Key is used.
func (m Mode) key() (uint64, error) {
	if m.Keys == nil || m.Rate() == 0 {
		return 0, nil
	}
	return m.Keys.address(m.path)
}

// Rate returns the active rate of dropout: 0 outside of training.
func (m Mode) Rate() float64 {
	if m.Training {
		return m.Dropout
	}
	return 0
}

// SegmentMean returns the mean of h [A, d] over the atoms of the molecules
// which [m]: [m, d]. For the backward pass of the kernels they must ascend.
func SegmentMean(h *ts.Tensor, g *Graph, which *ts.Tensor) (*ts.Tensor, error) {
	return segmentMeanOp.One(Args{In: []*ts.Tensor{h, g.mol, which}})
}

// Rows returns the rows which [m] of x [n, d]: [m, d].
func Rows(x, which *ts.Tensor) (*ts.Tensor, error) {
	return call("rows", func() (*ts.Tensor, error) { return x.IndexSelect(0, which, false) })
}

// As returns x with elements of like's type.
func As(x, like *ts.Tensor) (*ts.Tensor, error) {
	return call("elements", func() (*ts.Tensor, error) { return x.Totype(like.DType(), false) })
}

// Matmul returns x [n, d] times y [d, m]: [n, m].
func Matmul(x, y *ts.Tensor) (*ts.Tensor, error) {
	return call("product", func() (*ts.Tensor, error) { return x.Matmul(y, false) })
}

// FilmForm defines how w and b modulate (Eq. 6).
type FilmForm int64

// The forms of FiLM.
const (
	FilmAffine FilmForm = iota // h·(1+w) + b
	FilmScale                  // h·w + b
	FilmUnit                   // h·(1 + w/‖w‖) + b/‖b‖
)

// FiLM modulates the rows h that a layer returned, by the vectors w and b
// [B, d] of each row's task, or by w = [w | b | …] [B, ≥2d] where b is nil.
func FiLM(h *ts.Tensor, v *Level, w, b *ts.Tensor, form FilmForm) (*ts.Tensor, error) {
	return filmOp.One(Args{In: []*ts.Tensor{h, v.task, w, b}, Ints: []int64{int64(form)}})
}

// FiLMNodes modulates the nodes h [Q, n, d] of each relation graph by w and b
// [Q, d], or by w = [w | b | …] where b is nil.
func FiLMNodes(h, w, b *ts.Tensor, form FilmForm) (*ts.Tensor, error) {
	return filmOp.One(Args{In: []*ts.Tensor{h, nil, w, b}, Ints: []int64{int64(form)}})
}

// Flag returns a condition as an integer of [Args].
func Flag(b bool) int64 {
	if b {
		return 1
	}
	return 0
}
