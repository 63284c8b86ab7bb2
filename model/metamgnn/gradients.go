package metamgnn

import (
	"fmt"

	"pacia/data"
	"pacia/model"
	"pacia/model/shared/descent"
	"pacia/ops"
)

// Legend: d width of an atom's state.

// Check returns an error if a batch lacks data: a training step needs labelled support and
// queries, and a step on a support set alone needs its labels.
func (m *metamgnn) Check(h *data.Batch) error {
	if len(h.QueryMol) > 0 {
		return model.CheckEpisodes(h)
	}
	if h.Tasks != 1 || h.Support == 0 || len(h.SupportLabel) != h.Support {
		return fmt.Errorf("step on a support set: %d tasks of %d molecules with %d labels; one task is needed, and all labels",
			h.Tasks, h.Support, len(h.SupportLabel))
	}
	return nil
}

// Gradients adds the gradients of the outer loss, or of the loss of a support set alone in
// evaluation mode, and returns the loss. It changes the parameters temporarily and restores
// them, also if it fails.
func (m *metamgnn) Gradients(b *model.Batch, mode ops.Mode, s *ops.Scope) float64 {
	if len(b.Host.QueryMol) == 0 {
		mode.Training = false
		loss, _, err := m.pass(b.Host, mode)
		s.Check(err)
		return loss
	}
	phi, all := m.own(), m.all()
	start := descent.Keep(s)(phi.Clone())
	sum := descent.Keep(s)(ops.ListLike(all, false))
	s.Check(sum.AddGradients(0, all, 1)) // gradients from before
	defer func() {
		// After an error, only the first error is reported.
		_ = phi.Copy(start)
	}()
	support, queries := b.Host.Apart()
	var paths []path
	for t := range support {
		p := path{metamgnn: m, mode: mode.Site(siteTask + uint64(t)), gradient: descent.Keep(s)(ops.ListLike(all, false))}
		s.Check(p.run(support[t], queries[t]))
		s.Check(phi.Copy(start))
		paths = append(paths, p)
	}
	s.Check(ops.ForgetGradients(all))
	loss, weights := m.weigh(paths, s)
	s.Check(sum.AddGradients(1, all, 1)) // gradients of the attention
	for t, p := range paths {
		s.Check(sum.Add(1, p.gradient, weights[t]/float64(len(paths))))
	}
	s.Check(ops.SetGradients(all, sum))
	return loss
}

// First keys: of tasks, and of a task's passes over the support and then the queries.
const (
	siteTask = 1 << 24
	sitePass = 1 << 23
)

// path makes the inner steps of one task, and holds their results.
type path struct {
	*metamgnn
	mode     ops.Mode
	gradient ops.List  // of the queries' loss, by all parameters
	loss     float64   // Q_t
	vector   []float64 // e_t [d]; nil without attention
}

// run makes the steps on the support, and computes the gradient of the queries' loss. It leaves
// the parameters adapted.
func (p *path) run(support, queries *data.Batch) error {
	step := descent.New(p.own(), p.Adaptation.Rate, 0)
	for i := range p.Adaptation.Steps {
		if err := ops.ForgetGradients(p.all()); err != nil {
			return err
		}
		_, vector, err := p.pass(support, p.mode.Site(sitePass+uint64(i)))
		if err != nil {
			return err
		}
		if i == 0 {
			p.vector = vector
		}
		if _, err := step.Step(); err != nil {
			return err
		}
	}
	if err := ops.ForgetGradients(p.all()); err != nil {
		return err
	}
	var err error
	if p.loss, _, err = p.pass(queries, p.mode.Site(sitePass+uint64(p.Adaptation.Steps))); err != nil {
		return err
	}
	return p.gradient.AddGradients(0, p.all(), 1)
}

// pass makes a pass over the mini-batches of labelled molecules. It adds the gradients of the
// sum of their losses, and returns that sum and the vector e of the task, nil without attention.
func (m *metamgnn) pass(h *data.Batch, mode ops.Mode) (loss float64, vector []float64, err error) {
	for i, part := range m.minibatches(h, data.Rand(mode.Key, stream, 1)) {
		err = ops.InScope(func(s *ops.Scope) {
			l, states := m.loss(part, mode.Site(uint64(i)), s)
			value := ops.Try(ops.Number(l)).In(s)
			loss += value
			if m.Weighting.Hidden > 0 {
				vector = m.halved(vector, states, s)
			}
			s.Check(ops.Backward(l))
		})
		if err != nil {
			return loss, nil, err
		}
	}
	return loss, vector, nil
}
