package gp

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"pacia/internal/each"
	"pacia/model"
	"pacia/model/shared/counts"
	"pacia/model/shared/potency"
	"pacia/ops"
)

// Spec is the Gaussian process's line in the table of methods.
var Spec = model.Spec{
	Name: "gp", Title: "Gaussian process",
	Source:   "Rasmussen and Williams: Gaussian Processes for Machine Learning, 2006, with the kernel MinMax of Ralaivola et al., Neural Networks 18, 2005",
	Traits:   traits,
	Settings: func(string) model.Settings { return Settings{Noise: 0.3} },
	New: func(b *model.Body, c model.Config, _ []int) (model.Method, error) {
		return &method{counts.Untrained{Body: b}, c.Own.(Settings)}, nil
	},
}

var traits = func() model.Traits {
	t := counts.Measures
	t.Explains = true
	return t
}()

// Settings are the method's own. With less noise than the range allows, the kernel of
// equal molecules would be singular within rounding.
type Settings struct {
	Noise float64 `yaml:"noise" range:"[0.000001 1000000]" doc:"σ², variance of the label noise in the Gaussian process, with labels -1 and 1"`
}

// Check returns nil.
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
	noise float64
	fit   *potency.Fit // of measured values; nil: the process learnt labels

	threshold float64 // added to a score, so that 0 separates active from inactive
	scale     float64 // factor of variances: for values, the best by the marginal likelihood
}

// least is the smallest scale. For equal values it would be 0.
const least = 1e-6

func (m *method) Adapt(support *model.Batch, s *ops.Scope) model.Task {
	molecules, labels := m.Support(support, s)
	t := &task{method: m, noise: m.Noise, scale: 1}
	targets := signs(labels)
	if values := support.Host.SupportValue; len(values) > 0 {
		t.fit, t.noise = potency.New(values, labels), potency.Noise
		t.threshold, targets = t.fit.Threshold, t.fit.Targets
	}
	t.posterior = ops.Try(fit(molecules, targets, t.noise)).In(s)
	if t.fit != nil {
		alpha, precision := t.leftOut()
		t.fit.Widen(alpha, precision)
		t.scale = max(least, floats.Dot(alpha, targets)/float64(len(targets)))
	}
	return t
}

// Score returns the logarithms of the class probabilities as logits.
func (t *task) Score(queries *model.Batch, s *ops.Scope) model.Scores {
	near := make([]float64, t.index.Len())
	var means, variances []float64
	scores := t.Each(queries, s, func(v counts.Vector) (inactive, active float64) {
		mean, variance := t.at(v, near)
		means, variances = append(means, mean), append(variances, variance)
		z := (mean + t.threshold) / math.Sqrt(t.scale*(variance+t.noise))
		return logNormal(-z), logNormal(z)
	})
	if t.fit != nil {
		scores.Potency = t.fit.All(means, variances)
	}
	return scores
}

// logNormal returns log Φ(z). Below −38 Φ would be rounded to 0, so that far out it is taken from the
// expansion Φ(z) = φ(z)/|z| (1 − 1/z² + 3/z⁴ − 15/z⁶ + 105/z⁸ − …).
func logNormal(z float64) float64 {
	if z > -30 {
		return math.Log(math.Erfc(-z/math.Sqrt2) / 2)
	}
	y := 1 / (z * z)
	return -z*z/2 - math.Log(-z*math.Sqrt(2*math.Pi)) + math.Log1p(y*(-1+y*(3+y*(-15+y*105))))
}

// posterior is a process conditioned on its support set.
type posterior struct {
	index   *counts.Index
	mean    float64       // m
	inverse *mat.TriDense // L⁻¹ [N, N]
	weights []float64     // L⁻¹(y − m) [N]
}

var errSingular = errors.New("the kernel matrix of the support molecules is singular; write a larger model.noise")

func fit(molecules []counts.Vector, targets []float64, noise float64) (*posterior, error) {
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
	for _, y := range targets {
		p.mean += y / float64(n)
	}
	centred := make([]float64, n)
	for i, y := range targets {
		centred[i] = y - p.mean
	}
	for i := range n {
		p.weights[i] = p.row(i, centred)
	}
	return p, nil
}

// isCondition reports whether err is a warning about the condition number, with a usable inverse.
func isCondition(err error) bool {
	var c mat.Condition
	return errors.As(err, &c) && !math.IsInf(float64(c), 1)
}

// signs returns −1 for inactive and 1 for active.
func signs(labels []uint8) []float64 {
	return each.Of(labels, func(label uint8) float64 { return 2*float64(label) - 1 })
}

// leftOut returns α = (K + σ² I)⁻¹(y − m) [N] and the diagonal of (K + σ² I)⁻¹ [N].
func (p *posterior) leftOut() (alpha, precision []float64) {
	n := len(p.weights)
	alpha, precision = make([]float64, n), make([]float64, n)
	for j := range n {
		for i := j; i < n; i++ {
			v := p.inverse.At(i, j)
			alpha[j] += v * p.weights[i]
			precision[j] += v * v
		}
	}
	return alpha, precision
}

// row returns the product of row i of L⁻¹, which is 0 beyond column i, and x [N].
func (p *posterior) row(i int, x []float64) (sum float64) {
	raw := p.inverse.RawTriangular()
	for j, v := range raw.Data[i*raw.Stride : i*raw.Stride+i+1] {
		sum += v * x[j]
	}
	return sum
}

// at returns the mean and the variance of the function at a molecule. near [N] is a
// buffer.
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
