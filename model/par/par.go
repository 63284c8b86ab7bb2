package par

import (
	"cmp"
	"fmt"

	"github.com/sugarme/gotch/ts"

	"pacia/gnn"
	"pacia/gnn/params"
	"pacia/model"
	"pacia/ops"
)

// Legend: N support molecules of a task, Q queries, d width of a molecule's vector, w
// of the nodes.

// Spec is PAR's line in the table of methods. The number of queries of each task is read
// from the host, so that steps on a GPU cannot be recorded.
var Spec = model.Spec{
	Name: "par", Title: "PAR",
	Source:   "Wang, Abuduweili, Yao and Dou: Property-Aware Relation Networks for Few-Shot Molecular Property Prediction, NeurIPS 2021",
	Traits:   model.Traits{ReadsHost: true, CachesStates: true, Approximates: true},
	Settings: ForPreset,
	New:      func(b *model.Body, c model.Config, _ []int) (model.Method, error) { return newPAR(b, c.Own.(Settings)) },
}

// par is the method with its parameters.
type par struct {
	*model.Body
	Settings
	head head
}

func newPAR(b *model.Body, c Settings) (*par, error) {
	if err := b.AddAll(); err != nil {
		return nil, err
	}
	p := &par{Body: b, Settings: c}
	p.layOut(b.Set, b.Readout.Width())
	return p, b.Set.Err()
}

// layOut lays out the head for vectors of width d.
func (p *par) layOut(set *params.Set, d int) {
	w, hidden := p.Relation.Width, cmp.Or(p.Relation.Hidden, 2*p.Relation.Width)
	half := max(1, hidden/2)
	set.Part("context")
	p.head.attention = set.Linear("context.attention", d, 3*d, false, 0).W
	set.Part("projection")
	p.head.project = [2]ops.Linear{set.Linear("projection.0", 2*d, w, true, ops.Leaky), set.Linear("projection.1", w, w, true, 0)}
	set.Part("relation graph")
	for l := range p.Relation.Layers {
		name := fmt.Sprintf("relation.%d.", l)
		p.head.layers = append(p.head.layers, ops.Relation{
			Similarity: [3]ops.Linear{
				set.Linear(name+"similarity.0", w, hidden, false, 0),
				set.Linear(name+"similarity.1", hidden, half, false, 0),
				set.Linear(name+"similarity.2", half, 1, true, 0),
			},
			Node: []ops.Linear{set.Linear(name+"node.0", 2*w, w, false, 0)},
		})
	}
	set.Part("classifier")
	p.head.classify = [2]ops.Linear{set.Linear("classifier.0", w, w, true, ops.Leaky), set.Linear("classifier.1", w, 2, true, 0)}
}

// Adaptive returns the number of parameters of context, projection and classifier.
func (p *par) Adaptive() int {
	d, w := p.Readout.Width(), p.Relation.Width
	return 3*d*d + (2*d+1)*w + 2*(w+1)*w + 2*(w+1)
}

// site is the first key of the head's dropout.
const site = 2000

func (p *par) steps() steps {
	a := p.Adaptation
	return steps{steps: a.Steps, rate: a.Rate, second: a.Order > 1, context: p.Context.Dropout, relation: p.Relation.Dropout}
}

// neighbours returns K for graphs of a batch's support sets.
func (p *par) neighbours(b *model.Batch) int {
	if p.Relation.Keep == "all" {
		return b.Host.Support
	}
	return b.Host.Shots
}

// Loss returns the mean over tasks of the queries' loss after the steps.
func (p *par) Loss(b *model.Batch, m ops.Mode, s *ops.Scope) *ts.Tensor {
	read, _ := p.Encode(b, m, nil, s)
	queries := make([]int64, b.Host.Tasks)
	for _, t := range b.Host.QueryTask {
		queries[t]++
	}
	return s.Keep(p.head.loss(tasks{
		support: read.Of(b.SupportMol, s), query: read.Of(b.QueryMol, s),
		supportLabel: b.SupportLabel, queryLabel: b.QueryLabel, n: b.Host.Support, queries: queries, neighbours: p.neighbours(b),
	}, p.steps(), m.Site(site)))
}

// task is the result of adapting to a support set.
type task struct {
	*par
	stats   []*gnn.Stats
	support *model.Batch
	vectors *ts.Tensor   // [N, d]
	head    *adaptedHead // after the steps
	nodes   *ts.Tensor   // [N, w]
}

func (p *par) Adapt(support *model.Batch, s *ops.Scope) model.Task {
	read, stats := p.Encode(support, ops.Mode{}, nil, s)
	t := &task{par: p, stats: stats, support: support, vectors: read.Of(support.SupportMol, s)}
	steps := p.steps()
	steps.steps = cmp.Or(p.Adaptation.TestSteps, steps.steps)
	t.head = ops.Try(p.head.adapt(t.vectors, support.SupportLabel, nil, p.neighbours(support), steps, false)).In(s)
	s.Own(t.head.drop)
	t.nodes, _ = s.Keep2(t.head.nodes(t.vectors, support.SupportLabel, t.vectors))
	return t
}

// Score runs the relation graph of each query and the support, and reads the query.
func (t *task) Score(queries *model.Batch, s *ops.Scope) model.Scores {
	read, _ := t.Encode(queries, ops.Mode{}, t.stats, s)
	query, _ := s.Keep2(t.head.nodes(t.vectors, t.support.SupportLabel, read.Of(queries.QueryMol, s)))
	x := ops.Nodes{Support: t.nodes, Query: query, Task: queries.QueryTask}
	for l := range t.head.layers {
		s.At("relation layer", l+1)
		nodes, _ := s.Keep2(t.head.layers[l].Layer(x, t.support.Host.Support, t.neighbours(t.support), false))
		x = ops.Nodes{Graphs: nodes, Task: queries.QueryTask}
	}
	s.At("", 0)
	return model.Scores{Logits: s.Keep(t.head.logits(x.Graphs, true)), Layers: 1}
}
