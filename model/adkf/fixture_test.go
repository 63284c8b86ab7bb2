package adkf

import (
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/harness/golden"
	"pacia/harness/modeltest"
	"pacia/model"
	"pacia/ops"
)

// fixture holds the results of the published code for one episode, in float64.
type fixture struct {
	modeltest.Published
	Support   modeltest.Nested `json:"support_embedding"` // [N, d]
	Start     point
	Elsewhere point
	Fitted    point
	Minimum   point
	Outer     outer
	First     outer `json:"outer_without_correction"`
	Parts     struct {
		Query      modeltest.Nested `json:"query_embedding"`
		Mean       modeltest.Nested
		Loss       float64
		DSupport   modeltest.Nested `json:"d_support"`
		DQuery     modeltest.Nested `json:"d_query"`
		Correction modeltest.Nested `json:"correction_d_support"`
	}
	Evaluation struct {
		Support modeltest.Nested `json:"support_embedding"`
		Query   modeltest.Nested `json:"query_embedding"`
		Mean    []float64
	}
}

// point is a task's loss at three numbers.
type point struct {
	Raw       map[string]float64
	Loss      float64
	Kernel    modeltest.Nested
	Gradients map[string]float64 `json:"raw_gradients"`
	Hessian   modeltest.Nested
}

type outer struct {
	Loss      float64
	Gradients map[string]modeltest.Nested
}

// order lists the elements of η by their published names.
var order = []string{"gp_likelihood.noise_covar.raw_noise", "gp_model.covar_module.raw_outputscale", "gp_model.covar_module.base_kernel.raw_lengthscale"}

func ordered(of map[string]float64) (v []float64) {
	for _, name := range order {
		v = append(v, of[name])
	}
	return v
}

// The fixture has 12 decimals, and vectors of two layers that differ in the twelfth
// give numbers that differ in the eleventh.
const rounded = 1e-11

func readFixture(t *testing.T) *fixture {
	t.Helper()
	f := new(fixture)
	golden.Decode(t, golden.Fixture(t, "adkf_reference.json.gz"), f)
	return f
}

// onCPU runs a test on the CPU only, for operations without kernels.
func onCPU(t *testing.T, name string, f func(*testing.T)) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		modeltest.Locked(t, 1)
		f(t)
	})
}

// lab makes the tensors of one calculation.
type lab struct {
	*testing.T
	*ops.Scope
	device ops.Device
	width  int64
}

func newLab(t *testing.T, f *fixture) lab {
	t.Helper()
	device, err := ops.ParseDevice(modeltest.Where())
	if err != nil {
		t.Fatal(err)
	}
	l := lab{t, new(ops.Scope), device, int64(f.Width(t))}
	t.Cleanup(l.Drop)
	return l
}

func (l lab) vectors(v []float64) *ts.Tensor {
	return l.Keep(ops.NewParameter(v, []int64{int64(len(v)) / l.width, l.width}, l.device))
}
func (l lab) labels(y []uint8) *ts.Tensor { return l.Keep(ops.Vector(y, l.device)) }

func (l lab) fit(vectors *ts.Tensor, labels []uint8, at []float64) *process {
	var point *ts.Tensor
	if at != nil {
		point = l.Keep(ops.Vector(at, l.device))
	}
	p, err := fitProcess(vectors, l.labels(labels), point)
	l.Check(err)
	l.Own(p.drop)
	return p
}

func (l lab) near(what string, got *ts.Tensor, want []float64) {
	l.Helper()
	v, err := ops.ReadAs[float64](got)
	l.Check(err)
	modeltest.Near(l, what, v, want, rounded)
}

