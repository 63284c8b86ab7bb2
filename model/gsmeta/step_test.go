package gsmeta

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pacia/data"
	"pacia/harness/modeltest"
	"pacia/model"
	"pacia/ops"
)

// Plain calculations of a step, of the losses and vectors of episodes.

// gradientOf returns the value of loss and its gradients by all parameters, by autograd.
func gradientOf(t *testing.T, m *gsmeta, loss func(s *ops.Scope) float64) (value float64, grads map[string][]float64) {
	t.Helper()
	forget := func() {
		if err := ops.ForgetGradients(tensors(m.Set.Trained())); err != nil {
			t.Fatal(err)
		}
	}
	forget()
	defer forget()
	var s ops.Scope
	defer s.Drop()
	if err := s.Run(func() { value = loss(&s) }); err != nil {
		t.Fatal(err)
	}
	grads = map[string][]float64{}
	for _, p := range m.Set.Trained() {
		g, err := ops.Gradient(p.Tensor)
		if err != nil {
			t.Fatal(err)
		}
		if g == nil {
			g = make([]float64, p.Size())
		}
		grads[p.Name] = g
	}
	return value, grads
}

func tensors(list []model.Parameter) (all ops.List) {
	for _, p := range list {
		all = append(all, p.Tensor)
	}
	return all
}

// move sets every entry of the parameters.
func move(t *testing.T, m *gsmeta, to func(name string, k int, v float64) float64) {
	t.Helper()
	for _, p := range m.Set.Trained() {
		v := modeltest.Values(t, p)
		for k := range v {
			v[k] = to(p.Name, k, v[k])
		}
		if err := ops.Write(p.Tensor, v); err != nil {
			t.Fatal(err)
		}
	}
}

func values(t *testing.T, m *model.Model) map[string][]float64 {
	t.Helper()
	all := map[string][]float64{}
	for _, p := range m.Parameters() {
		all[p.Name] = modeltest.Values(t, p)
	}
	return all
}

// byHand returns the outer loss of all episodes and its gradients. Inner steps are plain
// subtractions, the contrast follows its definition, and its gradients are differences.
func byHand(t *testing.T, m *model.Model, b *data.Batch, key uint64) (loss float64, grads map[string][]float64) {
	t.Helper()
	own, start := m.Method().(*gsmeta), values(t, m)
	c := own.Settings
	var s ops.Scope
	defer s.Drop()
	step := own.newStep(&model.Batch{Host: b}, ops.Mode{Training: true, Key: key})
	adapted := make([]map[string][]float64, len(step.episodes))
	var vectors [][]float64
	for e, episode := range step.episodes {
		for i := range c.Adaptation.Steps {
			_, g := gradientOf(t, own, func(s *ops.Scope) float64 {
				s.Check(ops.Backward(own.supportLoss(episode, step.of(e, i), s)))
				return 0
			})
			move(t, own, func(name string, k int, v float64) float64 {
				if strings.HasPrefix(name, selectorPrefix) {
					return v
				}
				return v - c.Adaptation.Rate*g[name][k]
			})
		}
		adapted[e] = values(t, m)
		vectors = append(vectors, own.vector(episode, step.of(e, c.Adaptation.Steps), &s))
		move(t, own, func(name string, k int, _ float64) float64 { return start[name][k] })
	}
	slopes := differences(vectors, c.Contrast.Temperature)
	loss, grads = c.Contrast.Weight*plainContrast(vectors, c.Contrast.Temperature), map[string][]float64{}
	for e, episode := range step.episodes {
		move(t, own, func(name string, k int, _ float64) float64 { return adapted[e][name][k] })
		value, g := gradientOf(t, own, func(s *ops.Scope) float64 {
			l, vector := own.queryLoss(episode, step.of(e, c.Adaptation.Steps), s)
			value, err := ops.Number(l)
			s.Check(err)
			by := own.Vector(scaled(slopes[e], c.Contrast.Weight*float64(len(step.episodes))), s)
			along := s.Keep(s.Keep(vector.Mul(by, false)).Sum(vector.DType(), false))
			s.Check(ops.Backward(s.Keep(ops.Total(l, along))))
			return value
		})
		n := float64(len(step.episodes))
		loss += value / n
		for name, v := range g {
			if grads[name] == nil {
				grads[name] = make([]float64, len(v))
			}
			add(grads[name], v, 1/n)
		}
	}
	move(t, own, func(name string, k int, _ float64) float64 { return start[name][k] })
	return loss, grads
}

