package mhnfs

import (
	"cmp"
	"math"

	"github.com/sugarme/gotch/ts"

	"pacia/gnn/params"
	"pacia/model"
	"pacia/ops"
)

// Legend: d width of a molecule's vector, e of a row of the cross-attention.

// Spec is MHNfs' line in the table of methods.
var Spec = model.Spec{
	Name: "mhnfs", Title: "MHNfs",
	Source:   "Schimunek et al.: Context-enriched Molecule Representations Improve Few-shot Drug Discovery, ICLR 2023",
	Traits:   model.Traits{ReadsHost: true, CachesStates: true, Memory: true, Approximates: true},
	Settings: ForPreset,
	New: func(b *model.Body, c model.Config, _ []int) (model.Method, error) {
		return newMHNfs(b, c.Own.(Settings))
	},
}

// mhnfs is the method with its parameters.
type mhnfs struct {
	*model.Body
	settings Settings
	stages   stages
	match    ops.Match
	context  context
	stored   stored
}

func newMHNfs(b *model.Body, c Settings) (*mhnfs, error) {
	if err := b.AddAll(); err != nil {
		return nil, err
	}
	d := b.Readout.Width()
	m := &mhnfs{Body: b, settings: c}
	m.match = ops.Match{Form: ops.MatchMean, Beta: cmp.Or(c.Scale, math.Sqrt(2/float64(d)))}
	if c.Context.Molecules > 0 {
		b.Set.Part("context")
		m.stages.context = c.Context.layOut(b.Set, d)
		b.Set.Own(m.stored.forget)
	}
	if c.Attention.Heads > 0 {
		b.Set.Part("attention")
		m.stages.attention = c.Attention.layOut(b.Set, d+c.Attention.Labels)
	}
	return m, b.Set.Err()
}

// layOut lays out the Hopfield network on vectors of width d. Its initial weights are as published.
func (c Context) layOut(p *params.Set, d int) *hopfield {
	const spread = 0.02
	w := c.width(d)
	wide := c.Heads * w
	linear := func(name string, in, out int) ops.Linear {
		return ops.Linear{W: p.Normal(name+".weight", spread, int64(out), int64(in)), B: p.Constant(name+".bias", 0, int64(out))}
	}
	normed := func(name string) normLinear { return norm(p, name, d, linear(name, d, wide)) }
	return &hopfield{
		key: normed("context.key"), value: normed("context.value"), query: normed("context.query"),
		out: linear("context.out", wide, d), heads: c.Heads,
		beta: cmp.Or(c.Beta, 1/math.Sqrt(float64(w))), dropout: c.Dropout, gradient: c.Gradient,
	}
}

// layOut lays out the block on rows of width e. Its initial weights are as in PyTorch, with
// Glorot's bound for queries, keys and values.
func (a Attention) layOut(p *params.Set, e int) *attentionBlock {
	wide := a.Heads * a.width(e)
	in := ops.Linear{
		W: p.Uniform("attention.in.weight", math.Sqrt(6/float64(e+3*wide)), int64(3*wide), int64(e)),
		B: p.Constant("attention.in.bias", 0, int64(3*wide)),
	}
	out := ops.Linear{
		W: p.Uniform("attention.out.weight", 1/math.Sqrt(float64(wide)), int64(e), int64(wide)),
		B: p.Constant("attention.out.bias", 0, int64(e)),
	}
	return &attentionBlock{
		in: norm(p, "attention.in", e, in), out: out,
		first:  norm(p, "attention.first", e, p.Linear("attention.first", e, a.Hidden, true, 0)),
		second: p.Linear("attention.second", a.Hidden, e, true, 0),
		heads:  a.Heads, marks: a.Labels, leave: a.Mask,
	}
}

// norm returns a linear layer with layer norm before it.
func norm(p *params.Set, name string, in int, l ops.Linear) normLinear {
	return normLinear{scale: p.Constant(name+".norm.scale", 1, int64(in)), offset: p.Constant(name+".norm.offset", 0, int64(in)), Linear: l}
}

// Adaptive is 0: a task takes one forward pass.
func (m *mhnfs) Adaptive() int { return 0 }

// Loss returns the mean cross entropy of the queries.
func (m *mhnfs) Loss(b *model.Batch, mode ops.Mode, s *ops.Scope) *ts.Tensor {
	return m.ComparedLoss(b, mode, m.compare(m.keys(mode, s), mode), s)
}

// Adapt keeps the support's vectors and the network's keys of the context.
func (m *mhnfs) Adapt(support *model.Batch, s *ops.Scope) model.Task {
	return m.Comparison(support, m.compare(m.lasting(s), ops.Mode{}), s)
}

// Sites of dropout.
const (
	siteContext = 6000 + iota // of the encoder, of the context's molecules
	siteStages
	siteMatch
)

// compare returns a comparison with the keys of the context, or of the support molecules if
// keys is nil.
func (m *mhnfs) compare(keys *hopfieldKeys, mode ops.Mode) model.Compare {
	return func(of *model.Batch, vectors *ts.Tensor, queries *model.Batch, x *ts.Tensor, s *ops.Scope) *ts.Tensor {
		n, labels, task := of.Host.Support, of.SupportLabel, queries.QueryTask
		if h := m.stages.context; h != nil || m.stages.attention != nil {
			keys := keys
			if h != nil && keys == nil {
				keys = m.keysOf(vectors, s)
			}
			x, vectors = s.Keep2(m.stages.of(x, vectors, labels, task, n, keys, mode.Site(siteStages)))
		}
		match := m.match
		if mode.Training {
			match.Leave, match.Key = m.settings.Attention.Mask, mode.Site(siteMatch).Key
		}
		return s.Keep(match.Logits(x, vectors, labels, task, n))
	}
}

func (m *mhnfs) keysOf(vectors *ts.Tensor, s *ops.Scope) *hopfieldKeys {
	keys := ops.Try(m.stages.context.keys(vectors)).In(s)
	s.Own(keys.drop)
	return keys
}
