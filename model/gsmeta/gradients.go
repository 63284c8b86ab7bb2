package gsmeta

import (
	"fmt"
	"math"
	"slices"

	"github.com/sugarme/gotch/ts"

	"pacia/gnn/params"
	"pacia/model"
	"pacia/model/shared/inner"
	"pacia/ops"
)

// Legend: E chosen episodes of a step, d width of a vector.

// Gradients adds the gradients of the outer loss, or of the loss of a support set alone in
// evaluation mode, and returns the loss. It changes the parameters temporarily and restores
// them, also if it fails.
func (m *Learner) Gradients(b *model.Batch, mode ops.Mode, s *ops.Scope) float64 {
	if len(b.Host.QueryMol) == 0 {
		loss := m.Loss(b, ops.Mode{}, s)
		value := ops.Try(ops.Number(loss)).In(s)
		s.Check(ops.Backward(loss))
		return value
	}
	step := m.newStep(b, mode)
	step.Step = inner.Begin(m.Adaptation, params.Tensors(m.Set.Trained()), m.parameters(), false, s)
	defer step.Restore()
	if m.Adaptation.Order > 1 {
		step.twin = m.double(s)
	}
	if m.selector != nil {
		step.choose(s)
	}
	loss := step.learn(s)
	step.Restore()
	if m.selector != nil {
		m.selector.learn(step.vectors, step.chosen, step.contrast, m, s)
		s.Check(step.Sum.AddGradients(1, params.Tensors(m.Set.Trained()), 1))
	}
	step.End(s)
	return loss
}

// step holds the data of one training step.
type step struct {
	*Learner
	*inner.Step
	mode     ops.Mode
	episodes []episode
	tasks    [][]int             // episodes of each task of the batch
	chosen   [][]int             // episodes of each chosen task
	vectors  [][]float64         // of all episodes, the input of the selector
	twin     *Learner            // in double precision, for products of the second order; nil: first order
	paths    map[int]*inner.Path // by episode
	contrast float64             // the loss between graphs, or 0
}

// newStep returns the step of a batch, with all of its tasks chosen.
func (m *Learner) newStep(b *model.Batch, mode ops.Mode) *step {
	t := &step{Learner: m, mode: mode, paths: map[int]*inner.Path{}}
	support, queries := b.Host.Apart()
	at := map[int]int{}
	for i := range support {
		place := m.place[b.Host.TaskNumber[i]]
		e := episode{support: support[i], queries: queries[i], place: place}
		// Both episodes of a task have the same auxiliary tasks.
		e.auxiliary = m.auxiliary(place, mode.Site(uint64(place)).Key)
		t.episodes = append(t.episodes, e)
		if _, there := at[place]; !there {
			at[place] = len(t.tasks)
			t.tasks = append(t.tasks, nil)
		}
		t.tasks[at[place]] = append(t.tasks[at[place]], i)
	}
	t.chosen = t.tasks
	return t
}

// choose draws the tasks to learn from by the vectors of their graphs with the target alone, before
// the inner steps, in evaluation mode.
func (t *step) choose(s *ops.Scope) {
	for _, e := range t.episodes {
		e.auxiliary = nil
		t.vectors = append(t.vectors, t.vector(e, ops.Mode{}, s))
	}
	p := ops.Try(ops.ReadAs[float64](t.selector.probabilities(t.vectors, t.Learner, s))).In(s)
	if slices.ContainsFunc(p, math.IsNaN) {
		s.Check(fmt.Errorf("the choice of tasks: %w", ops.ErrNotFinite))
	}
	t.chosen = nil
	for _, task := range t.selector.choose(p, t.tasks, t.mode.Key) {
		t.chosen = append(t.chosen, t.tasks[task])
	}
}

// vector returns the vector of an episode's graphs [d]. It keeps no tensors of the pass.
func (m *Learner) vector(e episode, mode ops.Mode, s *ops.Scope) (v []float64) {
	s.Check(ops.WithoutGrad(func() error {
		return ops.InScope(func(own *ops.Scope) {
			_, vector := m.queryLoss(e, mode, own)
			v = ops.Try(ops.ReadAs[float64](vector)).In(own)
		})
	}))
	return v
}

