package adkf

import (
	"github.com/sugarme/gotch/ts"

	"pacia/gnn"
	"pacia/model"
	"pacia/ops"
)

// Legend: N support molecules of a task, Q queries, d width of a molecule's vector.

// Spec is ADKF-IFT's line in the table of methods. Its fit reads the vectors on the
// CPU, so that steps on a GPU cannot be recorded.
var Spec = model.Spec{
	Name: "adkf", Title: "ADKF-IFT",
	Source:   "Chen, Tripp and Hernández-Lobato: Meta-learning Adaptive Deep Kernel Gaussian Processes for Molecular Property Prediction, ICLR 2023",
	Traits:   model.Traits{ReadsHost: true, CachesStates: true, Approximates: true},
	Settings: ForPreset,
	New: func(b *model.Body, c model.Config, _ []int) (model.Method, error) {
		return &adkf{b, c.Own.(Settings)}, b.AddAll()
	},
}

// adkf is the method. Only the encoder has parameters.
type adkf struct {
	*model.Body
	Settings
}

// Adaptive is 3: the noise, the scale and the length scale of a task's process.
func (*adkf) Adaptive() int { return 3 }

// Loss is the mean over tasks of −log N(t_Q; m, V).
func (a *adkf) Loss(b *model.Batch, m ops.Mode, s *ops.Scope) *ts.Tensor {
	read, _ := a.Encode(b, m, nil, s)
	return s.Keep(processLoss(processTasks{
		support: read.Of(b.SupportMol, s), query: read.Of(b.QueryMol, s),
		supportLabel: b.SupportLabel, queryLabel: b.QueryLabel, queryTask: b.QueryTask, n: b.Host.Support,
	}, a.order()))
}

// task is the result of adapting to a support set.
type task struct {
	*adkf
	stats   []*gnn.Stats
	vectors *ts.Tensor // [N, d]
	process *process
}

func (a *adkf) Adapt(support *model.Batch, s *ops.Scope) model.Task {
	read, stats := a.Encode(support, ops.Mode{}, nil, s)
	t := &task{adkf: a, stats: stats, vectors: read.Of(support.SupportMol, s)}
	t.process = ops.Try(fitProcess(t.vectors, support.SupportLabel, nil)).In(s)
	s.Own(t.process.drop)
	return t
}

func (t *task) Score(queries *model.Batch, s *ops.Scope) model.Scores {
	read, _ := t.Encode(queries, ops.Mode{}, t.stats, s)
	return model.Scores{Logits: s.Keep(t.process.logits(t.vectors, read.Of(queries.QueryMol, s))), Layers: 1}
}
