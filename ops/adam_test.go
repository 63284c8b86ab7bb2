package ops_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/harness/opstest"
	"pacia/ops"
)

// trainee holds parameters trained by Adam, and the same in plain Go.
type trainee struct {
	*opstest.Lab
	params []*ts.Tensor
	adam   *ops.Adam
	o      ops.AdamOptions
	p      opstest.Matrix // parameters, moments
	m, v   opstest.Matrix
	steps  int
}

var traineeSizes = []int{1, 7, 40, 70_000} // the last one is divided among threads

func newTrainee(t *testing.T, double bool, o ops.AdamOptions) *trainee {
	t.Helper()
	l := opstest.New(t, 11, double)
	x := &trainee{Lab: l, o: o}
	for i, n := range traineeSizes {
		name := fmt.Sprint("θ", i)
		x.params = append(x.params, l.Leaf(name, 0, 1, int64(n)))
		x.p = append(x.p, slices.Clone(l.Values[name]))
		x.m, x.v = append(x.m, make([]float64, n)), append(x.v, make([]float64, n))
	}
	var err error
	if x.adam, err = ops.NewAdam(x.params, o); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.adam.Drop(); l.Drop() })
	return x
}

// backward gives the parameters, except those in skip, gradients of about the given size
// and returns these.
func (x *trainee) backward(scale float64, skip ...int) opstest.Matrix {
	x.Helper()
	grads := make(opstest.Matrix, len(x.params))
	for i, p := range x.params {
		if slices.Contains(skip, i) {
			continue
		}
		grads[i] = opstest.Times(scale, x.Draw(len(x.p[i])))
		c := x.Tensor(grads[i], false, int64(len(grads[i])))
		y := x.Must(p.Dot(c, false))
		if err := ops.Backward(y); err != nil {
			x.Fatal(err)
		}
	}
	return grads
}

// byHand makes one step of Kingma and Ba's Adam or Loshchilov and Hutter's AdamW on the
// parameters that have gradients. It returns the norm of the gradients.
func (x *trainee) byHand(grads opstest.Matrix) float64 {
	o, norm := x.o, 0.0
	for _, g := range grads {
		norm += opstest.Dot(g, g)
	}
	norm = math.Sqrt(norm)
	clip := 1.0
	if o.ClipNorm > 0 {
		clip = min(1, o.ClipNorm/(norm+1e-6)) // as torch's clip_grad_norm_
	}
	x.steps++
	t := float64(x.steps)
	rate := o.LR * o.Schedule.Share(x.steps)
	for i, g := range grads {
		for k := range g {
			d := clip * g[k]
			if o.Decoupled {
				x.p[i][k] -= rate * o.WeightDecay * x.p[i][k]
			} else {
				d += o.WeightDecay * x.p[i][k]
			}
			x.m[i][k] = o.Beta1*x.m[i][k] + (1-o.Beta1)*d
			x.v[i][k] = o.Beta2*x.v[i][k] + (1-o.Beta2)*d*d
			m, v := x.m[i][k]/(1-math.Pow(o.Beta1, t)), x.v[i][k]/(1-math.Pow(o.Beta2, t))
			x.p[i][k] -= rate * m / (math.Sqrt(v) + o.Eps)
		}
	}
	return norm
}

var optimisers = map[string]ops.AdamOptions{
	"Adam":              {LR: 0.006, Beta1: 0.9, Beta2: 0.999, Eps: 1e-8},
	"Adam, decay, clip": {LR: 0.01, Beta1: 0.8, Beta2: 0.99, Eps: 1e-6, WeightDecay: 0.1, ClipNorm: 1},
	"AdamW":             {LR: 0.01, Beta1: 0.9, Beta2: 0.999, Eps: 1e-8, WeightDecay: 0.1, Decoupled: true},
	"AdamW, clip":       {LR: 0.0006, Beta1: 0.9, Beta2: 0.999, Eps: 1e-8, WeightDecay: 5e-5, Decoupled: true, ClipNorm: 1},
	"schedule": {LR: 0.01, Beta1: 0.9, Beta2: 0.999, Eps: 1e-8, WeightDecay: 0.1, Decoupled: true, Schedule: ops.Schedule{Warm: 3,
		Steps: 5, Least: 0.1}},
	"norm below the clip": {LR: 0.01, Beta1: 0.9, Beta2: 0.999, Eps: 1e-8, ClipNorm: 1e6},
}

// TestAdam makes several steps. One parameter never has a gradient and does not change.
// Another one has no new gradient in odd steps: its cleared gradient counts as 0, and its
// moments are still updated. In float32 every step rounds by 6e-8.
func TestAdam(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for name, o := range optimisers {
		for _, p := range []opstest.Precision{{Name: "float64", Double: true, Tolerance: 1e-11}, {Name: "float32", Double: false,
			Tolerance: 3e-6}} {
			opstest.RunBoth(t, name+", "+p.Name, func(t *testing.T) {
				const never, sometimes, steps = 1, 2, 6
				x := newTrainee(t, p.Double, o)
				for step := range steps {
					skip := []int{never}
					if step%2 == 1 {
						skip = append(skip, sometimes)
					}
					grads := x.backward(1, skip...)
					if grads[sometimes] == nil {
						grads[sometimes] = make([]float64, len(x.p[sometimes]))
					}
					want := x.byHand(grads)
					norm, err := x.adam.Step()
					if err != nil {
						t.Fatal(err)
					}
					opstest.Near(t, "norm", []float64{norm}, []float64{want}, p.Tolerance)
				}
				m, v := x.adam.State()
				for i := range x.params {
					what := fmt.Sprintf("parameter %d", i)
					opstest.Near(t, what, x.Read(x.params[i]), x.p[i], p.Tolerance)
					opstest.Near(t, what+", first moment", x.Read(m[i]), x.m[i], p.Tolerance)
					opstest.Near(t, what+", second moment", x.Read(v[i]), x.v[i], p.Tolerance)
				}
				if x.adam.Steps() != steps {
					t.Errorf("%d steps counted, want %d", x.adam.Steps(), steps)
				}
			})
		}
	}
}
