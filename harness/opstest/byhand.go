package opstest

// Plain Go of the method, row by row, for operations that consist of calls of ATen and
// have no other definition to compare with.

// Matrix is a list of rows.
type Matrix [][]float64

// Rows returns v as rows of this width.
func Rows(v []float64, width int) Matrix {
	m := make(Matrix, len(v)/width)
	for i := range m {
		m[i] = v[i*width : (i+1)*width : (i+1)*width]
	}
	return m
}

// Sum returns the sum of vectors.
func Sum(first []float64, rest ...[]float64) []float64 {
	s := append([]float64(nil), first...)
	for _, r := range rest {
		for i := range s {
			s[i] += r[i]
		}
	}
	return s
}

// Times returns k x.
func Times(k float64, x []float64) []float64 {
	y := make([]float64, len(x))
	for i := range x {
		y[i] = k * x[i]
	}
	return y
}

// Dot returns the inner product.
func Dot(x, y []float64) float64 {
	s := 0.0
	for i := range x {
		s += x[i] * y[i]
	}
	return s
}

// Affine returns W x + b; b may be nil.
func Affine(w, b, x []float64) []float64 {
	y := make([]float64, len(w)/len(x))
	for o, row := range Rows(w, len(x)) {
		y[o] = Dot(row, x)
		if b != nil {
			y[o] += b[o]
		}
	}
	return y
}

// Leaky returns LeakyReLU with slope 0.01.
func Leaky(x []float64) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = max(v, 0.01*v)
	}
	return y
}
