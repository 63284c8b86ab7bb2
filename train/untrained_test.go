package train

import (
	"context"
	"path/filepath"
	"slices"
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/model"
	"pacia/model/methods"
	"pacia/ops"
	"pacia/run/rundir"
)

// sizes is a method without a network: it ranks molecules by their place in a batch.
type sizes struct{ *model.Body }

func (sizes) Loss(*model.Batch, ops.Mode, *ops.Scope) *ts.Tensor { panic("nothing is trained") }
func (sizes) Adaptive() int                                      { return 0 }
func (m sizes) Adapt(*model.Batch, *ops.Scope) model.Task        { return m }

func (m sizes) Score(queries *model.Batch, s *ops.Scope) model.Scores {
	logits := make([]float32, 2*len(queries.Host.QueryMol))
	for q := range queries.Host.QueryMol {
		logits[2*q+1] = float32(queries.Host.MolPtr[q+1] - queries.Host.MolPtr[q])
	}
	return model.Scores{Logits: s.Keep(ops.New(logits, []int64{int64(len(logits) / 2), 1, 2}, m.Set.Device)), Layers: 1}
}

// TestMethodWithoutTraining: a method with nothing to train, and no network at all, is
// evaluated by a run without episodes, saved, loaded and resumed; episodes are refused.
func TestMethodWithoutTraining(t *testing.T) {
	table := methods.All
	t.Cleanup(func() { methods.All = table })
	methods.All = slices.Concat(table, []model.Spec{{
		Name: "sizes", Title: "Sizes", Source: "this test", Traits: model.Traits{Untrained: true},
		Settings: func(string) model.Settings { return model.NoSettings{} },
		New:      func(b *model.Body, _ model.Config, _ []int) (model.Method, error) { return sizes{b}, nil },
	}})
	c := tinyConfig(t)
	var err error
	if c.Model, err = methods.ForPreset(model.Paper, "sizes"); err != nil {
		t.Fatal(err)
	}
	if err := c.Validate(); err == nil || err.Error() != "train.episodes: model.method=sizes has nothing to train; write 0" {
		t.Errorf("with episodes: %v", err)
	}
	c.Train.Episodes = 0
	dir, rec := t.TempDir(), &recorder{}
	s, err := Run(context.Background(), c, dir, false, rec)
	if err != nil {
		t.Fatal(err)
	}
	if len(rec.steps) != 0 || len(rec.evaluations) != 1 || rec.start.Adaptive != 0 {
		t.Errorf("%d steps, %d evaluations", len(rec.steps), len(rec.evaluations))
	}
	// One of the tasks is of long molecules.
	if s.Last[0] < 0.6 {
		t.Errorf("ROC-AUC %v", s.Last[0])
	}
	if _, err := Run(context.Background(), c, dir, true, &recorder{}); err != nil {
		t.Errorf("resumed: %v", err)
	}
	err = ops.Pinned(1, func() error {
		m, _, err := load(filepath.Join(dir, rundir.BestFile))
		if err == nil {
			m.Drop()
		}
		return err
	})
	if err != nil {
		t.Errorf("loaded: %v", err)
	}
}
