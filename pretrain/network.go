package pretrain

import (
	"math/rand/v2"

	"github.com/sugarme/gotch/ts"

	"pacia/gnn"
	"pacia/gnn/encoders"
	"pacia/gnn/params"
	"pacia/ops"
)

// Legend: A atoms, d width.

// A task makes questions (batches with prediction targets) from molecules.
type task interface {
	// ask makes a question from the molecules with these rows, or returns nil if
	// they have none. random returns the generator of a molecule.
	ask(rows []int32, random func(row int32) *rand.Rand) question
	// without returns how well the questions are answered without an encoder.
	without(learn []int32, asked []question) Figures
}

// A question is a batch with prediction targets, on the host.
type question interface {
	answer(m ops.Mode) (*answer, error)
	// tallies compare answers, as answer gave them, with the truth.
	tallies(logits [][]float64) []tally
}

// An answer holds the outputs of the network; drop releases it.
type answer struct {
	loss   *ts.Tensor   // one number
	logits []*ts.Tensor // of each part
	pass   ops.Scope
}

func answering(pass func(a *answer, s *ops.Scope)) (*answer, error) {
	a := new(answer)
	if err := a.pass.Run(func() { pass(a, &a.pass) }); err != nil {
		a.drop()
		return nil, err
	}
	return a, nil
}

func (a *answer) drop() { a.pass.Drop() }

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

// network is an encoder with the layers that are trained beside it.
type network struct {
	task
	sets []*params.Set // the first set has the encoder
}

// Sites of dropout.
const (
	siteEncoder = 100 * (1 + iota)
	siteContext
)

func newNetwork(o Options, l *Library, d ops.Device, float64s bool) (*network, error) {
	set := &params.Set{Device: d, Float64: float64s, Seed: o.Seed}
	n := &network{sets: []*params.Set{set}}
	e, err := encoders.New(set, gnn.Config{Name: o.Encoder, Layers: o.Layers, Width: o.Width, Dropout: o.Dropout})
	if err == nil {
		n.task, err = n.newTask(o, body{encoder: e, set: set, store: l.Store}, l)
	}
	if err != nil {
		n.drop()
		return nil, err
	}
	return n, nil
}

func (n *network) newTask(o Options, b body, l *Library) (task, error) {
	switch o.Task {
	case Context:
		c, err := newContexts(o, b)
		if c != nil {
			n.sets = append(n.sets, c.other)
		}
		return c, err
	case Edges:
		return &edges{b}, nil
	case Infomax:
		return newInfomax(b)
	case Supervised:
		return newSupervised(b, l)
	case GraphMAE:
		return newGraphMAE(o, b)
	case GraphLoG:
		return newGraphLoG(o, b)
	case MGSSL:
		if o.Levels {
			return newMultiLevel(o, b, l)
		}
		return newMGSSL(o, b, l)
	}
	return newMasking(o, b)
}

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