// TestPublishedFit: kernel, loss and its derivatives at any point, and the minimum.
func TestPublishedFit(t *testing.T) {
	f := readFixture(t)
	onCPU(t, "fit", func(t *testing.T) {
		l := newLab(t, f)
		err := l.Scope.Run(func() {
			support := l.vectors(f.Support)
			for name, p := range map[string]point{"start": f.Start, "elsewhere": f.Elsewhere, "fitted": f.Fitted, "minimum": f.Minimum} {
				got := l.fit(support, f.SupportLabels, ordered(p.Raw))
				l.near(name+": loss", got.loss, []float64{p.Loss})
				l.near(name+": kernel", got.kernel, p.Kernel)
				l.near(name+": gradient", got.gradient, ordered(p.Gradients))
				if p.Hessian != nil {
					l.near(name+": Hessian", got.hessian, p.Hessian)
				}
			}
			got := l.fit(support, f.SupportLabels, nil)
			l.near("numbers at the minimum", got.numbers, ordered(f.Minimum.Raw))
			l.near("loss at the minimum", got.loss, []float64{f.Minimum.Loss})
			l.near("Hessian at the minimum", got.hessian, f.Minimum.Hessian)
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}

// TestPublishedLoss: the outer loss and its gradients by the vectors, with and without
// the part that follows the fitted numbers.
func TestPublishedLoss(t *testing.T) {
	f := readFixture(t)
	for gradient, followed := range map[string]float64{"first": 0, "held": 1} {
		onCPU(t, gradient, func(t *testing.T) {
			l := newLab(t, f)
			err := l.Scope.Run(func() {
				support, query := l.vectors(f.Support), l.vectors(f.Parts.Query)
				loss := l.Keep(processLoss(processTasks{
					support: support, query: query, supportLabel: l.labels(f.SupportLabels), queryLabel: l.labels(f.QueryLabels),
					queryTask: l.Keep(ops.Vector(make([]int32, len(f.QueryLabels)), l.device)), n: len(f.SupportLabels),
				}, Settings{Gradient: gradient}.order()))
				l.Check(ops.Backward(loss))
				l.near("loss", loss, []float64{f.Parts.Loss})
				want := make([]float64, len(f.Support))
				for i := range want {
					want[i] = f.Parts.DSupport[i] + followed*f.Parts.Correction[i]
				}
				got, err := ops.Gradient(support)
				l.Check(err)
				modeltest.GradientAgrees(t, "the support", got, want)
				got, err = ops.Gradient(query)
				l.Check(err)
				modeltest.GradientAgrees(t, "the queries", got, f.Parts.DQuery)
			})
			if err != nil {
				t.Fatal(err)
			}
		})
	}
}

// TestPublishedScores: the mean of queries, with the numbers of the training mode's
// vectors as published, on the vectors of the evaluation mode.
func TestPublishedScores(t *testing.T) {
	f := readFixture(t)
	onCPU(t, "scores", func(t *testing.T) {
		l := newLab(t, f)
		err := l.Scope.Run(func() {
			support := l.vectors(f.Evaluation.Support)
			p := l.fit(support, f.SupportLabels, ordered(f.Minimum.Raw))
			var want []float64
			for _, m := range f.Evaluation.Mean {
				want = append(want, -m/2, m/2)
			}
			l.near("logits", l.Keep(p.logits(support, l.vectors(f.Evaluation.Query))), want)
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}

// TestPublishedGradients: the gradient of each parameter of the encoder, from SMILES on.
func TestPublishedGradients(t *testing.T) {
	f := readFixture(t)
	for gradient, want := range map[string]outer{"first": f.First, "held": f.Outer} {
		modeltest.RunBoth(t, gradient, func(t *testing.T) {
			c := f.Encoder(t, modeltest.Small(t, Spec, model.Reference))
			c.Own = Settings{Gradient: gradient}
			m := modeltest.New(t, Spec, c, model.Options{Float64: true})
			f.Load(t, m)
			loss, _ := modeltest.Backward(t, m, f.Batch(t), 1)
			modeltest.Near(t, "loss", []float64{loss}, []float64{want.Loss}, rounded)
			f.GradientsAgree(t, m, want.Gradients)
		})
	}
}
