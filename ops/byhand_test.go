package ops

// Plain Go of the method, row by row, for operations that consist of calls of ATen and
// have no other definition to compare with.

// matrix is a list of rows.
type matrix [][]float64

func matrixOf(v []float64, width int) matrix {
	m := make(matrix, len(v)/width)
	for i := range m {
		m[i] = v[i*width : (i+1)*width : (i+1)*width]
	}
	return m
}

// sum returns the sum of vectors.
func sum(first []float64, rest ...[]float64) []float64 {
	s := append([]float64(nil), first...)
	for _, r := range rest {
		for i := range s {
			s[i] += r[i]
		}
	}
	return s
}

func times(k float64, x []float64) []float64 {
	y := make([]float64, len(x))
	for i := range x {
		y[i] = k * x[i]
	}
	return y
}

func dot(x, y []float64) float64 {
	s := 0.0
	for i := range x {
		s += x[i] * y[i]
	}
	return s
}

// affine returns W x + b; b may be nil.
func affine(w, b, x []float64) []float64 {
	y := make([]float64, len(w)/len(x))
	for o, row := range matrixOf(w, len(x)) {
		y[o] = dot(row, x)
		if b != nil {
			y[o] += b[o]
		}
	}
	return y
}

// leaky returns LeakyReLU with slope 0.01.
func leaky(x []float64) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = max(v, 0.01*v)
	}
	return y
}
