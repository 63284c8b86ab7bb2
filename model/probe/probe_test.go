package probe

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"pacia/harness/modeltest"
	"pacia/model"
)

func norm(v []float64) float64 { return floats.Norm(v, 2) }

// probability returns P(active) of a molecule.
func probability(classes [2]*class, z []float64, temperature float64) float64 {
	r := newRoom(len(classes[0].z)+len(classes[1].z), len(z))
	return 1 / (1 + math.Exp(temperature*(classes[1].distance(z, r)-classes[0].distance(z, r))))
}

// random returns n random vectors of length 1 with labels of both classes.
func random(seed uint64, n, d int) (z [][]float64, labels []uint8) {
	r := rand.New(rand.NewPCG(seed, 4))
	for i := range n {
		v := make([]float64, d)
		for j := range v {
			v[j] = r.NormFloat64() + float64(i%2)/2
		}
		shorten(v)
		z, labels = append(z, v), append(labels, uint8(i%2))
	}
	labels[1], labels[3] = 0, 0 // classes of different sizes that overlap
	return z, labels
}

// published returns the published settings with another number of steps.
func published(steps int) Settings {
	s := ForPreset(model.Paper).(Settings)
	s.Steps = steps
	return s
}

// covariance returns Σ = (1 − λ)/(n − 1) Σ_i (z_i − w)(z_i − w)ᵀ + λ I by its definition.
func covariance(c *class) *mat.SymDense {
	d := len(c.mean)
	sigma := mat.NewSymDense(d, nil)
	for i := range d {
		sigma.SetSym(i, i, c.shrinkage)
	}
	for _, v := range c.z {
		u := slices.Clone(v)
		floats.Sub(u, c.mean)
		sigma.SymRankOne(sigma, (1-c.shrinkage)/max(1, float64(len(c.z)-1)), mat.NewVecDense(d, u))
	}
	return sigma
}

// TestDistance compares distances and M (z − w) with those computed from the inverse of the whole
// covariance, also for a class of one molecule and for λ = 1 (the Euclidean distance).
func TestDistance(t *testing.T) {
	z, _ := random(1, 9, 7)
	for _, n := range []int{1, 2, 8} {
		for _, shrinkage := range []float64{1e-3, 0.2, 1} {
			c := newClass(z[:n], 7, shrinkage)
			c.mean[2] += 0.3 // a mean other than the direction of the molecules' mean
			c.follow()
			var m mat.Dense
			if err := m.Inverse(covariance(c)); err != nil {
				t.Fatal(err)
			}
			u := slices.Clone(z[8])
			floats.Sub(u, c.mean)
			var pulled mat.VecDense
			pulled.MulVec(&m, mat.NewVecDense(7, u))
			r := newRoom(n, 7)
			got := append([]float64{c.distance(z[8], r)}, c.pull(r)...)
			want := append([]float64{floats.Dot(u, pulled.RawVector().Data)}, pulled.RawVector().Data...)
			modeltest.Near(t, "distance and M (z − w)", got, want, 1e-11/shrinkage)
		}
	}
}

// TestSlope: the gradient is the slope of the loss, with M as a function of the means.
func TestSlope(t *testing.T) {
	z, labels := random(2, 10, 6)
	s := published(0)
	s.Temperature = 3
	f := newFitting(s, z, labels)
	f.slope()
	gradient := slices.Clone(f.gradient)
	for i := range gradient {
		const h = 1e-6
		c, at := f.classes[i/6], [2]float64{}
		before := c.mean[i%6]
		for side := range at {
			c.mean[i%6] = before + h*float64(2*side-1)
			c.follow()
			at[side] = f.slope()
		}
		c.mean[i%6] = before
		c.follow()
		modeltest.Near(t, "slope", []float64{gradient[i]}, []float64{(at[1] - at[0]) / (2 * h)}, 1e-8)
	}
}

