package model

import (
	"errors"
	"fmt"
	"math"

	"pacia/data"
	"pacia/data/stratified"
	"pacia/gnn/params"
	"pacia/ops"
)

// descend makes the steps of fine-tuning on m, a copy of a model that no other code uses
// yet.
func (m *Model) descend(support *data.Batch, t Tuning) error {
	o, err := m.optimiser(t)
	if err != nil {
		return err
	}
	defer o.Drop()
	held := holdOut(support, t)
	defer held.drop()
	b := m.method.(Tuner).Examples(held.others)
	for i := range t.Steps {
		o.Rate(t.Rate(i))
		_, err := m.Backward(b, ops.Mode{Key: m.set.Seed}.Site(siteTuning+uint64(i)).Key)
		if err == nil {
			_, err = o.Step()
		}
		var enough bool
		if err == nil {
			enough, err = held.after(m)
		}
		switch {
		case errors.Is(err, ops.ErrNotFinite):
			return fmt.Errorf("fine-tuning, step %d of %d: %w; write a smaller train.finetune.rate than %v%s", i+1, t.Steps, err, t.LearningRate, m.steadier())
		case err != nil:
			return fmt.Errorf("fine-tuning, step %d of %d: %w", i+1, t.Steps, err)
		}
		if enough {
			break
		}
	}
	if err := held.restore(m); err != nil {
		return fmt.Errorf("fine-tuning: %w", err)
	}
	return ops.ForgetGradients(params.Tensors(m.Parameters()))
}

// optimiser returns the method's own optimiser, or Adam with the parameter groups of the method.
func (m *Model) optimiser(t Tuning) (Optimiser, error) {
	if own, ok := m.method.(WithOptimiser); ok {
		return own.Optimiser(t)
	}
	adam, err := ops.NewAdam(params.Tensors(m.Parameters()), ops.AdamOptions{LR: t.LearningRate, ClipNorm: t.ClipNorm})
	if err != nil {
		return nil, err
	}
	if err := m.ParamGroups(adam); err != nil {
		adam.Drop()
		return nil, err
	}
	return adam, nil
}

// heldOut measures the model after each step on molecules of the support set that are held
// out of the steps.
type heldOut struct {
	others   *data.Batch // the other support molecules
	held     *data.Batch // as queries; nil: nothing is held out
	labels   []uint8     // of held
	patience int
	least    float64  // the lowest loss of held so far
	since    int      // steps since then
	best     ops.List // the model's state at that time
}

// holdOut splits a support set in two. Which molecules are held out depends on the set
// alone, not on its order. Nothing is held out if a class has too few molecules.
func holdOut(support *data.Batch, t Tuning) *heldOut {
	l := &heldOut{others: support, patience: t.Patience, least: math.Inf(1)}
	if t.Held == 0 {
		return l
	}
	n, order := support.Support, []int32(nil)
	labels := make([]uint8, len(support.MolPtr))
	for i, molecule := range support.SupportMol {
		order, labels[molecule] = append(order, molecule), support.SupportLabel[i]
	}
	support.SortMolecules(order)
	sorted := make([]uint8, n)
	for i, molecule := range order {
		sorted[i] = labels[molecule]
	}
	held := int(math.Ceil(t.Held * float64(n)))
	first, second, err := stratified.Split(sorted, n-held, held, 0)
	if err != nil {
		return l // a class has too few molecules
	}
	pick := func(positions []int32) (molecules []int32, y []uint8) {
		in := make([]bool, len(labels))
		for _, at := range positions {
			in[order[at]] = true
		}
		for _, molecule := range support.SupportMol { // in this order, inactive first
			if in[molecule] {
				molecules, y = append(molecules, molecule), append(y, labels[molecule])
			}
		}
		return molecules, y
	}
	l.others = support.PickSupport(pick(first))
	l.others.TaskNumber = support.TaskNumber
	molecules, y := pick(second)
	l.held, l.labels = support.PickQueries(molecules), y
	return l
}

// after is called after each step, and reports whether to stop.
func (l *heldOut) after(m *Model) (enough bool, err error) {
	if l.held == nil {
		return false, nil
	}
	loss, err := m.heldLoss(l.others, l.held, l.labels)
	if err != nil {
		return false, err
	}
	if !(loss < l.least) {
		l.since++
		return l.patience > 0 && l.since >= l.patience, nil
	}
	l.least, l.since = loss, 0
	if l.best == nil {
		if l.best, err = ops.ListLike(m.state(), false); err != nil {
			return false, err
		}
	}
	return false, l.best.Copy(m.state())
}

// restore sets the model to its state after the best step.
func (l *heldOut) restore(m *Model) error {
	if l.best == nil {
		return nil
	}
	return m.state().Copy(l.best)
}

func (l *heldOut) drop() { l.best.Drop() }

// state returns all tensors that steps change.
func (m *Model) state() ops.List {
	return append(params.Tensors(m.Parameters()), params.Tensors(m.Buffers())...)
}

// heldLoss returns the mean cross entropy of the queries held, with the current model
// adapted to the support set kept.
func (m *Model) heldLoss(kept, held *data.Batch, labels []uint8) (loss float64, err error) {
	err = ops.WithoutGrad(func() error {
		return ops.InScope(func(s *ops.Scope) {
			task := m.method.Adapt(m.batch(kept, s), s)
			logits := ops.Try(ops.ReadAs[float64](task.Score(m.batch(held, s), s).Logits)).In(s)
			for q, y := range labels {
				by := logits[2*q+1] - logits[2*q]
				if y == 1 {
					by = -by
				}
				loss += (max(by, 0) + math.Log1p(math.Exp(-math.Abs(by)))) / float64(len(labels))
			}
		})
	})
	if err == nil && math.IsNaN(loss) {
		err = fmt.Errorf("the loss of the held-out molecules is %v: %w", loss, ops.ErrNotFinite)
	}
	return loss, err
}

// steadier returns a suggestion of another setting that keeps steps finite: model.norm=support,
// because running averages do not follow a network that fine-tuning changes.
func (m *Model) steadier() string {
	if m.config.Norm == "running" {
		return ", or model.norm=support"
	}
	return ""
}
