package ops_test

import (
	"math"
	"slices"
	"testing"

	"github.com/sugarme/gotch"
	"github.com/sugarme/gotch/ts"

	"pacia/harness/opstest"
	"pacia/ops"
)

// TestLists: copies, sums, gradients and norms of lists, also of two precisions.
func TestLists(t *testing.T) {
	opstest.Locked(t, 1)
	parameters := func() ops.List {
		a, err := ops.NewParameter([]float32{1, 2, 3, 4}, []int64{2, 2}, ops.CPU)
		if err != nil {
			t.Fatal(err)
		}
		b, err := ops.NewParameter([]float32{5}, []int64{1}, ops.CPU)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(ops.List{a, b}.Drop)
		return ops.List{a, b}
	}
	wants := func(what string, l ops.List, err error, want ...float64) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		var got []float64
		for _, x := range l {
			v, err := ops.ReadAs[float64](x)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, v...)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s gives %v, want %v", what, got, want)
		}
	}
	p := parameters()
	c, err := p.Clone()
	defer c.Drop()
	wants("a clone", c, err, 1, 2, 3, 4, 5)
	d, err := ops.ListLike(p, true)
	defer d.Drop()
	wants("a list like it", d, err, 0, 0, 0, 0, 0)
	wants("3·0 + 2·p", d, d.Add(3, p, 2), 2, 4, 6, 8, 10)
	wants("a copy into single precision", c, c.Copy(d), 2, 4, 6, 8, 10)
	wants("p − c", p, p.Add(1, c, -1), -1, -2, -3, -4, -5)

	norm, err := d.Norm()
	if want := math.Sqrt(4 + 16 + 36 + 64 + 100); err != nil || math.Abs(norm-want) > 1e-12 {
		t.Errorf("the norm is %v (%v), want %v", norm, err, want)
	}
	// A parameter that nothing depends on has no gradient, which counts as 0.
	sum := p[0].MustSum(gotch.Float, false)
	defer sum.MustDrop()
	if err := ops.Backward(sum); err != nil {
		t.Fatal(err)
	}
	wants("0·d + gradients/2", d, d.AddGradients(0, p, 0.5), 0.5, 0.5, 0.5, 0.5, 0)
	if err := ops.SetGradients(p, c); err != nil {
		t.Fatal(err)
	}
	wants("what gradients were set to", d, d.AddGradients(0, p, 1), 2, 4, 6, 8, 10)
	if err := d.Copy(p[:1]); err == nil {
		t.Error("lists of different lengths are copied")
	}
}

// TestShareOfRate: a parameter with a share of the rate changes by that share of each step,
// including weight decay.
func TestShareOfRate(t *testing.T) {
	opstest.RunBoth(t, "steps", func(t *testing.T) {
		var last [2]float64
		for i, of := range []float64{1, 0.25} {
			p, err := ops.NewParameter([]float64{2}, []int64{1}, opstest.Device)
			if err != nil {
				t.Fatal(err)
			}
			defer p.MustDrop()
			adam, err := ops.NewAdam([]*ts.Tensor{p}, ops.AdamOptions{LR: 0.1, WeightDecay: 0.5, Decoupled: true})
			if err == nil {
				defer adam.Drop()
				err = adam.Share([]*ts.Tensor{p}, of)
			}
			if err != nil {
				t.Fatal(err)
			}
			loss := p.MustSum(gotch.Double, false)
			defer loss.MustDrop()
			if err := ops.Backward(loss); err != nil {
				t.Fatal(err)
			}
			if _, err := adam.Step(); err != nil {
				t.Fatal(err)
			}
			v, err := ops.ReadAs[float64](p)
			if err != nil {
				t.Fatal(err)
			}
			last[i] = v[0] - 2
		}
		if math.Abs(last[1]-last[0]/4) > 1e-12 || last[0] == 0 {
			t.Errorf("with a quarter of the rate the change is %v, with all of it %v", last[1], last[0])
		}
	})
}

// TestListWithoutMemory: a list that ends at a tensor too large for memory releases those made before it.
func TestListWithoutMemory(t *testing.T) {
	opstest.Locked(t, 1)
	large, err := ops.New(make([]float32, 8<<20), []int64{8 << 20}, ops.CPU)
	if err != nil {
		t.Fatal(err)
	}
	defer ops.Drop(large)
	one, err := ops.New([]float32{1}, []int64{1}, ops.CPU)
	if err != nil {
		t.Fatal(err)
	}
	defer ops.Drop(one)
	beyond, err := one.Expand([]int64{1 << 48}, true, false)
	if err != nil {
		t.Fatal(err)
	}
	defer ops.Drop(beyond)
	before := addressSpace(t)
	for range 10 {
		if _, err := ops.ListLike(ops.List{large, beyond}, false); err == nil {
			t.Fatal("a list of a petabyte was made")
		}
	}
	if more := addressSpace(t) - before; more > 100<<20 {
		t.Errorf("ten lists that could not be made hold %d kB", more>>10)
	}
}
