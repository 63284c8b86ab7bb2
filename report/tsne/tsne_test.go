package tsne

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// cloud returns n points of d dimensions around a centre.
func cloud(r *rand.Rand, n, d int, centre float64) *mat.Dense {
	x := mat.NewDense(n, d, nil)
	for i := range x.RawMatrix().Data {
		x.RawMatrix().Data[i] = centre + r.NormFloat64()
	}
	return x
}

// TestAffinities: the Gaussian of each row has the given perplexity, and all affinities sum to 1.
func TestAffinities(t *testing.T) {
	d := squares(cloud(rand.New(rand.NewPCG(1, 1)), 40, 7, 0))
	for _, perplexity := range []float64{1.5, 5, 12.5, 30} {
		p := make([]float64, 40)
		for i := range 40 {
			conditional(p, d.RawRowView(i), i, math.Log(perplexity))
			entropy := 0.0
			for _, v := range p {
				if v > 0 {
					entropy -= v * math.Log(v)
				}
			}
			if got := math.Exp(entropy); math.Abs(got-perplexity) > 1e-5*perplexity || p[i] != 0 || math.Abs(floats.Sum(p)-1) > 1e-12 {
				t.Errorf("point %d: perplexity %v, want %v; affinity to itself %v, sum %v", i, got, perplexity, p[i], floats.Sum(p))
			}
		}
		joint := affinities(d, perplexity)
		if sum := mat.Sum(joint); math.Abs(sum-1) > 1e-12 || !mat.EqualApprox(joint, joint.T(), 0) {
			t.Errorf("perplexity %v: affinities add up to %v", perplexity, sum)
		}
	}
}

// TestGradient compares the gradient with central differences of the divergence, whose error is
// of the order of 1e-10 for steps of 1e-5.
func TestGradient(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	p := affinities(squares(cloud(r, 12, 4, 0)), 3)
	y := cloud(r, 12, 2, 0)
	gradient, unused := mat.NewDense(12, 2, nil), mat.NewDense(12, 2, nil)
	descend(p, 1, y, gradient)
	const h = 1e-5
	for i := range 12 {
		for k := range 2 {
			at := y.At(i, k)
			y.Set(i, k, at+h)
			above := descend(p, 1, y, unused)
			y.Set(i, k, at-h)
			below := descend(p, 1, y, unused)
			y.Set(i, k, at)
			if want := (above - below) / (2 * h); math.Abs(gradient.At(i, k)-want) > 1e-8 {
				t.Errorf("point %d, axis %d: gradient %v, differences give %v", i, k, gradient.At(i, k), want)
			}
		}
	}
}

// TestClustersStaySeparated: two distant clusters stay separated. No point is nearer to a point of the other
// cluster than to the farthest point of its own.
func TestClustersStaySeparated(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	var x mat.Dense
	x.Stack(cloud(r, 15, 10, 0), cloud(r, 20, 10, 12))
	y := Embed(&x, 30, 7)
	within, between := 0.0, math.Inf(1)
	for i := range 35 {
		for j := range i {
			d := floats.Distance(y.RawRowView(i), y.RawRowView(j), 2)
			if (i < 15) == (j < 15) {
				within = max(within, d)
			} else {
				between = min(between, d)
			}
		}
	}
	if !(between > within) {
		t.Errorf("clusters are up to %v wide and %v apart", within, between)
	}
	if !mat.Equal(y, Embed(&x, 30, 7)) {
		t.Error("the same seed gives different places")
	}
	if mat.Equal(y, Embed(&x, 30, 8)) {
		t.Error("different seeds give the same places")
	}
}

// TestEdges: few points, coinciding points and a large perplexity give finite places.
func TestEdges(t *testing.T) {
	same := mat.NewDense(6, 3, nil)
	for _, x := range []*mat.Dense{mat.NewDense(1, 2, []float64{1, 2}), mat.NewDense(2, 1, []float64{1, 2}), mat.NewDense(3, 1, []float64{1, 1, 5}), same} {
		y := Embed(x, 50, 1)
		if n, _ := x.Dims(); len(y.RawMatrix().Data) != 2*n || floats.HasNaN(y.RawMatrix().Data) || math.IsInf(floats.Norm(y.RawMatrix().Data, 2), 0) {
			t.Errorf("%v: places %v", mat.Formatted(x), mat.Formatted(y))
		}
	}
}
