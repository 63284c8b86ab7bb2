package ops

import (
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"testing"

	"github.com/sugarme/gotch/ts"
)

// locked locks the test to one OS thread, to which the gradient setting and OpenMP's
// pool belong, and sets the number of threads to n.
func locked(t *testing.T, n int) {
	t.Helper()
	runtime.LockOSThread()
	SetThreads(n)
	t.Cleanup(runtime.UnlockOSThread)
}

// run is like t.Run with the subtest locked to one OS thread, because a subtest is a
// separate goroutine.
func run(t *testing.T, name string, f func(*testing.T)) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		locked(t, 2)
		f(t)
	})
}

// runBoth runs a subtest on the loops for the CPU, and on the kernels for a GPU.
func runBoth(t *testing.T, name string, f func(*testing.T)) {
	t.Helper()
	run(t, name, f)
	run(t, name+", kernels", func(t *testing.T) {
		emulated(t)
		f(t)
	})
}

// emulated makes the test's operations run their kernels.
func emulated(t *testing.T) {
	t.Helper()
	onKernels(t, true)
	t.Cleanup(func() { onKernels(t, false) })
}

// onKernels switches the kernels of operations on or off: on the device that
// PACIA_TEST_DEVICE names, such as cuda, or else on the emulator.
func onKernels(t *testing.T, on bool) {
	t.Helper()
	name := os.Getenv("PACIA_TEST_DEVICE")
	switch {
	case name == "":
		Emulate(on)
	case !on:
		where = CPU
	default:
		var err error
		if where, err = ParseDevice(name); err != nil {
			t.Fatal(err)
		}
	}
}

// where is the device of the tensors that a lab makes.
var where = CPU

// lab makes the tensors of one calculation from a seed, so that the same calculation can be
// repeated in another way or from a shifted point. It keeps the leaves, which have
// gradients, by name.
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

// must keeps the result of an operation and fails the test on an error.
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
		return l.must(newTensor(v, shape, where, grad))
	}
	return l.must(newTensor(singles(v), shape, where, grad))
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

func (l *lab) ints(v ...int32) *ts.Tensor  { return l.must(Vector(v, where)) }
func (l *lab) bytes(v ...uint8) *ts.Tensor { return l.must(Vector(v, where)) }
func (l *lab) read(t *ts.Tensor) []float64 { l.Helper(); return numbers(l.T, t) }

func numbers(t *testing.T, x *ts.Tensor) []float64 {
	t.Helper()
	v, err := ReadAs[float64](x)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
