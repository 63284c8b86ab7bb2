package potency

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"pacia/data"
)

// process solves (K + σ² I) α = f.Targets and returns α, the inverse, and its diagonal.
func process(t *testing.T, f *Fit, k *mat.SymDense) (alpha []float64, inverse *mat.SymDense, precision []float64) {
	t.Helper()
	n := k.SymmetricDim()
	noisy := mat.NewSymDense(n, nil)
	noisy.CopySym(k)
	for i := range n {
		noisy.SetSym(i, i, k.At(i, i)+Noise)
	}
	var l mat.Cholesky
	if !l.Factorize(noisy) {
		t.Fatal("the kernel is singular")
	}
	inverse = new(mat.SymDense)
	if err := l.InverseTo(inverse); err != nil {
		t.Fatal(err)
	}
	var a mat.VecDense
	a.MulVec(inverse, mat.NewVecDense(n, f.Targets))
	for i := range n {
		precision = append(precision, inverse.At(i, i))
	}
	return a.RawVector().Data, inverse, precision
}

// TestTargets: targets rise with values and saturate. Before the mean is subtracted, they are 0
// between the classes. Scores with the moments of the targets give values with the original moments.
func TestTargets(t *testing.T) {
	values := []data.Measured{{Value: 4}, {Value: 5}, {Value: 6}, {Value: 7}, {Value: 12}}
	f := New(values, []uint8{0, 0, 1, 1, 1})
	if !slices.IsSorted(f.Targets) {
		t.Errorf("targets %v do not rise with the values", f.Targets)
	}
	if last, first := f.Targets[4]-f.Targets[3], f.Targets[2]-f.Targets[1]; last > first {
		t.Errorf("an outlier is %v from the next value, two values at the threshold are %v apart", last, first)
	}
	if got := (f.Targets[1] + f.Targets[2]) / 2; math.Abs(got+f.Threshold) > 1e-12 {
		t.Errorf("the middle of the classes has the target %v, want %v", got, -f.Threshold)
	}
	if got := f.value(0); math.Abs(got-6.8) > 1e-12 {
		t.Errorf("score 0 is the value %v, want the mean, 6.8", got)
	}
}

// TestEqualValues: if all values are equal, this value is predicted.
func TestEqualValues(t *testing.T) {
	f := New([]data.Measured{{Value: 5}, {Value: 5}, {Value: 5}}, []uint8{0, 1, 1})
	f.Widen([]float64{0, 0, 0}, []float64{1, 1, 1})
	p := f.All([]float64{0.3}, []float64{1})[0]
	if p.Value != 5 || p.Low != 5 || p.High != 5 {
		t.Errorf("of three values 5 the prediction is %+v", p)
	}
}

// TestBounds: the interval is open beyond the largest upper bound and the smallest lower one.
func TestBounds(t *testing.T) {
	f := New([]data.Measured{{Value: 5, Side: -1}, {Value: 4.5, Side: -1}, {Value: 6}, {Value: 8, Side: 1}}, []uint8{0, 0, 1, 1})
	f.Widen([]float64{0.1, 0.1, 0.1, 0.1}, []float64{1, 1, 1, 1})
	for _, c := range []struct {
		score     float64
		low, high bool // open
	}{{-5, true, false}, {0, false, false}, {5, false, true}} {
		f.width = 0.1
		p := f.All([]float64{c.score}, []float64{0})[0]
		if math.IsInf(float64(p.Low), -1) != c.low || math.IsInf(float64(p.High), 1) != c.high {
			t.Errorf("the interval of score %v is %v to %v", c.score, p.Low, p.High)
		}
	}
}

