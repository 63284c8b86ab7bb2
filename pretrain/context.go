package pretrain

import (
	"math"
	"math/rand/v2"

	"github.com/sugarme/gotch/ts"

	"pacia/data"
	"pacia/data/molecule"
	"pacia/gnn"
	"pacia/gnn/encoders"
	"pacia/gnn/params"
	"pacia/ops"
)

// Legend: A atoms of the substructures, C of the contexts, O that are in both,
// n molecules, d width, L layers.

// contextSize is the number of bonds that a context spans, and the number of
// layers of the network that embeds it.
const contextSize = 3

// reach holds the limits, in bonds from the root, of its substructure and its
// context.
type reach struct{ substructure, inner, outer int }

// reachOf returns the reach for an encoder of L layers, which sees atoms up to L
// bonds away. The context begins one bond within the substructure.
func reachOf(layers int) reach { return reach{layers, layers - 1, layers - 1 + contextSize} }

func (r reach) inSubstructure(away int) bool { return away >= 0 && away <= r.substructure }

// inContext reports whether an atom is in the context. For an encoder of one layer,
// the context includes the root, as published.
func (r reach) inContext(away int) bool {
	return away > r.inner && away <= r.outer || away == 0 && r.inner == 0
}

// contexts predicts whether a substructure and a context belong together. The
// score is h·c, with the root's embedding h by the encoder, and the mean c of the
// second network's embeddings of the atoms that are in both. Each substructure is
// compared with its own context and with that of the next molecule.
type contexts struct {
	body
	context gnn.Encoder
	other   *params.Set // of the second network
	reach   reach
}

// newContexts lays out the second network. Its parameters have the names of the
// encoder's, and need another seed for other initial values.
func newContexts(o Options, b body) (*contexts, error) {
	other := &params.Set{Device: b.set.Device, Float64: b.set.Float64, Seed: data.Rand(o.Seed, "pretrain context", 0).Uint64()}
	e, err := encoders.New(other, gnn.Config{Name: o.Encoder, Layers: contextSize, Width: o.Width, Dropout: o.Dropout})
	return &contexts{b, e, other, reachOf(o.Layers)}, err
}

// pairs is a batch of substructures and their contexts.
type pairs struct {
	task         *contexts
	substructure batch
	context      batch
	roots        []int32 // [n] atoms of the substructures
	overlap      []int32 // [O] atoms of the contexts
	overlapPtr   []int32 // [n+1] those of each molecule
}

func (t *contexts) ask(rows []int32, random func(row int32) *rand.Rand) question {
	p := &pairs{task: t, substructure: newBatch(), context: newBatch(), overlapPtr: []int32{0}}
	for _, row := range rows {
		g := t.store.Graph(int(row))
		p.add(g, random(row).IntN(g.Len()))
	}
	if len(p.roots) < 2 { // no other context
		return nil
	}
	return p
}

// add appends a molecule, unless nothing of it is far enough away from the root.
func (p *pairs) add(g molecule.Graph, root int) {
	away, r := hops(g, root), p.task.reach
	if !hasContext(away, r) {
		return
	}
	inner := p.substructure.add(g, func(v int) bool { return r.inSubstructure(away[v]) })
	outer := p.context.add(g, func(v int) bool { return r.inContext(away[v]) })
	p.roots = append(p.roots, inner[root])
	for v := range away {
		if inner[v] >= 0 && outer[v] >= 0 {
			p.overlap = append(p.overlap, outer[v])
		}
	}
	p.overlapPtr = append(p.overlapPtr, int32(len(p.overlap)))
}

// hasContext reports whether there is a context: any path to an atom of the context
// passes through an atom that is in both.
func hasContext(away []int, r reach) bool {
	for _, n := range away {
		if r.inContext(n) {
			return true
		}
	}
	return false
}

func (p *pairs) answer(m ops.Mode) (*answer, error) {
	t := p.task
	return answering(func(a *answer, s *ops.Scope) {
		h := t.embed(&p.substructure, m, s)
		around := embed(t.context, &p.context, t.set.Device, m.Site(siteContext), s)
		c := t.means(t.rows(around, p.overlap, s), p.overlapPtr, s)
		root, context := p.twice()
		scores := dots(t.rows(h, root, s), t.rows(c, context, s), s)
		// The published loss is the sum of the means over both halves. It is twice as
		// large, which does not change Adam's steps.
		a.loss, a.logits = t.binary(scores, p.labels(), s), []*ts.Tensor{scores}
	})
}

// twice returns the rows of the 2n pairs: every root with its own context, then
// with that of the next molecule.
func (p *pairs) twice() (root, context []int32) {
	n := int32(len(p.roots))
	root = append(append(root, p.roots...), p.roots...)
	for shift := range int32(2) {
		for i := range n {
			context = append(context, (i+shift)%n)
		}
	}
	return root, context
}

// labels [2n] are 1 for the own contexts and 0 for the others.
func (p *pairs) labels() []float64 {
	n := len(p.roots)
	return append(ones(n), make([]float64, n)...)
}

func (p *pairs) tallies(logits [][]float64) []tally {
	t := tally{name: "contexts"}
	t.scores(logits[0], p.labels())
	return []tally{t}
}

// without returns the figures of random answers. Half of them are right.
func (t *contexts) without(_ []int32, asked []question) Figures {
	guess := tally{name: "contexts"}
	for _, q := range asked {
		guess.asked += 2 * len(q.(*pairs).roots)
	}
	guess.right, guess.loss = guess.asked/2, float64(guess.asked)*math.Ln2
	return figures(guess)
}

func (t *contexts) usable(rows []int32) (some []int32) {
	for _, row := range rows {
		g := t.store.Graph(int(row))
		for root := range g.Len() {
			if hasContext(hops(g, root), t.reach) {
				some = append(some, row)
				break
			}
		}
	}
	return some
}

func (t *contexts) lack() (what, fix string) {
	return "too small to have a context", "write fewer --layers, or another --task"
}
