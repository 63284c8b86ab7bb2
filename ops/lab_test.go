package ops

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/sugarme/gotch"
	"github.com/sugarme/gotch/ts"
)

// locked keeps the test on one OS thread, which the gradient setting and
// OpenMP's pool belong to, with n threads of its own.
func locked(t *testing.T, n int) {
	t.Helper()
	runtime.LockOSThread()
	SetThreads(n)
	t.Cleanup(runtime.UnlockOSThread)
}

// run is t.Run with the subtest on one OS thread: it has a goroutine of its
// own.
func run(t *testing.T, name string, f func(*testing.T)) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		locked(t, 2)
		f(t)
	})
}

// precision is the type that a test calculates in and how well two ways to
// the same number agree in it, relative to the largest of the numbers
// compared.
type precision struct {
	name      string
	double    bool
	tolerance float64
}

// Two ways to sum the same terms differ by the rounding of a few hundred
// additions: 2e-16 or 6e-8 each, times what cancels. 1e-11 and 2e-4 leave two
// to three orders for the latter and are far below any wrong formula.
var precisions = []precision{{"float64", true, 1e-11}, {"float32", false, 2e-4}}

// lab makes the tensors of one calculation from a seed, so that the same
// calculation can be made again another way or from a shifted place. It keeps
// the leaves, which collect gradients, by name.
type lab struct {
	*testing.T
	double bool
	r      *rand.Rand
	names  []string
	leaves map[string]*ts.Tensor
	values map[string][]float64
	edit   func(name string, v []float64) // changes the values of a leaf; or nil
	extra  map[string]*ts.Tensor
	made   []*ts.Tensor
}

func newLab(t *testing.T, seed uint64, double bool) *lab {
	return &lab{T: t, double: double, r: rand.New(rand.NewPCG(seed, 1)), leaves: map[string]*ts.Tensor{},
		values: map[string][]float64{}, extra: map[string]*ts.Tensor{}}
}

func (l *lab) drop() { Drop(l.made...) }

// must keeps what an operation returned and fails the test on an error.
func (l *lab) must(t *ts.Tensor, err error) *ts.Tensor {
	l.Helper()
	if err != nil {
		l.Fatal(err)
	}
	l.made = append(l.made, t)
	return t
}

// draw returns n normal numbers.
func (l *lab) draw(n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = l.r.NormFloat64()
	}
	return v
}

func size(shape []int64) int {
	n := 1
	for _, s := range shape {
		n *= int(s)
	}
	return n
}

// leaf makes a parameter of normal numbers times scale, plus offset.
func (l *lab) leaf(name string, offset, scale float64, shape ...int64) *ts.Tensor {
	l.Helper()
	v := l.draw(size(shape))
	for i := range v {
		v[i] = offset + scale*v[i]
	}
	if l.edit != nil {
		l.edit(name, v)
	}
	l.names, l.values[name] = append(l.names, name), v
	l.leaves[name] = l.tensor(v, true, shape...)
	return l.leaves[name]
}

// tensor makes a tensor in the lab's type.
func (l *lab) tensor(v []float64, grad bool, shape ...int64) *ts.Tensor {
	l.Helper()
	if l.double {
		return l.must(newTensor(v, shape, CPU, grad))
	}
	return l.must(newTensor(singles(v), shape, CPU, grad))
}

func singles(v []float64) []float32 {
	s := make([]float32, len(v))
	for i := range v {
		s[i] = float32(v[i])
	}
	return s
}

// linear makes a layer's leaves, scaled so that values keep their size.
func (l *lab) linear(name string, in, out int, bias bool, follow Follow) Linear {
	layer := Linear{W: l.leaf(name+".W", 0, 1/math.Sqrt(float64(in)), int64(out), int64(in)), Follow: follow}
	if bias {
		layer.B = l.leaf(name+".b", 0, 0.3, int64(out))
	}
	return layer
}

func (l *lab) ints(v ...int32) *ts.Tensor  { return l.must(Vector(v, CPU)) }
func (l *lab) bytes(v ...uint8) *ts.Tensor { return l.must(Vector(v, CPU)) }
func (l *lab) read(t *ts.Tensor) []float64 { l.Helper(); return numbers(l.T, t) }

func numbers(t *testing.T, x *ts.Tensor) []float64 {
	t.Helper()
	v, err := ReadAs[float64](x)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// project returns Σ y·c for fixed random c: one number to which every entry
// of y counts.
func (l *lab) project(y *ts.Tensor) *ts.Tensor {
	l.Helper()
	shape, err := y.Size()
	if err != nil {
		l.Fatal(err)
	}
	r := rand.New(rand.NewPCG(7, uint64(size(shape))))
	v := make([]float64, size(shape))
	for i := range v {
		v[i] = r.NormFloat64()
	}
	kind := gotch.Float
	if l.double {
		kind = gotch.Double
	}
	return l.must(l.must(y.Mul(l.tensor(v, false, shape...), false)).Sum(kind, false))
}

// outcome is what one calculation gave: its output, the gradients of its
// leaves, and what else the calculation put into lab.extra.
type outcome struct {
	names  []string
	stages map[string][]float64
}

// calculation builds leaves and an output from a lab.
type calculation func(l *lab) *ts.Tensor

// outcomeOf runs f forward and backward.
func outcomeOf(t *testing.T, seed uint64, double bool, f calculation) outcome {
	t.Helper()
	l := newLab(t, seed, double)
	defer l.drop()
	y := f(l)
	if err := Backward(l.project(y)); err != nil {
		t.Fatal(err)
	}
	o := outcome{[]string{"output"}, map[string][]float64{"output": l.read(y)}}
	for name, x := range l.extra {
		o.names, o.stages[name] = append(o.names, name), l.read(x)
	}
	for _, name := range l.names {
		g, err := Gradient(l.leaves[name])
		if err != nil {
			t.Fatal(err)
		}
		o.names, o.stages["gradient of "+name] = append(o.names, "gradient of "+name), g
	}
	return o
}

// sameOutcome compares a calculation made by an operation with that by its
// plain reference, in both precisions.
func sameOutcome(t *testing.T, seed uint64, f func(l *lab, plain bool) *ts.Tensor) {
	t.Helper()
	for _, p := range precisions {
		got := outcomeOf(t, seed, p.double, func(l *lab) *ts.Tensor { return f(l, false) })
		want := outcomeOf(t, seed, p.double, func(l *lab) *ts.Tensor { return f(l, true) })
		for _, name := range want.names {
			near(t, fmt.Sprintf("seed %d, %s: %s", seed, p.name, name), got.stages[name], want.stages[name], p.tolerance)
		}
	}
}

// near compares numbers within tolerance times the largest of those wanted.
// Where all wanted are below 1, rounding comes from intermediate values of
// about 1, so the scale is not taken smaller.
func near(t *testing.T, what string, got, want []float64, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d numbers, want %d", what, len(got), len(want))
		return
	}
	scale, worst, at := 1.0, 0.0, 0
	for i := range want {
		scale = max(scale, math.Abs(want[i]))
		if d := math.Abs(got[i] - want[i]); !(d <= worst) {
			worst, at = d, i
		}
	}
	if !(worst <= tolerance*scale) {
		t.Errorf("%s: entry %d of %d is %.10g, want %.10g; tolerance %.0e of %.3g",
			what, at, len(want), got[at], want[at], tolerance, scale)
	}
}