// TestLeftOut compares the width with errors of processes that are fitted without one molecule.
func TestLeftOut(t *testing.T) {
	const n = 12
	r := rand.New(rand.NewPCG(3, 4))
	x, values, labels := make([]float64, n), make([]data.Measured, n), make([]uint8, n)
	for i := range n {
		x[i] = r.Float64() * 4
		values[i].Value = 6 + math.Sin(x[i]) + 0.1*r.NormFloat64()
		if values[i].Value > 6.3 {
			labels[i] = 1
		}
	}
	k := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			k.SetSym(i, j, math.Exp(-(x[i]-x[j])*(x[i]-x[j])))
		}
	}
	f := New(values, labels)
	alpha, _, precision := process(t, f, k)
	f.Widen(alpha, precision)
	var missed []float64
	for out := range n {
		var kept []int
		for i := range n {
			if i != out {
				kept = append(kept, i)
			}
		}
		a, b := mat.NewDense(n-1, n-1, nil), mat.NewVecDense(n-1, nil)
		to := mat.NewVecDense(n-1, nil)
		for p, i := range kept {
			for q, j := range kept {
				a.Set(p, q, k.At(i, j))
			}
			a.Set(p, p, k.At(i, i)+Noise)
			b.SetVec(p, f.Targets[i])
			to.SetVec(p, k.At(i, out))
		}
		var w, s mat.VecDense
		if err := w.SolveVec(a, b); err != nil {
			t.Fatal(err)
		}
		if err := s.SolveVec(a, to); err != nil {
			t.Fatal(err)
		}
		variance := k.At(out, out) + Noise - mat.Dot(to, &s)
		missed = append(missed, math.Abs(values[out].Value-f.value(mat.Dot(to, &w)))/math.Sqrt(variance))
	}
	slices.Sort(missed)
	if want := missed[10]; math.Abs(f.width-want) > 1e-9 { // 0.8 · 13 is 10.4
		t.Errorf("an interval is %v standard deviations wide, want %v", f.width, want)
	}
}

// TestHeld: for values drawn from a Gaussian process with this kernel and noise, intervals contain 75
// to 85 % of new values.
func TestHeld(t *testing.T) {
	const n, queries, rounds = 40, 20, 60
	r := rand.New(rand.NewPCG(5, 6))
	held := 0.0
	for range rounds {
		x := make([]float64, n+queries)
		for i := range x {
			x[i] = r.Float64() * 6
		}
		k := mat.NewSymDense(n+queries, nil)
		for i := range x {
			for j := range i + 1 {
				k.SetSym(i, j, math.Exp(-(x[i]-x[j])*(x[i]-x[j])))
			}
			k.SetSym(i, i, 1+Noise)
		}
		var l mat.Cholesky
		if !l.Factorize(k) {
			t.Fatal("the kernel is singular")
		}
		var factor mat.TriDense
		l.LTo(&factor)
		normal := mat.NewVecDense(n+queries, nil)
		for i := range x {
			normal.SetVec(i, r.NormFloat64())
		}
		var y mat.VecDense
		y.MulVec(&factor, normal)
		values, labels := make([]data.Measured, n), make([]uint8, n)
		for i := range values {
			values[i].Value = 6 + 0.8*y.AtVec(i)
			if values[i].Value > 6 {
				labels[i] = 1
			}
		}
		f := New(values, labels)
		own := mat.NewSymDense(n, nil)
		for i := range n {
			for j := range i + 1 {
				own.SetSym(i, j, math.Exp(-(x[i]-x[j])*(x[i]-x[j])))
			}
		}
		alpha, inverse, precision := process(t, f, own)
		f.Widen(alpha, precision)
		for q := n; q < n+queries; q++ {
			to := mat.NewVecDense(n, nil)
			score := 0.0
			for i := range n {
				to.SetVec(i, k.At(i, q))
				score += alpha[i] * k.At(i, q)
			}
			p := f.All([]float64{score}, []float64{max(0, 1-mat.Inner(to, inverse, to))})[0]
			if v := 6 + 0.8*y.AtVec(q); v >= float64(p.Low) && v <= float64(p.High) {
				held++
			}
		}
	}
	if share := held / (rounds * queries); share < 0.75 || share > 0.85 {
		t.Errorf("intervals of 80 %% hold %.3f of the values", share)
	}
}
