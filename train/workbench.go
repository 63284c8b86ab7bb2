package train

import (
	"context"
	"errors"
	"slices"

	"pacia/data"
	"pacia/evaluate"
	"pacia/run/runconfig"
)

// A Workbench exposes the parts of a run for measurements: its batches, steps and
// evaluations, in any order and any number. It writes no files. All methods must
// be called from within ops.Pinned.
type Workbench struct {
	StartInfo
	run *run
}

// OpenWorkbench opens the data set and builds the model that cfg names.
func OpenWorkbench(ctx context.Context, cfg runconfig.Config) (*Workbench, error) {
	w := &Workbench{run: &run{cfg: cfg}}
	err := cfg.Validate()
	cfg.SetPrecision()
	if err == nil {
		err = w.run.openData(ctx, &w.StartInfo)
	}
	if err == nil {
		w.run.learner, err = newTrainee(cfg, w.run.tasks.learned)
	}
	if err == nil && cfg.Model.Pretrained != "" {
		err = w.run.learner.StartFrom(cfg.Model.Pretrained)
	}
	if err != nil {
		return nil, errors.Join(err, w.run.Close())
	}
	w.Parameters, w.Adaptive = w.run.learner.Parts()
	w.Device = cfg.Device
	return w, nil
}

// Close releases the model and the data set.
func (w *Workbench) Close() error { return w.run.Close() }

// Draw returns the batch of a step, counted from 1, as a run with that number of
// tasks per step and shots would draw it. If tasks exceeds the number of training
// tasks, they repeat with other molecules.
func (w *Workbench) Draw(step, tasks, shots int) (*data.Batch, error) {
	e := w.run.episodes
	e.perStep, e.rule.Shots = tasks, shots
	drawn, err := e.draw(step)
	if err == nil {
		w.run.learner.Prepare(drawn.Batch)
	}
	return drawn.Batch, err
}

// Step makes one optimisation step. Its dropout masks are a function of key.
func (w *Workbench) Step(b *data.Batch, key uint64) (loss float64, err error) {
	if err := w.run.learner.Submit(b, key); err != nil {
		return 0, err
	}
	outcomes, err := w.run.learner.Collect()
	if err != nil {
		return 0, err
	}
	return outcomes[0].Loss, refused(outcomes[0])
}

// DrawTest returns the episode of test task i with one of every given number of its
// queries, sorted from the smallest molecule to the largest.
func (w *Workbench) DrawTest(i, every int) (data.Episode, error) {
	o := evaluate.OptionsOf(w.run.cfg, 0)
	o.ShuffleLabels = false
	ep, err := o.Draw(w.run.data, w.run.tasks.test[i], 0)
	if err != nil {
		return data.Episode{}, err
	}
	some := ep
	some.Query, some.QueryLabels = nil, nil
	for n, at := range evaluate.BySize(w.run.data.Store, ep.Query) {
		if n%every == 0 {
			some.Query = append(some.Query, ep.Query[at])
			some.QueryLabels = append(some.QueryLabels, ep.QueryLabels[at])
		}
	}
	return some, nil
}

// Assemble returns the batch of an episode of a test task.
func (w *Workbench) Assemble(ep data.Episode) (*data.Batch, error) {
	return data.Assemble(w.run.data.Store, []data.Episode{ep})
}

// Rank adapts the model to the support set of ep and returns P(active) of its queries, as
// an evaluation does with each task.
func (w *Workbench) Rank(ctx context.Context, ep data.Episode) ([]float32, error) {
	a, err := w.Adapt(ep)
	if err != nil {
		return nil, err
	}
	defer a.Drop()
	return w.Score(ctx, a, ep.Query)
}

// Adapt adapts the model to the support set of ep.
func (w *Workbench) Adapt(ep data.Episode) (evaluate.Adapted, error) {
	support, err := data.AssembleSupport(w.run.data.Store, ep)
	if err != nil {
		return nil, err
	}
	return w.run.learner.Adapt(support)
}

// Score returns P(active) of molecules of the data set.
func (w *Workbench) Score(ctx context.Context, a evaluate.Adapted, rows []int32) ([]float32, error) {
	scores, _, err := evaluate.Rank(ctx, a, &w.run.limit, w.run.data.Store, rows)
	return scores, err
}

// Candidates returns up to most molecules of the data set that are not in the support set of
// ep, evenly spaced in size, from the smallest to the largest. They need not be molecules of
// the task.
func (w *Workbench) Candidates(ep data.Episode, most int) []int32 {
	var rows, some []int32
	for row := range int32(w.run.data.Store.Len()) {
		if !slices.Contains(ep.Support, row) {
			rows = append(rows, row)
		}
	}
	n := min(most, len(rows))
	sizes := evaluate.BySize(w.run.data.Store, rows)
	for k := range n {
		some = append(some, rows[sizes[k*len(rows)/n]])
	}
	return some
}
