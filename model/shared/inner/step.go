package inner

import "pacia/ops"

// Settings are the settings of the inner steps.
type Settings struct {
	Steps int     `yaml:"steps" range:"1 16" doc:"gradient steps on the support set in training"`
	Rate  float64 `yaml:"rate" range:"(0 10]" doc:"α, learning rate of these steps"`
	Order int     `yaml:"order" range:"1 2" doc:"1: first-order gradients; 2: gradients through these steps"`
}

// Step is a training step. The parameters of each of its tasks begin at φ_0.
type Step struct {
	Settings
	// Sum holds the gradients that the step adds up, by all parameters: at first those from before.
	Sum          ops.List
	Start        ops.List // φ_0
	all, adapted ops.List // the parameters, and φ among them
}

// Begin begins a training step. double is the precision of the sum.
func Begin(c Settings, all, adapted ops.List, double bool, s *ops.Scope) *Step {
	return &Step{Settings: c, all: all, adapted: adapted, Start: Keep(s)(adapted.Clone()), Sum: Gradients(all, double, s)}
}

// Restore sets φ_0. It is deferred: after an error, only the first error is reported.
func (t *Step) Restore() { _ = t.adapted.Copy(t.Start) }

// End sets φ_0, and the gradients of the parameters to the sum.
func (t *Step) End(s *ops.Scope) {
	s.Check(t.adapted.Copy(t.Start))
	s.Check(ops.SetGradients(t.all, t.Sum))
}

// Path is the inner steps of one task.
type Path struct {
	step   *Step
	before []ops.List // φ_0 … φ_{T−1}; for order 2 alone
}

// Descend makes the inner steps of a task. backward adds the gradients of L_S to the parameters, in each pass t from 0
// to T−1. Descend leaves φ_T, and no gradients.
func (t *Step) Descend(backward func(pass int), s *ops.Scope) *Path {
	s.Check(t.adapted.Copy(t.Start))
	p, down := &Path{step: t}, descent{params: t.adapted, rate: t.Rate}
	for pass := range t.Steps {
		switch {
		case t.Order == 1:
		case pass == 0:
			p.before = append(p.before, t.Start)
		default:
			p.before = append(p.before, Keep(s)(t.adapted.Clone()))
		}
		s.Check(ops.ForgetGradients(t.all))
		backward(pass)
		ops.Try(down.Step()).In(s)
	}
	s.Check(ops.ForgetGradients(t.all))
	return p
}

// Through takes v, the gradient of a loss by φ_T, back through the inner steps to φ_0. The parameters twin are those of a
// copy of the model in double precision, on which backward adds the gradients of L_S in a pass. distance is that of both
// sides of a difference from φ_t (see product).
func (p *Path) Through(v, twin ops.List, distance float64, backward func(pass int), s *ops.Scope) {
	for pass := len(p.before) - 1; pass >= 0; pass-- {
		by := product(twin, p.before[pass], v, distance, func() { backward(pass) }, s)
		s.Check(v.Add(1, by, -p.step.Rate))
	}
}

// First keys of the dropout masks and draws of tasks, and of the passes of a task.
const (
	siteTask = 1 << 24
	sitePass = 1 << 23
)

// Mode returns the mode of a pass of a task: over the support in the passes before T, then over the queries.
func Mode(m ops.Mode, task, pass int) ops.Mode {
	return m.Site(siteTask + uint64(task)).Site(sitePass + uint64(pass))
}

// Gradients returns a copy of the gradients of params, 0 for a parameter without one.
func Gradients(params ops.List, double bool, s *ops.Scope) ops.List {
	l := Keep(s)(ops.ListLike(params, double))
	s.Check(l.AddGradients(0, params, 1))
	return l
}

// Keep returns a function that adds a list to the scope and returns it.
func Keep(s *ops.Scope) func(ops.List, error) ops.List {
	return func(l ops.List, err error) ops.List {
		s.Check(err)
		s.Own(l.Drop)
		return l
	}
}
