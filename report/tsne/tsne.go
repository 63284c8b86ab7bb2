// Package tsne implements exact t-SNE (van der Maaten and Hinton, 2008) for the few
// hundred points of one figure. Unlike existing Go modules, which use a random generator of
// their own, its result depends only on the seed.
//
// Legend: n points, P [n, n] their affinities, y [n, 2] their places.
package tsne

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// The parameters of the descent, as in the authors' code and scikit-learn.
const (
	steps        = 750
	early        = 250 // steps in which affinities are exaggerated, so that clusters form
	exaggeration = 12
	calm, swift  = 0.5, 0.8 // momentum in the early steps, and after
	start        = 1e-4     // standard deviation of the initial places
)

// Embed returns places in the plane, [n, 2], such that points [n, d] that are near
// each other have near places. Perplexity, about the effective number of neighbours,
// is limited to a third of the number of points.
func Embed(points *mat.Dense, perplexity float64, seed uint64) *mat.Dense {
	n, _ := points.Dims()
	p := affinities(squares(points), min(perplexity, max(1, float64(n-1)/3)))
	r := rand.New(rand.NewPCG(seed, 0))
	y, gradient := mat.NewDense(n, 2, nil), mat.NewDense(n, 2, nil)
	for i := range y.RawMatrix().Data {
		y.RawMatrix().Data[i] = start * r.NormFloat64()
	}
	velocity, gain := make([]float64, 2*n), make([]float64, 2*n)
	floats.AddConst(1, gain)
	rate := max(50, float64(n)/exaggeration/4)
	for step := range steps {
		momentum, scale := swift, 1.0
		if step < early {
			momentum, scale = calm, exaggeration
		}
		descend(p, scale, y, gradient)
		for i, g := range gradient.RawMatrix().Data {
			// Steps grow while the slope keeps its direction.
			if (g > 0) == (velocity[i] > 0) {
				gain[i] = max(0.01, 0.8*gain[i])
			} else {
				gain[i] += 0.2
			}
			velocity[i] = momentum*velocity[i] - rate*gain[i]*g
			y.RawMatrix().Data[i] += velocity[i]
		}
	}
	return y
}

// squares returns the squared distances between points, divided by their mean, which makes
// the search for widths independent of the points' scale.
func squares(points *mat.Dense) *mat.Dense {
	n, _ := points.Dims()
	d := mat.NewDense(n, n, nil)
	for i := range n {
		for j := range n {
			v := floats.Distance(points.RawRowView(i), points.RawRowView(j), 2)
			d.Set(i, j, v*v)
		}
	}
	if mean := floats.Sum(d.RawMatrix().Data) / float64(n*n); mean > 0 {
		d.Scale(1/mean, d)
	}
	return d
}

// affinities returns p_ij = (p_j|i + p_i|j)/2n of Gaussians around each point. Their
// widths are such that each row has the perplexity.
func affinities(squares *mat.Dense, perplexity float64) *mat.Dense {
	n, _ := squares.Dims()
	p := mat.NewDense(n, n, nil)
	for i := range n {
		conditional(p.RawRowView(i), squares.RawRowView(i), i, math.Log(perplexity))
	}
	var joint mat.Dense
	joint.Add(p, p.T())
	joint.Scale(1/(2*float64(n)), &joint)
	return &joint
}

// conditional computes p_j|i. The precision of its Gaussian is found by bisection.
// If points coincide, no precision may fit: then the last one is used.
func conditional(p, squares []float64, i int, entropy float64) {
	precision, low, high := 1.0, 0.0, math.Inf(1)
	for range 100 {
		h := gaussian(p, squares, i, precision)
		if math.Abs(h-entropy) < 1e-7 {
			return
		}
		if h > entropy {
			low = precision
			precision = min(2*precision, (precision+high)/2)
		} else {
			high = precision
			precision = (low + precision) / 2
		}
	}
}

// gaussian computes p_j|i and returns its entropy.
func gaussian(p, squares []float64, i int, precision float64) (entropy float64) {
	nearest := math.Inf(1)
	for j, d := range squares {
		if j != i {
			nearest = min(nearest, d)
		}
	}
	for j, d := range squares {
		p[j] = 0
		if j != i {
			p[j] = math.Exp(-precision * (d - nearest))
		}
	}
	floats.Scale(1/max(1, floats.Sum(p)), p)
	for _, v := range p {
		if v > 0 {
			entropy -= v * math.Log(v)
		}
	}
	return entropy
}

// descend computes the gradient of KL(scale·P ‖ Q) with respect to y, and returns
// KL(P ‖ Q), where q_ij is Student's t with one degree of freedom.
func descend(p *mat.Dense, scale float64, y, gradient *mat.Dense) (divergence float64) {
	n, _ := y.Dims()
	near := mat.NewDense(n, n, nil) // 1/(1+|y_i−y_j|²)
	for i := range n {
		for j := range i {
			a, b := y.At(i, 0)-y.At(j, 0), y.At(i, 1)-y.At(j, 1)
			w := 1 / (1 + a*a + b*b)
			near.Set(i, j, w)
			near.Set(j, i, w)
		}
	}
	sum := max(floats.Sum(near.RawMatrix().Data), math.SmallestNonzeroFloat64)
	gradient.Zero()
	for i := range n {
		g, weights, wanted := gradient.RawRowView(i), near.RawRowView(i), p.RawRowView(i)
		for j, w := range weights {
			if i == j {
				continue
			}
			pull := 4 * (scale*wanted[j] - w/sum) * w
			g[0] += pull * (y.At(i, 0) - y.At(j, 0))
			g[1] += pull * (y.At(i, 1) - y.At(j, 1))
			if wanted[j] > 0 {
				divergence += wanted[j] * math.Log(wanted[j]*sum/w)
			}
		}
	}
	return divergence
}
