package pretrain

import (
	"math/rand/v2"

	"github.com/sugarme/gotch/ts"

	"pacia/data"
	"pacia/gnn"
	"pacia/ops"
	"pacia/params"
)

// Legend: A atoms, d width.

// A task makes questions of molecules.
type task interface {
	// ask makes a question of the molecules with these rows; random gives the
	// generator of a molecule. It is nil where nothing can be asked.
	ask(rows []int32, random func(row int32) *rand.Rand) question
	// without is how well the questions are answered without an encoder.
	without(learn []int32, asked []question) Figures
}

// A question is what the network is to answer, on the host.
type question interface {
	answer(m ops.Mode) (*answer, error)
	// tallies compare answers, as answer gave them, with the truth.
	tallies(logits [][]float64) []tally
}

// An answer is what the network said; drop releases it.
type answer struct {
	loss   *ts.Tensor   // one number
	logits []*ts.Tensor // of each part
}

func (a *answer) drop() {
	ops.Drop(a.loss)
	ops.Drop(a.logits...)
}

// grade compares an answer with the truth.
func grade(q question, a *answer) ([]tally, error) {
	logits := make([][]float64, len(a.logits))
	for i, t := range a.logits {
		var err error
		if logits[i], err = ops.ReadAs[float64](t); err != nil {
			return nil, err
		}
	}
	return q.tallies(logits), nil
}

// network is an encoder with what learns beside it.
type network struct {
	task
	sets []*params.Set // the first is that of the encoder
}

// Sites of dropout.
const (
	siteEncoder = 100 * (1 + iota)
	siteContext
)

func newNetwork(o Options, s *data.Store, d ops.Device, float64s bool) (*network, error) {
	set := &params.Set{Device: d, Float64: float64s, Seed: o.Seed}
	n := &network{sets: []*params.Set{set}}
	config := gnn.Config{Name: o.Encoder, Layers: o.Layers, Width: o.Width, Dropout: o.Dropout}
	encoder, err := gnn.New(set, config)
	if err == nil && o.Task == Masking {
		n.task, err = newMasking(set, encoder, s, o.Bonds)
	} else if err == nil {
		// Its parameters have the names of the encoder's, and so need a seed of
		// their own to start otherwise.
		other := &params.Set{Device: d, Float64: float64s, Seed: data.Rand(o.Seed, "pretrain context", 0).Uint64()}
		n.sets = append(n.sets, other)
		config.Layers = contextSize
		var context gnn.Encoder
		if context, err = gnn.New(other, config); err == nil {
			n.task = &contexts{encoder: encoder, context: context, set: set, store: s, reach: reachOf(o.Layers)}
		}
	}
	if err != nil {
		n.drop()
		return nil, err
	}
	return n, nil
}

// trained lists what the optimiser changes.
func (n *network) trained() (list []*ts.Tensor) {
	for _, s := range n.sets {
		list = append(list, params.Tensors(s.Trained())...)
	}
	return list
}

func (n *network) drop() {
	for _, s := range n.sets {
		s.Drop()
	}
}

// encode returns the embeddings [A, d] of a graph's atoms after the last layer.
func encode(e gnn.Encoder, g *ops.Graph, m ops.Mode) (*ts.Tensor, error) {
	h, err := e.Embed(g, ops.Mode{})
	for l := 0; err == nil && l < e.Layers(); l++ {
		before := h
		h, err = e.Layer(l, before, g, m.Site(uint64(l)), nil)
		ops.Drop(before)
	}
	return h, err
}

// scope collects the tensors of one pass, drops them together, and keeps the
// first error; after one, every call gives nil.
type scope struct {
	tensors []*ts.Tensor
	err     error
}

func (s *scope) drop() { ops.Drop(s.tensors...) }

// do runs f, unless something went wrong before.
func (s *scope) do(f func() (*ts.Tensor, error)) *ts.Tensor {
	if s.err != nil {
		return nil
	}
	t, err := f()
	if err != nil {
		s.err = err
		return nil
	}
	s.tensors = append(s.tensors, t)
	return t
}

// release takes tensors out of the scope, for the caller to drop.
func (s *scope) release(out ...*ts.Tensor) {
	kept := s.tensors[:0]
next:
	for _, t := range s.tensors {
		for _, o := range out {
			if t == o {
				continue next
			}
		}
		kept = append(kept, t)
	}
	s.tensors = kept
}

// rows returns the rows of x that index names.
func (s *scope) rows(x *ts.Tensor, index []int32, d ops.Device) *ts.Tensor {
	at := s.do(func() (*ts.Tensor, error) { return ops.Vector(index, d) })
	return s.do(func() (*ts.Tensor, error) { return x.IndexSelect(0, at, false) })
}
