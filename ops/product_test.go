package ops_test

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sugarme/gotch"
	"github.com/sugarme/gotch/ts"

	"pacia/harness/opstest"
	"pacia/ops"
)

// mlpOf returns linear layers of these widths with LeakyReLU between, on n rows. In float32
// this package computes the products, x·wᵀ forward, and x·w and xᵀy backward. In float64
// libtorch computes them.
func mlpOf(n int, widths ...int) opstest.Calculation {
	return func(l *opstest.Lab) *ts.Tensor {
		var layers []ops.Linear
		for i := range widths[1:] {
			follow := ops.Leaky
			if i == len(widths)-2 {
				follow = 0
			}
			layers = append(layers, l.Linear(fmt.Sprintf("mlp.%d", i), widths[i], widths[i+1], i%2 == 0, follow))
		}
		return l.Must(ops.MLP(l.Leaf("x", 0, 1, int64(n), int64(widths[0])), layers, ops.Mode{}))
	}
}

// TestProducts compares products with libtorch's in float64, for sizes below, at and above
// those of tiles and blocks: 6 or 12 rows, 16 or 32 columns, 96 rows, and 256 terms of a sum
// over rows. Other cases have enough rows for several threads, or weights that several
// threads divide into panels.
func TestProducts(t *testing.T) {
	for i, c := range []struct {
		rows   int
		widths []int
	}{
		{1, []int{8, 8}}, {5, []int{1, 9, 16}}, {6, []int{16, 16}}, {7, []int{17, 31, 8}}, {13, []int{33, 32, 15}},
		{95, []int{12, 48, 49}}, {96, []int{40, 64}}, {97, []int{300, 20, 9}}, {192, []int{8, 33}}, {257, []int{24, 50, 10}},
		{1023, []int{13, 9}}, {1024, []int{41, 77}}, {1391, []int{24, 8, 45}},
		{400, []int{37, 96, 97, 12}}, {20, []int{300, 200}}, {0, []int{8, 16}}, {3, []int{9, 7, 1}},
	} {
		opstest.Run(t, fmt.Sprint(c.rows, " rows of ", c.widths), func(t *testing.T) {
			f := mlpOf(c.rows, c.widths...)
			got, want := opstest.Computed(t, uint64(i), false, f), opstest.Computed(t, uint64(i), true, f)
			for _, name := range want.Names {
				// Sums of up to 1,400 terms of about 1, rounded to 6e-8 each.
				opstest.Near(t, name, got.Stages[name], want.Stages[name], 1e-5)
			}
		})
	}
}

// TestProductsAreOfFloat32: the error of a product is at most that of sums in float32, on any
// unit of the processor. With factors of 16 bits of mantissa in place of 24 it would be 5e-6.
func TestProductsAreOfFloat32(t *testing.T) {
	opstest.Locked(t, 2)
	for seed, terms := range []int{8, 32, 40} {
		const rows, out = 200, 48
		l := opstest.New(t, uint64(seed), false)
		l.Edit = func(_ string, v []float64) {
			for i := range v {
				v[i] = float64(float32(math.Ldexp(v[i], i%7-3)))
			}
		}
		y := l.Read(mlpOf(rows, terms, out)(l))
		x, w, bias := l.Values["x"], l.Values["mlp.0.W"], l.Values["mlp.0.b"]
		worst := 0.0
		for i := range y {
			want, size := bias[i%out], math.Abs(bias[i%out])
			for k := range terms {
				p := x[i/out*terms+k] * w[i%out*terms+k]
				want += p
				size += math.Abs(p)
			}
			worst = max(worst, math.Abs(y[i]-want)/size)
		}
		if worst > 6e-7 {
			t.Errorf("%s: sums of %d terms are off by %.1e of their size, more than float32's 6e-7", ops.Products(), terms, worst)
		}
		t.Logf("%s: %d terms, off by %.1e", ops.Products(), terms, worst)
		l.Drop()
	}
}

// TestProductsDoNotDependOnThreads: the number of threads of a call does not change a bit of
// a product, with few rows or many, or of a narrow one.
func TestProductsDoNotDependOnThreads(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	defer ops.SetThreads(ops.Threads())
	for i, c := range []struct {
		rows   int
		widths []int
	}{
		{1, []int{300, 600, 100}}, {2, []int{131, 9, 1}}, {6, []int{200, 100}}, {15, []int{300, 100, 33}}, {16, []int{200, 100, 8}},
		{132, []int{200, 100, 50, 1}}, {180, []int{300, 300}}, {700, []int{40, 77, 7}}, {1500, []int{20, 48}}, {2500, []int{40, 2, 30}},
	} {
		opstest.Run(t, fmt.Sprint(c.rows, " rows of ", c.widths), func(t *testing.T) {
			var want []float64
			for _, threads := range []int{1, 2, 3, 4} {
				ops.SetThreads(threads)
				o := opstest.Computed(t, uint64(i), false, mlpOf(c.rows, c.widths...))
				var all []float64
				for _, name := range slices.Sorted(maps.Keys(o.Stages)) {
					all = append(all, o.Stages[name]...)
				}
				if threads == 1 {
					want = all
				} else if !slices.Equal(all, want) {
					t.Errorf("with %d threads the product or one of its gradients differs from that with one", threads)
				}
			}
		})
	}
}

