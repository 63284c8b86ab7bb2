package probe

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Legend: n support molecules of a class, d width of a vector.

// class is a mean and a precision matrix.
//
// With c = (1 − λ)/(n − 1), the rows V = z − w [n, d] and G = (λ/c I + V Vᵀ)⁻¹ [n, n], the precision matrix
// (c Vᵀ V + λ I)⁻¹ is (I − Vᵀ G V)/λ.
type class struct {
	z         [][]float64   // [n, d] the support molecules of the class
	mean      []float64     // w [d]
	shrinkage float64       // λ
	rows      *mat.Dense    // V
	inner     *mat.SymDense // G; nil if c is 0
}

// newClass returns a class with the direction of the mean of z and the matching precision matrix.
func newClass(z [][]float64, d int, shrinkage float64) *class {
	c := &class{z: z, mean: make([]float64, d), shrinkage: shrinkage, rows: mat.NewDense(len(z), d, nil)}
	for _, v := range z {
		floats.Add(c.mean, v)
	}
	shorten(c.mean)
	c.follow()
	return c
}

// spread returns c. The covariance of one molecule is 0.
func (c *class) spread() float64 { return (1 - c.shrinkage) / float64(max(1, len(c.z)-1)) }

// follow recomputes the precision matrix for the current mean.
func (c *class) follow() {
	for i, v := range c.z {
		floats.SubTo(c.rows.RawRowView(i), v, c.mean)
	}
	if c.spread() == 0 {
		return
	}
	var gram mat.SymDense
	gram.SymOuterK(1, c.rows)
	for i := range c.z {
		gram.SetSym(i, i, gram.At(i, i)+c.shrinkage/c.spread())
	}
	var factor mat.Cholesky
	factor.Factorize(&gram) // positive definite: all eigenvalues are at least λ/c
	c.inner = new(mat.SymDense)
	_ = factor.InverseTo(c.inner) // the error is only a warning about the condition number
}

// room holds buffers for one molecule: u = z − w [d], V u and G V u [n], M u [d].
type room struct{ apart, in, out, pulled []float64 }

// newRoom returns buffers for classes of up to n molecules.
func newRoom(n, d int) *room {
	return &room{make([]float64, d), make([]float64, n), make([]float64, n), make([]float64, d)}
}

// distance returns (z − w)ᵀ M (z − w).
func (c *class) distance(z []float64, r *room) float64 {
	floats.SubTo(r.apart, z, c.mean)
	sum := floats.Dot(r.apart, r.apart)
	if c.inner != nil {
		n := len(c.z)
		in, out := mat.NewVecDense(n, r.in[:n]), mat.NewVecDense(n, r.out[:n])
		in.MulVec(c.rows, mat.NewVecDense(len(z), r.apart))
		out.MulVec(c.inner, in)
		sum -= floats.Dot(r.in[:n], r.out[:n])
	}
	return sum / c.shrinkage
}

// pull returns M (z − w) for the molecule of the last call of distance.
func (c *class) pull(r *room) []float64 {
	copy(r.pulled, r.apart)
	if c.inner != nil {
		n := len(c.z)
		mat.NewVecDense(len(r.pulled), r.pulled).MulVec(c.rows.T(), mat.NewVecDense(n, r.out[:n]))
		floats.SubTo(r.pulled, r.apart, r.pulled)
	}
	floats.Scale(1/c.shrinkage, r.pulled)
	return r.pulled
}
