package gsmeta

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/sugarme/gotch/ts"

	"pacia/data"
	"pacia/gnn/params"
	"pacia/internal/each"
	"pacia/model"
	"pacia/model/shared/inner"
	"pacia/ops"
)

// Legend: T training tasks, d width of a molecule's vector.

// Spec is GS-META's line in the table of methods.
var Spec = model.Spec{
	Name: "gsmeta", Title: "GS-META",
	Source:   "Zhuang et al.: Graph Sampling-based Meta-Learning for Molecular Property Prediction, IJCAI 2023",
	Traits:   model.Traits{Tunes: true, Compares: true, ReadsHost: true, Twice: true, OwnGradients: true, OwnOptimiser: true, ParamGroups: true, Memory: true, SeenMolecules: true, ChecksBatches: true, Approximates: true, TrainingOnly: selectorPrefix},
	Tuning:   model.Tuning{Steps: 1, LearningRate: rate},
	Settings: ForPreset,
	New: func(b *model.Body, c model.Config, tasks []int) (model.Method, error) {
		l, err := NewLearner(b, c, tasks, c.Own.(Settings), func(p *params.Set, d int) Network { return NewClassifier(p, 2*d, d) })
		return &gsmeta{l}, err
	},
}

// gsmeta is the method.
type gsmeta struct{ *Learner }

// Learner is the common part of methods that learn like GS-META, with their parameters.
type Learner struct {
	*model.Body
	Settings
	inner.Tuner
	network  Network
	own      bool // evaluation takes the statistics of the support set's graph (model.norm=support)
	graphs   propertyGraphs
	target   *ts.Tensor    // [1, d] the property of a test task, 0 before adapting
	all      *ts.Tensor    // [T, d] the properties of the training tasks, or nil
	tasks    int           // T
	place    map[int32]int // of a training task by its number, in training
	memory   memory
	selector *selector // nil: no selector

	// Consolidate is a penalty in the outer loss. NewLearner leaves it at 0.
	Consolidate Consolidation
}

// NewLearner lays out the graphs and, after them, a network for vectors of width d. If b has no
// encoder, it lays this out first.
func NewLearner(b *model.Body, c model.Config, tasks []int, own Settings, network func(p *params.Set, d int) Network) (*Learner, error) {
	if b.Encoder == nil {
		if err := b.AddAll(); err != nil {
			return nil, err
		}
	}
	m := &Learner{Body: b, Settings: own, own: c.Norm == "support", place: map[int32]int{}}
	m.Adapted = m.parameters
	d := b.Readout.Width()
	m.layOut(b.Set, d)
	m.network = network(b.Set, d)
	b.Set.Part("properties")
	m.target = b.Set.Constant("target", 0, 1, int64(d))
	if tasks == nil {
		return m, b.Set.Err()
	}
	m.addProperties(len(tasks))
	for i, number := range tasks {
		m.place[int32(number)] = i
	}
	if m.Selection.Tasks > 0 {
		m.selector = newSelector(b.Set, d, m.Selection)
	}
	return m, b.Set.Err()
}

// layOut lays out the graphs with nodes of width d.
func (m *Learner) layOut(p *params.Set, d int) {
	m.graphs = propertyGraphs{before: m.Properties.InputDropout, dropout: m.Properties.Dropout}
	h := m.Properties.Similarity
	p.Part("relation graph")
	for l := range m.Properties.Layers {
		name := fmt.Sprintf("graph.%d.", l)
		m.graphs.layers = append(m.graphs.layers, propertyLayer{
			pair: [2]ops.NormedLinear{normed(p, name+"similarity.0", d, 2*h), normed(p, name+"similarity.1", 2*h, h)},
			last: p.Linear(name+"similarity.2", h, 1, true, 0),
			root: p.Linear(name+"root", d, d, true, 0), near: p.Linear(name+"near", d, d, true, 0),
			types: p.Embedding(name+"types", edgeTypes, d),
			norm:  norm(p, name+"norm", d),
		})
	}
}

// edgeTypes is the number of edge types: between molecules, inactive, active and not measured.
const edgeTypes = 4

func normed(p *params.Set, name string, in, out int) ops.NormedLinear {
	w, n := p.Linear(name, in, out, false, 0).W, norm(p, name+".norm", out)
	return ops.NormedLinear{W: w, Gamma: n.Gamma, Beta: n.Beta, Mean: n.Mean, Var: n.Var}
}

func norm(p *params.Set, name string, width int) ops.BatchNorm {
	d := int64(width)
	return ops.BatchNorm{
		Gamma: p.Constant(name+".weight", 1, d), Beta: p.Constant(name+".bias", 0, d),
		Mean: p.Running(name+".mean", 0, d), Var: p.Running(name+".var", 1, d),
	}
}

// addProperties adds the properties of training tasks, with normal initial values as in PyTorch's
// embeddings.
func (m *Learner) addProperties(tasks int) {
	m.tasks = tasks
	if tasks > 0 {
		m.Set.Part("properties")
		m.all = m.Set.Normal("properties", 1, int64(tasks), int64(m.Readout.Width()))
	}
}

// parameters returns all parameters that a task adapts: all except the selector's.
func (m *Learner) parameters() ops.List { return params.Tensors(m.adapted()) }

func (m *Learner) adapted() []params.Parameter {
	return each.If(m.Set.Trained(), func(p params.Parameter) bool { return !ofSelector(p) })
}

// ofAdapted returns the elements of a list over all parameters that belong to adapted ones.
func (m *Learner) ofAdapted(all ops.List) (l ops.List) {
	for i, p := range m.Set.Trained() {
		if !ofSelector(p) {
			l = append(l, all[i])
		}
	}
	return l
}

func ofSelector(p params.Parameter) bool { return strings.HasPrefix(p.Name, selectorPrefix) }

// averages returns the running averages of batch norm.
func (m *Learner) averages() ops.List {
	return params.Tensors(each.If(m.Set.Buffers(), func(p params.Parameter) bool {
		return strings.HasSuffix(p.Name, "norm.mean") || strings.HasSuffix(p.Name, "norm.var")
	}))
}

// Adaptive returns the number of all parameters except the selector's.
func (m *Learner) Adaptive() (n int) {
	for _, p := range m.adapted() {
		n += p.Size()
	}
	return n
}

// ParamGroups gives the selector its learning rate.
func (m *gsmeta) ParamGroups(adam *ops.Adam) error {
	if m.selector == nil || m.Selection.Rate == 1 {
		return nil
	}
	return adam.Share(params.Tensors(each.If(m.Set.Trained(), ofSelector)), m.Selection.Rate)
}

// Check returns an error if a batch lacks data: a training step needs labelled support and queries of
// training tasks, and a step on a support set alone needs its labels.
func (m *Learner) Check(h *data.Batch) error {
	if err := inner.Check(h); err != nil || len(h.QueryMol) == 0 {
		return err
	}
	for _, number := range h.TaskNumber {
		if _, known := m.place[number]; !known {
			return fmt.Errorf("training step: task %d is not one of the %d training tasks", number, m.tasks)
		}
	}
	return nil
}

// auxiliary returns the places of auxiliary training tasks: all, or the number in the settings, drawn at
// random. without is the place of the target, or −1 for a test task.
func (m *Learner) auxiliary(without int, seed uint64) []int {
	limit := cmp.Or(m.Properties.Auxiliary, m.tasks)
	var list []int
	for _, p := range data.Rand(seed, "auxiliary properties", 0).Perm(m.tasks) {
		if p != without && len(list) < limit {
			list = append(list, p)
		}
	}
	return list
}
