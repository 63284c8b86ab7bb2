package maml

import (
	"pacia/data"
	"pacia/gnn/params"
	"pacia/model"
	"pacia/model/shared/descent"
	"pacia/ops"
)

// Legend: B tasks, T inner steps.

// Gradients adds the gradients of the outer loss, or of the loss of a support set alone, and
// returns the loss. It changes the parameters temporarily and restores them, also if it fails.
func (m *maml) Gradients(b *model.Batch, mode ops.Mode, s *ops.Scope) (loss float64) {
	if len(b.Host.QueryMol) == 0 {
		return m.backward(b, mode, s)
	}
	phi := ops.List(params.Tensors(m.Set.Trained()))
	start := descent.Keep(s)(phi.Clone())
	sum := descent.Keep(s)(ops.ListLike(phi, m.inner.Order > 1))
	s.Check(sum.AddGradients(0, phi, 1)) // gradients from before
	var double *model.Model
	if m.inner.Order > 1 {
		d := ops.Try(m.Double()).In(s)
		s.Own(d.Drop)
		double = d
	}
	defer func() {
		// After an error, only the first error is reported.
		_ = phi.Copy(start)
	}()
	support, queries := b.Host.Apart()
	for t := range support {
		p := path{maml: m, double: double, phi: phi, mode: mode.Site(siteTask + uint64(t))}
		s.Check(ops.InScope(func(own *ops.Scope) {
			loss += p.run(support[t], queries[t], own) / float64(len(support))
			own.Check(sum.Add(1, p.v, 1/float64(len(support))))
		}))
		s.Check(phi.Copy(start))
	}
	s.Check(ops.SetGradients(phi, sum))
	return loss
}

// First keys of the dropout masks of tasks, and of the passes of a task.
const (
	siteTask = 1 << 24
	sitePass = 1 << 23
)

// path makes the inner steps of one task.
type path struct {
	*maml
	double *model.Model // for products of order 2
	phi    ops.List     // the parameters, φ_t
	mode   ops.Mode
	v      ops.List // v_t, at the end the gradient by φ_0
}

// run makes the steps on the support. It computes the gradient of the queries' loss by φ_0,
// and returns that loss.
func (p *path) run(support, queries *data.Batch, s *ops.Scope) (loss float64) {
	step := descent.New(p.phi, p.inner.Rate, 0)
	seen := p.Place(support, s)
	var before []ops.List // φ_0 … φ_{T−1}
	for t := range p.inner.Steps {
		if p.double != nil {
			before = append(before, descent.Keep(s)(p.phi.Clone()))
		}
		s.Check(ops.ForgetGradients(p.phi))
		p.backward(seen, p.pass(t), s)
		ops.Try(step.Step()).In(s)
	}
	s.Check(ops.ForgetGradients(p.phi))
	loss = p.backward(p.Place(queries, s), p.pass(p.inner.Steps), s)
	p.v = descent.Keep(s)(ops.ListLike(p.phi, p.double != nil))
	s.Check(p.v.AddGradients(0, p.phi, 1))
	for t := len(before) - 1; t >= 0; t-- {
		product := p.product(support, before[t], p.pass(t), s)
		s.Check(p.v.Add(1, product, -p.inner.Rate))
	}
	return loss
}

// pass returns the mode of pass t over the network: T inner steps, then the queries.
func (p *path) pass(t int) ops.Mode { return p.mode.Site(sitePass + uint64(t)) }

// distance is the distance of both sides of a difference from the parameters. In double
// precision 1e-6 leaves an error of 1e-10, and is so small that a ReLU rarely changes sides.
const distance = 1e-6

// product returns ∇²L(φ)·v of the support's loss at φ, with the dropout masks of mode, as the
// difference of gradients in double precision on both sides of φ.
func (p *path) product(support *data.Batch, at ops.List, mode ops.Mode, s *ops.Scope) ops.List {
	d := p.double.Method().(*maml)
	b := d.Place(support, s)
	return descent.Product(params.Tensors(d.Set.Trained()), at, p.v, distance, func() { d.backward(b, mode, s) }, s)
}

func (m *maml) backward(b *model.Batch, mode ops.Mode, s *ops.Scope) float64 {
	t := m.Loss(b, mode, s)
	loss := ops.Try(ops.Number(t)).In(s)
	s.Check(ops.Backward(t))
	return loss
}
