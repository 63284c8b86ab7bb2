package metamgnn

import (
	"math"
	"testing"

	"pacia/data"
	"pacia/harness/modeltest"
	"pacia/model"
	"pacia/ops"
)

// Plain calculations in Go, from the encoder's states of atoms.

// softplus returns log(1 + e^x), the cross entropy of the logit −x of label 1.
func softplus(x float64) float64 { return max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) }

// values returns a model's parameters by name.
func values(t *testing.T, m *model.Model) map[string][]float64 {
	t.Helper()
	all := map[string][]float64{}
	for _, p := range m.Parameters() {
		all[p.Name] = modeltest.Values(t, p)
	}
	return all
}

// plainLoss returns ℓ(b) of equation 2 for states h [A, d].
func plainLoss(h []float64, d int, b *data.Batch, q question, p map[string][]float64, c Settings) (loss float64) {
	divided := func(sum float64, n int) float64 {
		if c.Minibatch.Divide {
			sum /= float64(n)
		}
		return sum / float64(n)
	}
	dot := func(x, y []float64) (s float64) {
		for i := range x {
			s += x[i] * y[i]
		}
		return s
	}
	at := func(v int32) []float64 { return h[int(v)*d : int(v+1)*d] }
	sign := map[bool]float64{true: -1, false: 1}
	labels := 0.0
	for i, molecule := range b.SupportMol {
		first, last := b.MolPtr[molecule], b.MolPtr[molecule+1]
		z := p["classifier.bias"][0]
		for v := first; v < last; v++ {
			z += dot(at(v), p["classifier.weight"]) / float64(last-first)
		}
		labels += softplus(sign[b.SupportLabel[i] == 1] * z)
	}
	loss = divided(labels, b.Support)
	pairLoss := func(list pairs, sign float64) (sum float64) {
		for i := range list.u {
			sum += softplus(sign * dot(at(list.u[i]), at(list.v[i])))
		}
		return sum / float64(len(list.u))
	}
	both := pairLoss(q.bonds, -1) + pairLoss(q.others, 1)
	if c.Minibatch.Divide {
		both /= float64(len(q.bonds.u))
	}
	loss += c.Self.Bonds * both
	for i, v := range q.atoms {
		var logits []float64
		sum := 0.0
		for k, bias := range p["element.bias"] {
			logits = append(logits, bias+dot(at(v), p["element.weight"][k*d:(k+1)*d]))
			sum += math.Exp(logits[k])
		}
		loss += c.Self.Atoms * (math.Log(sum) - logits[q.elements[i]]) / float64(len(q.atoms))
	}
	return loss
}

// plainPass returns the sum of plain losses over mini-batches, and the task's vector.
func plainPass(t *testing.T, m *model.Model, h *data.Batch, mode ops.Mode) (loss float64, e []float64) {
	t.Helper()
	own, d := m.Method().(*metamgnn), m.Config().Width
	e = make([]float64, d)
	for i, part := range own.minibatches(h, data.Rand(mode.Key, stream, 1)) {
		site := mode.Site(uint64(i))
		var states []float64
		var s ops.Scope
		err := s.Run(func() {
			all, _ := own.States(own.Place(part, &s), site, nil, nil, &s)
			var err error
			states, err = ops.ReadAs[float64](all[len(all)-1])
			s.Check(err)
		})
		s.Drop()
		if err != nil {
			t.Fatal(err)
		}
		loss += plainLoss(states, d, part, own.ask(part, data.Rand(site.Key, stream, 0)), values(t, m), own.Settings)
		for k := range e {
			mean := 0.0
			for v := k; v < len(states); v += d {
				mean += states[v] / float64(len(states)/d)
			}
			e[k] = (e[k] + mean) / 2
		}
	}
	return loss, e
}

// gradientOf returns the gradient of the sum of losses over the mini-batches, by autograd.
func gradientOf(t *testing.T, m *model.Model, h *data.Batch, mode ops.Mode) map[string][]float64 {
	t.Helper()
	own := m.Method().(*metamgnn)
	if err := ops.ForgetGradients(own.all()); err != nil {
		t.Fatal(err)
	}
	if _, _, err := own.pass(h, mode); err != nil {
		t.Fatal(err)
	}
	grads := map[string][]float64{}
	for _, p := range m.Parameters() {
		g, err := ops.Gradient(p.Tensor)
		if err != nil {
			t.Fatal(err)
		}
		if g == nil {
			g = make([]float64, p.Size())
		}
		grads[p.Name] = g
	}
	if err := ops.ForgetGradients(own.all()); err != nil {
		t.Fatal(err)
	}
	return grads
}

