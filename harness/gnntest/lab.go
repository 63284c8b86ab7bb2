// Package gnntest has helpers for tests of encoders.
package gnntest

import (
	"math"
	"runtime"
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/gnn"
	"pacia/gnn/params"
	"pacia/internal/each"
	"pacia/ops"
)

// Lab is an encoder with molecules, for comparisons with numbers of another program.
type Lab struct {
	testing.TB
	Set     *params.Set
	Encoder gnn.Encoder
	Readout *gnn.Readout
	Graph   *ops.Graph
	Made    []*ts.Tensor
}

// NewLab returns a Lab without an encoder. Its tensors are dropped at the end of the test.
func NewLab(t testing.TB, double bool) *Lab {
	t.Helper()
	runtime.LockOSThread()
	l := &Lab{TB: t, Set: &params.Set{Device: ops.CPU, Float64: double}}
	t.Cleanup(func() {
		ops.Drop(l.Made...)
		l.Set.Drop()
		runtime.UnlockOSThread()
	})
	return l
}

// Must keeps x until the end of the test. An error ends the test.
func (l *Lab) Must(x *ts.Tensor, err error) *ts.Tensor {
	l.Helper()
	if err != nil {
		l.Fatal(err)
	}
	l.Made = append(l.Made, x)
	return x
}

// Near compares numbers with those of the fixture, each within tolerance of the
// largest wanted or of 1.
func (l *Lab) Near(what string, got, want []float64, tolerance float64) {
	l.Helper()
	if len(got) != len(want) {
		l.Fatalf("%s: %d numbers, want %d", what, len(got), len(want))
	}
	scale, worst := 1.0, 0.0
	for i := range want {
		scale = max(scale, math.Abs(want[i]))
		worst = max(worst, math.Abs(got[i]-want[i]))
	}
	if !(worst <= tolerance*scale) {
		l.Errorf("%s: %.2g apart, tolerance %.0e of %.3g", what, worst, tolerance, scale)
	}
	l.Logf("%s: %.2g apart", what, worst)
}

// WriteAs writes values in the precision of s.
func WriteAs(s *params.Set, t *ts.Tensor, values []float64) error {
	if s.Float64 {
		return ops.Write(t, values)
	}
	single := each.As[float32](values)
	return ops.Write(t, single)
}

// Read returns the values of a tensor.
func Read(t testing.TB, x *ts.Tensor) []float64 {
	t.Helper()
	v, err := ops.ReadAs[float64](x)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// Ramp returns n equally spaced numbers from −1 to 1, as in the fixtures, and −1 for n = 1.
func Ramp(n int) []float64 {
	ramp := make([]float64, n)
	for i := range ramp {
		ramp[i] = -1 + 2*float64(i)/float64(max(1, n-1))
	}
	return ramp
}

// Loss returns the sum of the embeddings times a ramp from −1 to 1.
func (l *Lab) Loss(y *ts.Tensor) *ts.Tensor {
	l.Helper()
	shape, err := y.Size()
	if err != nil {
		l.Fatal(err)
	}
	weights := l.Must(y.ZerosLike(false))
	if err := WriteAs(l.Set, weights, Ramp(int(shape[0]*shape[1]))); err != nil {
		l.Fatal(err)
	}
	product := l.Must(y.Mul(weights, false))
	return l.Must(product.Sum(product.DType(), false))
}
