package finetune

import (
	"github.com/sugarme/gotch/ts"

	"pacia/data"
	"pacia/gnn"
	"pacia/model"
	"pacia/model/shared/predictor"
	"pacia/ops"
)

// Legend: N support molecules of a task, d_R width of the relation graph's nodes.

// Spec is fine-tuning's line in the table of methods.
var Spec = model.Spec{
	Name: "finetune", Title: "Fine-tuning",
	Source:   "the comparison of adaptations of PACIA's paper (Figure 2a)",
	Traits:   model.Traits{Tunes: true, CachesStates: true},
	Settings: func(preset string) model.Settings { return predictor.ForPreset(preset == model.Paper) },
	New:      func(b *model.Body, c model.Config, _ []int) (model.Method, error) { return newFinetune(b, c) },
}

// finetune is the method with its parameters.
type finetune struct {
	*model.Body
	*predictor.Predictor
}

func newFinetune(b *model.Body, c model.Config) (*finetune, error) {
	if err := b.AddAll(); err != nil {
		return nil, err
	}
	own := c.Own.(predictor.Settings)
	f := &finetune{b, predictor.New(b.Set, own, b.Readout.Width())}
	f.AddClassifier(b.Set, own, false)
	return f, nil
}

// Adaptive returns the number of all parameters.
func (f *finetune) Adaptive() int { return f.Set.Size() }

// Begin does nothing.
func (f *finetune) Begin() error { return nil }

// Examples returns the support set with its molecules also as queries.
func (f *finetune) Examples(support *data.Batch) *data.Batch { return model.AsQueries(support) }

// Loss returns the cross entropy after the last relation layer.
func (f *finetune) Loss(b *model.Batch, m ops.Mode, s *ops.Scope) *ts.Tensor {
	read, _ := f.Encode(b, m, nil, s)
	support := f.Project(read.Of(b.SupportMol, s), s)
	query := f.Project(read.Of(b.QueryMol, s), s)
	logits := f.last(predictor.GraphsOf(b, support, b, query), m, s)
	return b.Loss(logits, nil, ops.LossLast, s).Loss
}

// last classifies after the last layer of the relation graph.
func (f *finetune) last(g predictor.Graphs, m ops.Mode, s *ops.Scope) *ts.Tensor {
	layers, _ := f.Relate(g, m, nil, false, s)
	return f.Logits(layers[f.Layers-1:], g, s)
}

// task is the result of adapting to a support set.
type task struct {
	*finetune
	support *model.Batch
	stats   []*gnn.Stats
	nodes   *ts.Tensor // [N, d_R]
}

func (f *finetune) Adapt(support *model.Batch, s *ops.Scope) model.Task {
	read, stats := f.Encode(support, ops.Mode{}, nil, s)
	return &task{f, support, stats, f.Project(read.Of(support.SupportMol, s), s)}
}

func (t *task) Score(queries *model.Batch, s *ops.Scope) model.Scores {
	read, _ := t.Encode(queries, ops.Mode{}, t.stats, s)
	g := predictor.GraphsOf(t.support, t.nodes, queries, t.Project(read.Of(queries.QueryMol, s), s))
	return model.Scores{Logits: t.last(g, ops.Mode{}, s), Layers: t.Layers}
}
