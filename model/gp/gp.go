package gp

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"pacia/model"
	"pacia/model/shared/counts"
	"pacia/ops"
)

// Spec is the Gaussian process's line in the table of methods.
var Spec = model.Spec{
	Name: "gp", Title: "Gaussian process",
	Source:   "Rasmussen and Williams: Gaussian Processes for Machine Learning, 2006, with the kernel MinMax of Ralaivola et al., Neural Networks 18, 2005",
	Traits:   counts.Traits,
	Settings: func(string) model.Settings { return Settings{Noise: 0.3} },
	New: func(b *model.Body, c model.Config, _ []int) (model.Method, error) {
		return &method{counts.Untrained{Body: b}, c.Own.(Settings)}, nil
	},
}

// Settings are the method's own. Less noise than their range has would leave the
// kernel of equal molecules singular within rounding.
type Settings struct {
	Noise float64 `yaml:"noise" range:"[0.000001 1000000]" doc:"σ², variance of the noise of labels, which are -1 and 1, in the Gaussian process"`
}

// Check has nothing to say.
func (Settings) Check(model.Config) error { return nil }

// method fits a process to every task.
type method struct {
	counts.Untrained
	Settings
}

// task is the process of a support set.
type task struct {
	*method
	*posterior
}

func (m *method) Adapt(support *model.Batch, s *ops.Scope) model.Task {
	molecules, labels := m.Support(support, s)
	p, err := fit(molecules, labels, m.Noise)
	s.Check(err)
	return &task{m, p}
}

// Score gives the classes the logarithms of their probabilities as logits.
func (t *task) Score(queries *model.Batch, s *ops.Scope) model.Scores {
	near := make([]float64, t.index.Len())
	return t.Each(queries, s, func(v counts.Vector) (inactive, active float64) {
		mean, variance := t.at(v, near)
		z := mean / math.Sqrt(variance+t.Noise)
		return logNormal(-z), logNormal(z)
	})
}

// logNormal is log Φ(z).
func logNormal(z float64) float64 { return math.Log(math.Erfc(-z/math.Sqrt2) / 2) }

// posterior is a process after its support set.
type posterior struct {
	index   *counts.Index
	mean    float64       // m
	inverse *mat.TriDense // L⁻¹ [N, N]
	weights []float64     // L⁻¹(y − m) [N]
}

var errSingular = errors.New("the kernel matrix of the support molecules is singular; write a larger model.noise")

// fit returns the process of support molecules and their labels.
func fit(molecules []counts.Vector, labels []uint8, noise float64) (*posterior, error) {
	n := len(molecules)
	p := &posterior{index: counts.NewIndex(molecules), weights: make([]float64, n), inverse: new(mat.TriDense)}
	kernel, near := mat.NewSymDense(n, nil), make([]float64, n)
	for i, v := range molecules {
		p.index.Tanimoto(v, near)
		for j := i; j < n; j++ {
			kernel.SetSym(i, j, near[j])
		}
		kernel.SetSym(i, i, near[i]+noise)
	}
	var l mat.Cholesky
	if !l.Factorize(kernel) {
		return nil, errSingular
	}
	var factor mat.TriDense
	l.LTo(&factor)
	if err := p.inverse.InverseTri(&factor); err != nil && !isCondition(err) {
		return nil, errSingular
	}
	for _, label := range labels {
		p.mean += sign(label) / float64(n)
	}
	centred := make([]float64, n)
	for i, label := range labels {
		centred[i] = sign(label) - p.mean
	}
	for i := range n {
		p.weights[i] = p.row(i, centred)
	}
	return p, nil
}

// isCondition reports that an inverse is there and only warned of.
func isCondition(err error) bool {
	var c mat.Condition
	return errors.As(err, &c) && !math.IsInf(float64(c), 1)
}

// sign is −1 for inactive and 1 for active.
func sign(label uint8) float64 { return 2*float64(label) - 1 }

// row is row i of L⁻¹, which is 0 beyond column i, times x [N].
func (p *posterior) row(i int, x []float64) (sum float64) {
	raw := p.inverse.RawTriangular()
	for j, v := range raw.Data[i*raw.Stride : i*raw.Stride+i+1] {
		sum += v * x[j]
	}
	return sum
}

// at returns mean and variance of the function at a molecule. near [N] is
// room.
func (p *posterior) at(v counts.Vector, near []float64) (mean, variance float64) {
	p.index.Tanimoto(v, near)
	mean, variance = p.mean, 1
	for i, weight := range p.weights {
		half := p.row(i, near) // of L⁻¹k
		mean += half * weight
		variance -= half * half
	}
	return mean, max(0, variance)
}
