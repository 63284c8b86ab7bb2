package pintuning

import (
	"cmp"
	"errors"
	"strings"

	"pacia/gnn/params"
	"pacia/model"
	"pacia/model/gsmeta"
)

// Spec is Pin-Tuning's line in the table of methods.
var Spec = model.Spec{
	Name: "pintuning", Title: "Pin-Tuning",
	Source: "Wang et al.: Pin-Tuning: Parameter-Efficient In-Context Tuning for Few-Shot Molecular Property Prediction, NeurIPS 2024",
	Traits: model.Traits{
		Tunes: true, Compares: true, ReadsHost: true, Twice: true, OwnGradients: true, OwnOptimiser: true, Memory: true,
		SeenMolecules: true, ChecksBatches: true,
	},
	Tuning:   model.Tuning{Steps: 1, LearningRate: rate},
	Settings: ForPreset,
	New: func(b *model.Body, c model.Config, tasks []int) (model.Method, error) {
		return newPinTuning(b, c, tasks)
	},
}

// pinTuning is the method.
type pinTuning struct{ *gsmeta.Learner }

func newPinTuning(b *model.Body, c model.Config, tasks []int) (*pinTuning, error) {
	own := c.Own.(Settings)
	b.RowPerAtom = true // an atom's state depends on its molecule's context
	add := b.AddEncoder
	if c.Pretrained != "" {
		add = func() error { return b.Set.Frozen(b.AddEncoder) }
	}
	if err := cmp.Or(add(), b.AddReadout()); err != nil {
		return nil, err
	}
	encoder, ok := b.Encoder.(parts)
	if !ok {
		return nil, errors.New("pintuning: the encoder gives no access to its layers")
	}
	var failed error
	l, err := gsmeta.NewLearner(b, c, tasks, own.learning(), func(*params.Set, int) gsmeta.Network {
		n, err := newNetwork(b, encoder, c, own.Adapter.Width)
		failed = err
		return n
	})
	if err := cmp.Or(err, failed); err != nil {
		return nil, err
	}
	l.Consolidate = gsmeta.Consolidation{Weight: own.Adapter.Consolidation, Of: func(p params.Parameter) bool {
		return strings.HasPrefix(p.Name, tablePrefix)
	}}
	return &pinTuning{l}, nil
}
