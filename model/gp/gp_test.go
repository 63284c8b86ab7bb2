package gp

import (
	"math"
	"math/rand/v2"
	"testing"

	"pacia/harness/modeltest"
	"pacia/model"
	"pacia/model/shared/counts"
)

// config returns the settings of a small model with the given noise variance.
func config(t *testing.T, noise float64) model.Config {
	c := modeltest.Small(t, Spec, model.Paper)
	c.Own = Settings{Noise: noise}
	return c
}

// active returns Φ(z).
func active(z float64) float64 { return (1 + math.Erf(z/math.Sqrt2)) / 2 }

// TestTwoMolecules: for one molecule per class and no common bits, the kernel is the
// identity, so that a molecule's mean is (k₁ − k₀)/(1 + σ²), and its variance
// 1 − (k₀² + k₁²)/(1 + σ²).
func TestTwoMolecules(t *testing.T) {
	modeltest.Locked(t, 1)
	const noise = 0.5
	got := modeltest.Ranked(t, Spec, config(t, noise), modeltest.FingerprintStore(
		[]uint16{2}, []uint16{0, 4},
		[]uint16{2}, []uint16{1}, []uint16{0, 3}, []uint16{2, 4}, []uint16{0, 0, 1}, []uint16{},
	), 1, 1)
	var want []float64
	for _, k := range [][2]float64{{1, 0}, {1. / 2, 0}, {0, 3. / 4}, {2. / 6, 4. / 6}, {0, 0}, {0, 0}} {
		variance := 1 - (k[0]*k[0]+k[1]*k[1])/(1+noise)
		want = append(want, active((k[1]-k[0])/(1+noise)/math.Sqrt(variance+noise)))
	}
	modeltest.Near(t, "P(active)", got, want, modeltest.Float32ULP)
}

// gauss solves a x = b by elimination with pivots.
func gauss(a [][]float64, b []float64) []float64 {
	n := len(b)
	m := make([][]float64, n)
	for i := range a {
		m[i] = append(append([]float64{}, a[i]...), b[i])
	}
	for c := range n {
		best := c
		for r := c; r < n; r++ {
			if math.Abs(m[r][c]) > math.Abs(m[best][c]) {
				best = r
			}
		}
		m[c], m[best] = m[best], m[c]
		for r := range n {
			if r == c {
				continue
			}
			f := m[r][c] / m[c][c]
			for k := c; k <= n; k++ {
				m[r][k] -= f * m[c][k]
			}
		}
	}
	x := make([]float64, n)
	for i := range x {
		x[i] = m[i][n] / m[i][i]
	}
	return x
}

// TestPosterior compares with the plain formulas m + kᵀ(K + σ²I)⁻¹(y − m) and
// 1 − kᵀ(K + σ²I)⁻¹k, solved by elimination. The support set has equal molecules with
// different labels, and two molecules without any count. With the least noise allowed,
// the solutions of such a system agree to 1e-6.
func TestPosterior(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	draw := func() (v counts.Vector) {
		for bit := range uint16(30) {
			if r.IntN(3) == 0 {
				v.Bit, v.Count = append(v.Bit, bit), append(v.Count, uint16(1+r.IntN(3)))
			}
		}
		return v
	}
	support, labels := []counts.Vector{{}, {}}, []uint8{0, 1}
	for i := range 10 {
		support, labels = append(support, draw()), append(labels, uint8(min(1, i/3)))
	}
	support = append(support, support[3])
	labels = append(labels, 1-labels[3])
	for _, noise := range []float64{1e-6, 0.3, 10} {
		p, err := fit(support, signs(labels), noise)
		if err != nil {
			t.Fatal(err)
		}
		n, mean := len(support), 0.0
		kernel, y, near := make([][]float64, n), make([]float64, n), make([]float64, n)
		for i := range support {
			kernel[i] = make([]float64, n)
			p.index.Tanimoto(support[i], kernel[i])
			kernel[i][i] += noise
			mean += (2*float64(labels[i]) - 1) / float64(n)
		}
		for i := range y {
			y[i] = 2*float64(labels[i]) - 1 - mean
		}
		alpha := gauss(kernel, y)
		for _, v := range []counts.Vector{draw(), draw(), draw(), support[3], support[5], {}} {
			k := make([]float64, n)
			p.index.Tanimoto(v, k)
			beta := gauss(kernel, k)
			wantMean, wantVariance := mean, 1.0
			for i := range k {
				wantMean, wantVariance = wantMean+k[i]*alpha[i], wantVariance-k[i]*beta[i]
			}
			gotMean, gotVariance := p.at(v, near)
			modeltest.Near(t, "mean and variance", []float64{gotMean, gotVariance}, []float64{wantMean, wantVariance}, 1e-6)
		}
	}
}

// TestUnbalanced: for a molecule unlike any support molecule, the probability follows from
// the mean label of the support set.
func TestUnbalanced(t *testing.T) {
	modeltest.Locked(t, 1)
	got := modeltest.Ranked(t, Spec, config(t, 0.3), modeltest.FingerprintStore(
		[]uint16{1}, []uint16{2}, []uint16{3}, []uint16{0, 1}, []uint16{0, 0, 1},
	), 3, 1)
	modeltest.Near(t, "P(active)", got, []float64{active(-0.5 / math.Sqrt(1.3))}, modeltest.Float32ULP)
}

// TestExtremes: with the least noise, many equal molecules (an almost singular kernel) and
// extreme logits, scores are still probabilities.
func TestExtremes(t *testing.T) {
	modeltest.Locked(t, 1)
	var rows [][]uint16
	for range 60 {
		rows = append(rows, []uint16{3, 1})
	}
	for range 60 {
		rows = append(rows, []uint16{0, 0, 2})
	}
	rows = append(rows, []uint16{3, 1}, []uint16{0, 0, 2}, []uint16{1})
	got := modeltest.Ranked(t, Spec, config(t, 1e-6), modeltest.FingerprintStore(rows...), 60, 60)
	if !(got[0] >= 0 && got[0] < 1e-6 && got[1] > 1-1e-6 && got[1] <= 1 && got[2] > 0 && got[2] < 0.5) {
		t.Errorf("P(active) = %v, want 0, 1 and less than a half", got)
	}
}