// TestProductsKeepNaN: a LeakyReLU must not turn NaN into a number.
func TestProductsKeepNaN(t *testing.T) {
	opstest.Locked(t, 2)
	l := opstest.New(t, 1, false)
	defer l.Drop()
	l.Edit = func(name string, v []float64) {
		if name == "x" {
			v[3*20] = math.NaN()
		}
	}
	for i, y := range l.Read(mlpOf(7, 20, 16, 16)(l)) {
		if row := i / 16; math.IsNaN(y) != (row == 3) {
			t.Fatalf("row %d is %v; only row 3 must be NaN", row, y)
		}
	}
}

// rounded returns v with the given number of bits of mantissa, including the leading one.
func rounded(v []float64, bits int) []float64 {
	out := make([]float64, len(v))
	for i := range v {
		fraction, exponent := math.Frexp(float64(float32(v[i])))
		out[i] = math.Ldexp(math.RoundToEven(math.Ldexp(fraction, bits)), exponent-bits)
	}
	return out
}

// productOf returns Σ_k a[i, k] b[k, j]. Entries are sa and sb apart along i, k and k, j.
func productOf(n, m, terms int, a []float64, sa [2]int, b []float64, sb [2]int) []float64 {
	out := make([]float64, n*m)
	for i := range out {
		for k := range terms {
			out[i] += a[i/m*sa[0]+k*sa[1]] * b[k*sb[0]+i%m*sb[1]]
		}
	}
	return out
}

// TestBF16OfAFewRows: a row has the same product among few rows and among many.
func TestBF16OfAFewRows(t *testing.T) {
	if !ops.HasBF16() {
		t.Skip("this processor has no unit for bf16")
	}
	opstest.Locked(t, 2)
	ops.SetPrecision(ops.BF16)
	defer ops.SetPrecision(ops.Float32)
	const in, out, many = 300, 100, 67
	same := func(_ string, v []float64) {
		for i := range v {
			v[i] = math.Sin(float64(i)) // the same for any number of rows
		}
	}
	var want []float64
	for _, rows := range []int{many, 1, 2, 7, 15, 16, 17, 33} {
		l := opstest.New(t, 1, false)
		l.Edit = same
		y := l.Read(mlpOf(rows, in, out, 20)(l))
		l.Drop()
		if rows == many {
			want = y
		} else if !slices.Equal(y, want[:len(y)]) {
			t.Errorf("%d rows have other products than as the first of %d", rows, many)
		}
	}
}

// TestBF16: products are those of the rounded factors, to the accuracy of
// float32.
func TestBF16(t *testing.T) {
	if !ops.HasBF16() {
		t.Skip("this processor has no unit for bf16")
	}
	opstest.Locked(t, 2)
	ops.SetPrecision(ops.BF16)
	defer ops.SetPrecision(ops.Float32)
	for i, c := range [][3]int{{16, 8, 8}, {20, 30, 24}, {97, 33, 50}, {200, 64, 32}, {257, 65, 97}, {20, 300, 200}, {1025, 34, 40}} {
		rows, in, out := c[0], c[1], c[2]
		l := opstest.New(t, uint64(i), false)
		y := mlpOf(rows, in, out)(l)
		g := l.Draw(rows * out)
		weighted := l.Must(y.Mul(l.Tensor(g, false, int64(rows), int64(out)), false))
		if err := ops.Backward(l.Must(weighted.Sum(gotch.Float, false))); err != nil {
			t.Fatal(err)
		}
		x, w := rounded(l.Values["x"], 8), rounded(l.Values["mlp.0.W"], 8)
		g = rounded(g, 8)
		want := productOf(rows, out, in, x, [2]int{in, 1}, w, [2]int{1, in})
		for i := range want {
			want[i] += l.Values["mlp.0.b"][i%out]
		}
		opstest.Near(t, fmt.Sprint(c, ": output"), l.Read(y), want, 2e-6)
		for name, want := range map[string][]float64{
			"x":       productOf(rows, in, out, g, [2]int{out, 1}, w, [2]int{in, 1}),
			"mlp.0.W": productOf(out, in, rows, g, [2]int{1, out}, x, [2]int{in, 1}),
		} {
			got, err := ops.Gradient(l.Leaves[name])
			if err != nil {
				t.Fatal(err)
			}
			opstest.Near(t, fmt.Sprint(c, ": gradient of ", name), got, want, 2e-6)
		}
		l.Drop()
	}
}

// BenchmarkProducts times a layer of the GIN at the presets' widths, forward
// and backward.
func BenchmarkProducts(b *testing.B) {
	ops.SetThreads(1)
	r := rand.New(rand.NewPCG(1, 1))
	draw := func(n int) []float32 {
		v := make([]float32, n)
		for i := range v {
			v[i] = r.Float32()
		}
		return v
	}
	const rows, in, out = 3000, 300, 600
	x, err := ops.NewParameter(draw(rows*in), []int64{rows, in}, ops.CPU)
	if err != nil {
		b.Fatal(err)
	}
	w, err := ops.NewParameter(draw(in*out), []int64{out, in}, ops.CPU)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		y, err := ops.MLP(x, []ops.Linear{{W: w}}, ops.Mode{})
		if err != nil {
			b.Fatal(err)
		}
		ops.Drop(y)
	}
	b.ReportMetric(2e-9*rows*in*out*float64(b.N)/b.Elapsed().Seconds(), "GFLOP/s")
}