// weights returns the softmax of the attention of task vectors.
func weights(vectors [][]float64, p map[string][]float64) (w []float64) {
	sum := 0.0
	for _, e := range vectors {
		a := p["weighting.1.bias"][0]
		for k, hidden := range p["weighting.0.bias"] {
			for i := range e {
				hidden += p["weighting.0.weight"][k*len(e)+i] * e[i]
			}
			a += p["weighting.1.weight"][k] * max(hidden, 0)
		}
		w = append(w, math.Exp(a))
		sum += math.Exp(a)
	}
	for t := range w {
		w[t] /= sum
	}
	return w
}

// TestStepIsPlain makes a training step of two tasks by hand: losses and attention by plain
// calculations, inner steps by plain subtraction. Gradients are the weighted gradients of the
// queries' losses after the steps. Running averages do not matter: passes in training do not
// read them.
func TestStepIsPlain(t *testing.T) {
	for _, steps := range []int{1, 3} {
		for _, divide := range []bool{true, false} {
			c := small(t, func(s *Settings) {
				s.Adaptation.Steps, s.Adaptation.Rate, s.Minibatch.Divide = steps, 0.1, divide
				s.Self.Bonds, s.Self.Atoms = 0.3, 0.2
			})
			c.Dropout = 0.2
			m, _ := made(t, c)
			b := twoTasks(t)
			before := values(t, m)
			loss, grads := modeltest.Backward(t, m, b, 1)
			for name, v := range values(t, m) {
				modeltest.Near(t, name+" after the step", v, before[name], 0)
			}
			wantLoss, want := byHand(t, m, b, c.Own.(Settings))
			modeltest.Near(t, "outer loss", []float64{loss}, []float64{wantLoss}, 1e-12)
			for name := range want {
				if !isAttention(name) { // TestAttentionSlope tests these
					modeltest.Near(t, name, grads[name], want[name], 1e-12)
				}
			}
		}
	}
}

// byHand returns the outer loss and its gradients.
func byHand(t *testing.T, m *model.Model, b *data.Batch, c Settings) (loss float64, grads map[string][]float64) {
	t.Helper()
	start := values(t, m)
	support, queries := b.Apart()
	var vectors [][]float64
	var losses []float64
	var each []map[string][]float64
	for task := range support {
		_, e := plainPass(t, m, support[task], plainMode(task, 0))
		vectors = append(vectors, e)
		for i := range c.Adaptation.Steps {
			g := gradientOf(t, m, support[task], plainMode(task, i))
			move(t, m, func(name string, k int, v float64) float64 {
				if isAttention(name) || name == "element.weight" || name == "element.bias" {
					return v
				}
				return v - c.Adaptation.Rate*g[name][k]
			})
		}
		last := plainMode(task, c.Adaptation.Steps)
		q, _ := plainPass(t, m, queries[task], last)
		losses, each = append(losses, q), append(each, gradientOf(t, m, queries[task], last))
		move(t, m, func(name string, k int, _ float64) float64 { return start[name][k] })
	}
	w, n := weights(vectors, start), float64(len(losses))
	grads = map[string][]float64{}
	for task, g := range each {
		loss += w[task] * losses[task] / n
		for name, v := range g {
			if grads[name] == nil {
				grads[name] = make([]float64, len(v))
			}
			for k := range v {
				grads[name][k] += w[task] * v[k] / n
			}
		}
	}
	return loss, grads
}

// move sets every entry of the parameters.
func move(t *testing.T, m *model.Model, to func(name string, k int, v float64) float64) {
	t.Helper()
	for _, p := range m.Parameters() {
		v := modeltest.Values(t, p)
		for k := range v {
			v[k] = to(p.Name, k, v[k])
		}
		if err := ops.Write(p.Tensor, v); err != nil {
			t.Fatal(err)
		}
	}
}
