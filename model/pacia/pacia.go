package pacia

import (
	"fmt"
	"strings"

	"github.com/sugarme/gotch/ts"

	"pacia/gnn/params"
	"pacia/internal/each"
	"pacia/model"
	"pacia/model/shared/means"
	"pacia/model/shared/predictor"
	"pacia/ops"
)

// Legend: B tasks, N support molecules of a task, Q queries, d' width of a
// molecule's vector, d_R of the relation graph's nodes.

// Spec is PACIA's line in the table of methods.
var Spec = model.Spec{
	Name: "pacia", Title: "PACIA",
	Source:   "Wu, Wang and Yao: PACIA: Parameter-Efficient Adapter for Few-Shot Molecular Property Prediction, IJCAI 2024",
	Traits:   model.Traits{Stages: true, Depth: true, CachesStates: true, ParamGroups: true},
	Settings: ForPreset,
	New:      func(b *model.Body, c model.Config, _ []int) (model.Method, error) { return newPacia(b, c) },
}

// Names under which the hypernetworks are counted.
const (
	partTask  = "encoder hypernetwork"
	partQuery = "predictor hypernetwork"
)

// pacia is the method with its parameters.
type pacia struct {
	*model.Body
	*predictor.Predictor
	settings Settings
	width    int          // d, of atom embeddings
	task     []adapter    // [L_enc]; L_enc times the same one if it is shared; empty: the encoder is not adapted
	query    adapter      // one for all relation layers
	means    *means.Means // in place of the predictor, or nil
	beside   *beside      // its logits are added to those of the predictor, or nil
	trace    *trace       // for tests; nil records nothing
}

func newPacia(b *model.Body, c model.Config) (*pacia, error) {
	p := &pacia{Body: b, settings: c.Own.(Settings), width: c.Width}
	b.RowPerAtom = adapts(p.settings.Adapt.Encoder, "D")
	if err := b.AddEncoder(); err != nil {
		return nil, err
	}
	p.addTaskAdapters(c.Layers)
	if err := b.AddReadout(); err != nil {
		return nil, err
	}
	if p.settings.Head == headMeans {
		head := means.Angles(b.Set)
		p.means = &head
		return p, nil
	}
	p.Predictor = predictor.New(b.Set, p.settings.Settings, b.Readout.Width())
	b.Set.Part(partQuery)
	p.query = queryAdapter(b.Set, p.settings)
	p.AddClassifier(b.Set, p.settings.Settings, p.settings.Beside != besideNone)
	p.beside = newBeside(b, p.settings.Beside)
	return p, nil
}

func (p *pacia) addTaskAdapters(layers int) {
	if p.settings.Adapt.Encoder == "none" {
		return
	}
	p.Set.Part(partTask)
	for l := range layers {
		if p.settings.Hyper.Share && l > 0 {
			p.task = append(p.task, p.task[0])
			continue
		}
		p.task = append(p.task, taskAdapter(p.Set, p.settings, p.width, fmt.Sprintf("task.%d", l)))
	}
}

// Adaptive returns the size of the output of the encoder's hypernetworks for its L_enc layers.
// It does not include the output of the predictor's hypernetwork for each query.
func (p *pacia) Adaptive() int {
	return p.Encoder.Layers() * outputs(p.settings.Adapt.Encoder, p.width)
}

// ParamGroups gives the encoder and its readout their learning rate.
func (p *pacia) ParamGroups(adam *ops.Adam) error {
	if p.settings.EncoderRate == 1 {
		return nil
	}
	body := each.If(p.Set.Trained(), func(t params.Parameter) bool {
		return strings.HasPrefix(t.Name, model.EncoderPrefix) || strings.HasPrefix(t.Name, model.ReadoutPrefix)
	})
	return adam.Share(params.Tensors(body), p.settings.EncoderRate)
}

// Loss returns the loss of Eq. 12.
func (p *pacia) Loss(b *model.Batch, m ops.Mode, s *ops.Scope) *ts.Tensor {
	read, _ := p.encode(b, m, nil, s)
	supportMean := read.Of(b.SupportMol, s)
	if p.means != nil {
		logits := p.means.Logits(b, supportMean, b, read.Of(b.QueryMol, s), s)
		return b.Loss(logits, nil, ops.LossLast, s).Loss
	}
	support := p.Project(supportMean, s)
	queryMean := read.Of(b.QueryMol, s)
	query := p.Project(queryMean, s)
	p.trace.embeddings(supportMean, queryMean, support, query)
	g := predictor.GraphsOf(b, support, b, query)
	r := p.relate(g, m, p.trace != nil, s)
	p.trace.relation(r)
	return p.loss(r, g, b, p.beside.of(b, supportMean, s).logits(b, queryMean, s), s)
}

// task is the result of adapting to a support set.
type task struct {
	*pacia
	support  *model.Batch
	mods     []modulation
	nodes    *ts.Tensor // [N, d_R], or [N, d'] with model.head=means
	compared *reference // or nil
}

func (p *pacia) Adapt(support *model.Batch, s *ops.Scope) model.Task {
	read, mods := p.encode(support, ops.Mode{}, nil, s)
	vectors := read.Of(support.SupportMol, s)
	if p.means != nil {
		return &task{p, support, mods, vectors, nil}
	}
	return &task{p, support, mods, p.Project(vectors, s), p.beside.of(support, vectors, s)}
}

// Score returns the predictions for Q queries, given the support set (Eq. 3).
func (t *task) Score(queries *model.Batch, s *ops.Scope) model.Scores {
	read, _ := t.encode(queries, ops.Mode{}, t.mods, s)
	vectors := read.Of(queries.QueryMol, s)
	if t.means != nil {
		return model.Scores{Logits: t.means.Logits(t.support, t.nodes, queries, vectors, s), Layers: 1}
	}
	g := predictor.GraphsOf(t.support, t.nodes, queries, t.Project(vectors, s))
	return t.decide(t.relate(g, ops.Mode{}, false, s), g, t.compared.logits(queries, vectors, s), s)
}
