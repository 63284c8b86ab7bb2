package ops

import (
	"fmt"
	"slices"

	"github.com/sugarme/gotch/ts"
)

// Legend: A atoms, n molecules, m of them asked for, B tasks, d width,
// d' inner width.

var (
	embedOp       = named("embed")
	ginOp         = named("gin layer")
	segmentMeanOp = named("segment mean")
	filmOp        = named("film")
	dropoutOp     = named("dropout")
)

// Embed returns h⁰ [A, d], the sum of an atom's embeddings of its two
// categories, from tables [·, d]; with levels [R_0, d].
func Embed(g *Graph, atomicNumber, chirality *ts.Tensor) (*ts.Tensor, error) {
	return embedOp.one(args{in: []*ts.Tensor{g.atoms, atomicNumber, chirality}, ints: []int64{int64(g.largest)}})
}

// GIN is the parameters of one layer (Eq. 14 with edge embeddings).
type GIN struct {
	W1, B1 *ts.Tensor // [d', d], [d']
	W2, B2 *ts.Tensor // [d, d'], [d]
	E1, E2 *ts.Tensor // [6, d] bond types, [3, d] bond directions
	Gamma  *ts.Tensor // [d] batch norm
	Beta   *ts.Tensor // [d]
	Mean   *ts.Tensor // [d] running averages; not trained
	Var    *ts.Tensor // [d]
}

// Mode is how a layer runs.
type Mode struct {
	Training bool    // batch statistics and dropout, or running averages
	Dropout  float64 // probability to drop
	Key      uint64  // of the dropout masks of this step; see Site
	Keys     *Keys   // where the keys are taken from instead, or nil
	path     []uint64
}

// Site returns the mode with the key of one place in the model, so that no
// two places draw the same mask.
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

// key is the address of the key on the device, or 0 for Key itself.
func (m Mode) key() (uint64, error) {
	if m.Keys == nil || m.rate() == 0 {
		return 0, nil
	}
	return m.Keys.address(m.path)
}

// rate is the dropout that is active.
func (m Mode) rate() float64 {
	if m.Training {
		return m.Dropout
	}
	return 0
}

// Layer returns the next embeddings before FiLM: aggregation, two linear
// layers, batch norm per group, ReLU where relu is set, dropout. h is [P, d];
// the result has a row for each row of the level, or for each atom where it
// spreads to them. In training the running averages move.
func (l *GIN) Layer(h *ts.Tensor, v *Level, relu bool, m Mode) (*ts.Tensor, error) {
	out, err := l.run(h, v, relu, m, false)
	return out[0], err
}

// Support is Layer normalised by each group's own statistics as in training,
// but without dropout, and the running averages stay. It returns beside the
// embeddings the statistics [d] of the last group that has rows, as a running
// average takes them: the variance is that over n−1.
func (l *GIN) Support(h *ts.Tensor, v *Level, relu bool) (next, mean, variance *ts.Tensor, err error) {
	out, err := l.run(h, v, relu, Mode{Training: true}, true)
	return out[0], out[1], out[2], err
}

func (l *GIN) run(h *ts.Tensor, v *Level, relu bool, m Mode, own bool) (out [3]*ts.Tensor, err error) {
	if m.Training && v.distinct {
		return out, fmt.Errorf("%s: statistics of a batch are those of its atoms, not of rows that stand for many", ginOp.name)
	}
	key, err := m.key()
	if err != nil {
		return out, err
	}
	tensors, err := ginOp.run(args{
		key: key,
		in: []*ts.Tensor{h, l.W1, l.B1, l.W2, l.B2, l.E1, l.E2, l.Gamma, l.Beta, l.Mean, l.Var,
			v.rowptr, v.col, v.code, v.self, v.spread, v.group, v.like},
		ints:  []int64{flag(m.Training), flag(relu), int64(m.Key), flag(own), int64(v.before)},
		reals: []float64{m.Dropout},
	}, 3)
	copy(out[:], tensors)
	return out, err
}

// SegmentMean returns the mean of h [A, d] over the atoms of the molecules
// which [m]: [m, d]. For the backward pass of the kernels they must ascend.
func SegmentMean(h *ts.Tensor, g *Graph, which *ts.Tensor) (*ts.Tensor, error) {
	return segmentMeanOp.one(args{in: []*ts.Tensor{h, g.mol, which}})
}

// Rows returns the rows which [m] of x [n, d]: [m, d].
func Rows(x, which *ts.Tensor) (*ts.Tensor, error) {
	naming.Lock()
	defer naming.Unlock()
	t, err := x.IndexSelect(0, which, false)
	if err != nil {
		return nil, fmt.Errorf("rows: %w", err)
	}
	return t, nil
}

// Matmul returns x [n, d] times y [d, m]: [n, m].
func Matmul(x, y *ts.Tensor) (*ts.Tensor, error) {
	naming.Lock()
	defer naming.Unlock()
	t, err := x.Matmul(y, false)
	if err != nil {
		return nil, fmt.Errorf("product: %w", err)
	}
	return t, nil
}

// FilmForm is how w and b modulate (Eq. 6).
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
	return filmOp.one(args{in: []*ts.Tensor{h, v.task, w, b}, ints: []int64{int64(form)}})
}

// FiLMNodes modulates the nodes h [Q, n, d] of each relation graph by w and b
// [Q, d], or by w = [w | b | …] where b is nil.
func FiLMNodes(h, w, b *ts.Tensor, form FilmForm) (*ts.Tensor, error) {
	return filmOp.one(args{in: []*ts.Tensor{h, nil, w, b}, ints: []int64{int64(form)}})
}

func flag(b bool) int64 {
	if b {
		return 1
	}
	return 0
}
