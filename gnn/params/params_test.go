package params

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/ops"
)

func newSet(t *testing.T, seed uint64, float64s bool) *Set {
	s := &Set{Device: ops.CPU, Seed: seed, Float64: float64s}
	t.Cleanup(s.Drop)
	return s
}

func values(t *testing.T, x *ts.Tensor) []float64 {
	t.Helper()
	v, err := ops.ReadAs[float64](x)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestValuesDependOnSeedAndName: initial values depend on nothing else, so that a part
// that two models share has equal initial values.
func TestValuesDependOnSeedAndName(t *testing.T) {
	one, two, other := newSet(t, 1, false), newSet(t, 1, false), newSet(t, 2, false)
	a := values(t, one.Uniform("a", 1, 100))
	b := values(t, one.Uniform("b", 1, 100))
	two.Part("another")
	two.Embedding("before", 3, 4)
	if again := values(t, two.Uniform("b", 1, 100)); !slices.Equal(again, b) {
		t.Error("b starts differently where another parameter was made before it")
	}
	if again := values(t, two.Uniform("a", 1, 20, 5)); !slices.Equal(again, a) {
		t.Error("a starts differently where it is made later, in another shape of as many values")
	}
	if slices.Equal(a, b) {
		t.Error("a and b start alike")
	}
	if slices.Equal(a, values(t, other.Uniform("a", 1, 100))) {
		t.Error("a starts alike from seeds 1 and 2")
	}
}

// TestPrecisionsAgree: float64 holds what float32 rounds.
func TestPrecisionsAgree(t *testing.T) {
	single, double := newSet(t, 3, false), newSet(t, 3, true)
	s, d := values(t, single.Uniform("a", 1, 1000)), values(t, double.Uniform("a", 1, 1000))
	for i := range d {
		if float32(d[i]) != float32(s[i]) || float64(float32(d[i])) != s[i] {
			t.Fatalf("value %d is %v in float32 and %v in float64", i, s[i], d[i])
		}
	}
	if slices.Equal(s, d) {
		t.Error("float64 values are float32 values")
	}
}

// TestBounds: values are uniform in −bound..bound. The probability that none of n values
// is above 0.99 of the bound is 0.995ⁿ, e⁻¹⁰ for 2000. The mean is within 5 of its
// standard deviations, bound/√(3n).
func TestBounds(t *testing.T) {
	s := newSet(t, 4, true)
	linear := s.Linear("linear", 64, 2000, true, ops.Leaky)
	for _, c := range []struct {
		name  string
		x     *ts.Tensor
		bound float64
	}{
		{"uniform", s.Uniform("uniform", 3, 50, 40), 3},
		{"weight of a linear layer", linear.W, 1 / math.Sqrt(64)},
		{"bias of a linear layer", linear.B, 1 / math.Sqrt(64)},
		{"embedding", s.Embedding("embedding", 20, 100), math.Sqrt(6.0 / 120)},
	} {
		v := values(t, c.x)
		low, high, mean := slices.Min(v), slices.Max(v), 0.0
		for _, x := range v {
			mean += x / float64(len(v))
		}
		if low < -c.bound || high > c.bound {
			t.Errorf("%s: values from %v to %v leave ±%v", c.name, low, high, c.bound)
		}
		if low > -0.99*c.bound || high < 0.99*c.bound {
			t.Errorf("%s: values from %v to %v do not fill ±%v", c.name, low, high, c.bound)
		}
		if limit := 5 * c.bound / math.Sqrt(3*float64(len(v))); math.Abs(mean) > limit {
			t.Errorf("%s: mean %v, want 0 ± %v", c.name, mean, limit)
		}
	}
	if linear.Follow != ops.Leaky {
		t.Errorf("what follows the layer is %v", linear.Follow)
	}
	if l := s.Linear("without", 4, 4, false, 0); l.B != nil {
		t.Error("a layer without bias has one")
	}
}

func TestLists(t *testing.T) {
	s := newSet(t, 5, false)
	s.Part("first")
	s.Linear("linear", 3, 4, true, 0)
	s.Buffer("mean", 0, 7)
	s.Part("second")
	s.Constant("scale", 1, 2, 3)
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	var got []string
	count := 0
	for _, p := range s.Trained() {
		got = append(got, p.Part+": "+p.Name)
		count += p.Size()
	}
	if want := []string{"first: linear.weight", "first: linear.bias", "second: scale"}; !slices.Equal(got, want) {
		t.Errorf("trained: %q, want %q", got, want)
	}
	if count != 4*3+4+2*3 {
		t.Errorf("%d values trained, want 22", count)
	}
	if b := s.Buffers(); len(b) != 1 || b[0].Name != "mean" || b[0].Size() != 7 {
		t.Errorf("buffers: %+v", b)
	}
	if v := values(t, s.Trained()[2].Tensor); !slices.Equal(v, []float64{1, 1, 1, 1, 1, 1}) {
		t.Errorf("a constant parameter starts with %v", v)
	}
	// Parameters collect gradients, buffers do not.
	for _, p := range append(s.Trained(), s.Buffers()...) {
		grad, err := p.Tensor.RequiresGrad()
		if err != nil || grad != (p.Name != "mean") {
			t.Errorf("%s collects gradients: %v, %v", p.Name, grad, err)
		}
	}
}

// TestErrIsKept: the first error names the parameter, and what is made after
// it is nil and does not hide it.
func TestErrIsKept(t *testing.T) {
	info, err := ops.Info()
	if err != nil {
		t.Fatal(err)
	}
	if info.Devices > 0 {
		t.Skip("there is a CUDA device: making a parameter on it does not fail")
	}
	s := &Set{Device: 0}
	if x := s.Uniform("weights", 1, 3); x != nil {
		t.Error("a tensor on a device that is not there")
	}
	if l := s.Linear("later", 2, 2, true, 0); l.W != nil || l.B != nil {
		t.Error("a layer after an error")
	}
	if err := s.Err(); err == nil || !strings.Contains(err.Error(), "parameter weights: ") {
		t.Errorf("the error is %v", err)
	}
	s.Drop()
}