// learn makes the inner steps of each chosen episode. At the adapted parameters, it adds the
// gradients of the loss of the queries and of the loss between graphs to the sum. It returns
// (1/E) Σ L_e + weight · contrast.
func (t *step) learn(s *ops.Scope) (loss float64) {
	adapted, slopes := t.compare(s)
	episodes := slices.Concat(t.chosen...)
	all := params.Tensors(t.Set.Trained())
	for _, e := range episodes {
		if phi, there := adapted[e]; there {
			s.Check(t.parameters().Copy(phi))
		} else {
			t.adapt(e, s)
		}
		s.Check(ops.InScope(func(own *ops.Scope) {
			loss += t.back(e, slopes[e], len(episodes), own) / float64(len(episodes))
			if t.Adaptation.Order > 1 {
				loss += t.through(e, 1/float64(len(episodes)), own)
			} else {
				own.Check(t.Sum.AddGradients(1, all, 1))
			}
			own.Check(ops.ForgetGradients(all))
		}))
	}
	return loss + t.Contrast.Weight*t.contrast
}

// compare contrasts the graphs of the first two episodes of each chosen task, by a pass over their
// queries that does not change the running averages. It returns the adapted parameters of these
// episodes and the gradients by their vectors, or nil if a task has one episode only.
func (t *step) compare(s *ops.Scope) (adapted map[int]ops.List, slopes map[int][]float64) {
	var list []int
	for _, episodes := range t.chosen {
		if len(episodes) < 2 || t.Contrast.Weight == 0 {
			return nil, nil
		}
		list = append(list, episodes[:2]...)
	}
	adapted, slopes = map[int]ops.List{}, map[int][]float64{}
	var vectors [][]float64
	for _, e := range list {
		t.adapt(e, s)
		adapted[e] = inner.Keep(s)(t.parameters().Clone())
		before := inner.Keep(s)(t.averages().Clone())
		vectors = append(vectors, t.vector(t.episodes[e], t.of(e, t.Adaptation.Steps), s))
		s.Check(t.averages().Copy(before))
	}
	var gradients [][]float64
	t.contrast, gradients = contrast(vectors, t.Contrast.Temperature)
	for i, e := range list {
		slopes[e] = gradients[i]
	}
	return adapted, slopes
}

// of returns the mode of pass i of an episode.
func (t *step) of(e, i int) ops.Mode { return inner.Mode(t.mode, e, i) }

// adapt makes the inner steps of an episode, from the parameters before the training step.
func (t *step) adapt(e int, s *ops.Scope) {
	t.paths[e] = t.Descend(func(pass int) { t.slope(e, pass, t.Learner, s) }, s)
}

// slope adds the gradients of the loss of an episode's support, in a pass on the network m.
func (t *step) slope(e, pass int, m *Learner, s *ops.Scope) {
	s.Check(ops.InScope(func(own *ops.Scope) { own.Check(ops.Backward(m.supportLoss(t.episodes[e], t.of(e, pass), own))) }))
}

// back adds the gradients of an episode's share of the loss, and returns the loss of its queries.
func (t *step) back(e int, slope []float64, n int, s *ops.Scope) (value float64) {
	s.Check(ops.InScope(func(pass *ops.Scope) {
		loss, vector := t.queryLoss(t.episodes[e], t.of(e, t.Adaptation.Steps), pass)
		value = ops.Try(ops.Number(loss)).In(pass)
		total := pass.Times(loss, 1/float64(n))
		if slope != nil {
			by := t.Vector(scaled(slope, t.Contrast.Weight), pass)
			product := pass.Call("product", func() (*ts.Tensor, error) { return vector.Mul(by, false) })
			along := pass.Call("sum", func() (*ts.Tensor, error) { return product.Sum(product.DType(), false) })
			total = pass.Keep(ops.Total(total, along))
		}
		pass.Check(ops.Backward(total))
	}))
	return value
}