// plainContrast returns the contrast by its definition.
func plainContrast(vectors [][]float64, temperature float64) (loss float64) {
	cosine := func(x, y []float64) float64 { return dot(x, y) / math.Sqrt(dot(x, x)*dot(y, y)) }
	for i, x := range vectors {
		sum := 0.0
		for k, y := range vectors {
			if k != i {
				sum += math.Exp(cosine(x, y) / temperature)
			}
		}
		loss -= math.Log(math.Exp(cosine(x, vectors[i^1])/temperature)/sum) / float64(len(vectors))
	}
	return loss
}

// differences returns the differences of plainContrast by the vectors.
func differences(vectors [][]float64, temperature float64) (slopes [][]float64) {
	const h = 1e-5
	for _, v := range vectors {
		slope := make([]float64, len(v))
		for k := range v {
			at := v[k]
			v[k] = at + h
			above := plainContrast(vectors, temperature)
			v[k] = at - h
			slope[k] = (above - plainContrast(vectors, temperature)) / (2 * h)
			v[k] = at
		}
		slopes = append(slopes, slope)
	}
	return slopes
}

// TestContrast checks loss and gradients, for vectors of various lengths.
func TestContrast(t *testing.T) {
	r := data.Rand(3, "vectors", 0)
	for _, n := range []int{2, 4, 10} {
		vectors := make([][]float64, n)
		for i := range vectors {
			for range 5 {
				vectors[i] = append(vectors[i], r.NormFloat64()*float64(i+1))
			}
		}
		for _, temperature := range []float64{0.08, 1} {
			loss, gradients := contrast(vectors, temperature)
			modeltest.Near(t, "contrast", []float64{loss}, []float64{plainContrast(vectors, temperature)}, 1e-12)
			for i, want := range differences(vectors, temperature) {
				modeltest.Near(t, "gradient by a vector", gradients[i], want, 1e-7)
			}
		}
	}
}

// TestStepIsPlain makes a training step of three tasks, two episodes each, by hand. The running
// averages, which a pass in training does not read, do not matter.
func TestStepIsPlain(t *testing.T) {
	modeltest.Locked(t, 1)
	for _, steps := range []int{1, 2} {
		d := modeltest.Four()
		c := small(t, func(s *Settings) {
			s.Adaptation.Steps, s.Selection.Tasks = steps, 0
			s.Contrast.Weight, s.Contrast.Temperature = 0.6, 0.4
		})
		c.Dropout = 0.2
		m, _ := made(t, c, d)
		b := pairs(t, d)
		before := values(t, m)
		loss, grads := modeltest.Backward(t, m, b, 1)
		for name, v := range values(t, m) {
			modeltest.Near(t, name+" after the step", v, before[name], 0)
		}
		wantLoss, want := byHand(t, m, b, 1)
		modeltest.Near(t, "outer loss", []float64{loss}, []float64{wantLoss}, 1e-11)
		for name := range want {
			modeltest.Near(t, name, grads[name], want[name], 1e-7) // the error of the differences of the contrast
		}
	}
}

// TestAveragesMoveOnce: the pass for the contrast does not change the running averages. Of each
// episode, the encoder has one pass over the support in the inner step, and one each over support
// and queries after it. Each pass replaces a tenth of the averages.
func TestAveragesMoveOnce(t *testing.T) {
	modeltest.Locked(t, 1)
	d := modeltest.Four()
	m, _ := made(t, small(t, func(s *Settings) { s.Selection.Tasks = 0 }), d)
	var after [2][]float64
	for i := range after {
		for _, p := range m.Buffers() {
			if strings.HasSuffix(p.Name, "norm.mean") {
				if err := ops.Write(p.Tensor, slices.Repeat([]float64{float64(i)}, p.Size())); err != nil {
					t.Fatal(err)
				}
			}
		}
		modeltest.Backward(t, m, pairs(t, d), 1)
		after[i] = modeltest.Everything(t, m)["encoder.0.norm.mean"]
	}
	for k := range after[0] {
		modeltest.Near(t, "rest of an average", []float64{after[1][k] - after[0][k]}, []float64{math.Pow(0.9, 3*6)}, 1e-12)
	}
}
