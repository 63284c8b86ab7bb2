package opstest

import (
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/ops"
)

// Locked locks the test to one OS thread, to which the gradient setting and OpenMP's
// pool belong, and sets the number of threads to n.
func Locked(t *testing.T, n int) {
	t.Helper()
	runtime.LockOSThread()
	ops.SetThreads(n)
	t.Cleanup(runtime.UnlockOSThread)
}

// Run is like t.Run with the subtest locked to one OS thread, because a subtest is a
// separate goroutine.
func Run(t *testing.T, name string, f func(*testing.T)) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		Locked(t, 2)
		f(t)
	})
}

// RunBoth runs a subtest on the loops for the CPU, and on the kernels for a GPU.
func RunBoth(t *testing.T, name string, f func(*testing.T)) {
	t.Helper()
	Run(t, name, f)
	Run(t, name+", kernels", func(t *testing.T) {
		Emulated(t)
		f(t)
	})
}

// Emulated makes the test's operations run their kernels.
func Emulated(t *testing.T) {
	t.Helper()
	OnKernels(t, true)
	t.Cleanup(func() { OnKernels(t, false) })
}

// OnKernels switches the kernels of operations on or off: on the device that
// PACIA_TEST_DEVICE names, such as cuda, or else on the emulator.
func OnKernels(t *testing.T, on bool) {
	t.Helper()
	name := os.Getenv("PACIA_TEST_DEVICE")
	switch {
	case name == "":
		ops.Emulate(on)
	case !on:
		Device = ops.CPU
	default:
		var err error
		if Device, err = ops.ParseDevice(name); err != nil {
			t.Fatal(err)
		}
	}
}

// Device is the device of the tensors that a lab makes.
var Device = ops.CPU

// Lab makes the tensors of one calculation from a seed, so that the same calculation can be
// repeated in another way or from a shifted point. It keeps the leaves, which have
// gradients, by name.
type Lab struct {
	*testing.T
	Double bool
	Rand   *rand.Rand
	Names  []string
	Leaves map[string]*ts.Tensor
	Values map[string][]float64
	Edit   func(name string, v []float64) // changes the values of a leaf; or nil
	Extra  map[string]*ts.Tensor
	Made   []*ts.Tensor
	Graphs []*ops.Graph
}

// New returns a lab of this seed, in float64 if double is set, otherwise in float32.
func New(t *testing.T, seed uint64, double bool) *Lab {
	return &Lab{T: t, Double: double, Rand: rand.New(rand.NewPCG(seed, 1)), Leaves: map[string]*ts.Tensor{},
		Values: map[string][]float64{}, Extra: map[string]*ts.Tensor{}}
}

// Drop releases all that the lab made.
func (l *Lab) Drop() {
	ops.Drop(l.Made...)
	for _, g := range l.Graphs {
		g.Drop()
	}
}

// Must keeps the result of an operation and fails the test on an error.
func (l *Lab) Must(t *ts.Tensor, err error) *ts.Tensor {
	l.Helper()
	if err != nil {
		l.Fatal(err)
	}
	l.Made = append(l.Made, t)
	return t
}

// Draw returns n normal numbers.
func (l *Lab) Draw(n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = l.Rand.NormFloat64()
	}
	return v
}

// Size returns the number of elements of a shape.
func Size(shape []int64) int {
	n := 1
	for _, s := range shape {
		n *= int(s)
	}
	return n
}

// Leaf makes a parameter of normal numbers times scale, plus offset.
func (l *Lab) Leaf(name string, offset, scale float64, shape ...int64) *ts.Tensor {
	l.Helper()
	v := l.Draw(Size(shape))
	for i := range v {
		v[i] = offset + scale*v[i]
	}
	if l.Edit != nil {
		l.Edit(name, v)
	}
	l.Names, l.Values[name] = append(l.Names, name), v
	l.Leaves[name] = l.Tensor(v, true, shape...)
	return l.Leaves[name]
}

// Tensor makes a tensor in the lab's type.
func (l *Lab) Tensor(v []float64, grad bool, shape ...int64) *ts.Tensor {
	l.Helper()
	switch {
	case l.Double && grad:
		return l.Must(ops.NewParameter(v, shape, Device))
	case l.Double:
		return l.Must(ops.New(v, shape, Device))
	case grad:
		return l.Must(ops.NewParameter(Singles(v), shape, Device))
	}
	return l.Must(ops.New(Singles(v), shape, Device))
}

// Singles returns v in float32.
func Singles(v []float64) []float32 {
	s := make([]float32, len(v))
	for i := range v {
		s[i] = float32(v[i])
	}
	return s
}

// Linear makes a layer's leaves, scaled so that values keep their size.
func (l *Lab) Linear(name string, in, out int, bias bool, follow ops.Follow) ops.Linear {
	layer := ops.Linear{W: l.Leaf(name+".W", 0, 1/math.Sqrt(float64(in)), int64(out), int64(in)), Follow: follow}
	if bias {
		layer.B = l.Leaf(name+".b", 0, 0.3, int64(out))
	}
	return layer
}

func (l *Lab) Ints(v ...int32) *ts.Tensor  { return l.Must(ops.Vector(v, Device)) }
func (l *Lab) Bytes(v ...uint8) *ts.Tensor { return l.Must(ops.Vector(v, Device)) }
func (l *Lab) Read(t *ts.Tensor) []float64 { l.Helper(); return Numbers(l.T, t) }

// Numbers returns the elements of a tensor.
func Numbers(t *testing.T, x *ts.Tensor) []float64 {
	t.Helper()
	v, err := ops.ReadAs[float64](x)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