// shrunken returns (1 − λ)/(n − 1) Σ_i |z_i − w|²_M + λ tr M − log det M with M = Σ⁻¹.
func shrunken(t *testing.T, c *class, sigma *mat.SymDense) float64 {
	t.Helper()
	var m, with mat.Dense
	if err := m.Inverse(sigma); err != nil {
		t.Fatal(err)
	}
	with.Mul(&m, covariance(c))
	logDet, _ := mat.LogDet(sigma)
	return with.Trace() + logDet
}

// TestBlocks: neither block of the descent increases its loss. A step of the means does not increase the
// cross entropy. The recomputed precision matrices do not increase the shrunken loss, and no matrix near
// them has a smaller one.
func TestBlocks(t *testing.T) {
	z, labels := random(3, 16, 5)
	s := published(0)
	s.Rate = 0.003
	f := newFitting(s, z, labels)
	before := f.slope()
	for step := range 40 {
		var old [2]*mat.SymDense
		for k, c := range f.classes {
			old[k] = covariance(c)
		}
		f.step()
		for k, c := range f.classes {
			other := mat.NewSymDense(5, nil)
			other.CopySym(covariance(c))
			other.SetSym(1, 3, other.At(1, 3)+0.01)
			for _, sigma := range []*mat.SymDense{old[k], other} {
				if best, now := shrunken(t, c, covariance(c)), shrunken(t, c, sigma); now < best+1e-15 {
					t.Errorf("step %d: class %d: another matrix has the loss %v, the recomputed one %v", step, k, now, best)
				}
			}
		}
		after := f.slope()
		if after > before {
			t.Errorf("step %d: the means raise the cross entropy from %v to %v", step, before, after)
		}
		before = after
	}
}

// TestSwappedLabels: swapping the classes changes P(active) to 1 − P(active), also after steps.
func TestSwappedLabels(t *testing.T) {
	z, labels := random(4, 12, 8)
	swapped := make([]uint8, len(labels))
	for i, label := range labels {
		swapped[i] = 1 - label
	}
	queries, _ := random(5, 6, 8)
	s := published(20)
	was, now := s.fit(z, labels), s.fit(z, swapped)
	for _, q := range queries {
		modeltest.Near(t, "P(active) with labels swapped", []float64{probability(now, q, 1)}, []float64{1 - probability(was, q, 1)}, 1e-13)
	}
}

// TestGiven: on fingerprints the probe reads the vectors log(1 + counts). With symmetric classes, molecules
// without bits in common with the support set have P(active) = ½.
func TestGiven(t *testing.T) {
	modeltest.Locked(t, 1)
	rows := [][]uint16{{2, 1}, {3, 0, 1}, {0, 0, 2, 1}, {0, 0, 3, 0, 1}, {1, 1}, {0, 0, 1, 2}, {}, {0, 0, 0, 0, 0, 4}}
	got := modeltest.Ranked(t, Spec, modeltest.Small(t, Spec, model.Paper), modeltest.FingerprintStore(rows...), 2, 2)
	var z [][]float64
	for _, row := range rows {
		v := make([]float64, 6)
		for i, n := range row {
			v[i] = math.Log1p(float64(n))
		}
		shorten(v)
		z = append(z, v)
	}
	var want []float64
	classes := published(9).fit(z[:4], []uint8{0, 0, 1, 1})
	for _, q := range z[4:] {
		want = append(want, probability(classes, q, 1))
	}
	modeltest.Near(t, "P(active)", got, want, modeltest.Float32ULP)
}

// TestEveryReading takes training steps with the vectors of every encoder, and scores.
func TestEveryReading(t *testing.T) {
	modeltest.Locked(t, 1)
	x := modeltest.NewExercise(t, Spec)
	for _, encoder := range []string{"gin", "pna+fingerprint", "fingerprint", "minimol"} {
		c := modeltest.SmallWith(t, Spec, func(s *Settings) { s.Vectors = "taught" })
		c.Encoder, c.Width = encoder, 8
		x.Run(t, encoder, c)
	}
}
