package proto

import (
	"slices"
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/data"
	"pacia/harness/golden"
	"pacia/harness/modeltest"
	"pacia/model"
	"pacia/ops"
)

// fixture holds the results of the published code for vectors of molecules, in float64.
type fixture struct {
	Cases []struct {
		Name          string
		Support       [][]float64 // [N][d]
		Query         [][]float64 // [Q][d]
		SupportLabels []uint8     `json:"support_labels"`
		QueryLabels   []uint8     `json:"query_labels"`
		Euclidean     outcome
		Mahalanobis   outcome
	}
}

// outcome holds the results of a metric.
type outcome struct {
	Logits   [][]float64 // [Q][2]
	Active   []float64   `json:"probability_active"`
	Loss     float64
	DSupport [][]float64 `json:"d_support"`
	DQuery   [][]float64 `json:"d_query"`
}

// readFixture skips the test if there is no fixture.
func readFixture(t *testing.T) (f fixture) {
	t.Helper()
	golden.Decode(t, golden.Fixture(t, "protonet_reference.json.gz"), &f)
	return f
}

// rounded is the tolerance of values that the fixture has with 12 decimals. Rounding
// in float64 adds only about 1e-15.
const rounded = 1e-12

// inverted is the tolerance of values with inverses.
const inverted = 1e-11

// TestPublished compares logits, loss and gradients with the fixture's, for each episode
// alone. The covariance of a class of one molecule is that of the published code.
func TestPublished(t *testing.T) {
	f := readFixture(t)
	for _, c := range f.Cases {
		modeltest.RunBoth(t, c.Name, func(t *testing.T) {
			e := episode{c.Support, c.Query, c.SupportLabels, c.QueryLabels}
			got := e.by(t, Settings{Metric: "euclidean"})
			got.near(t, c.Euclidean, rounded)
			modeltest.Near(t, "gradient of the support", slices.Concat(got.DSupport...), slices.Concat(c.Euclidean.DSupport...), rounded)
			modeltest.Near(t, "gradient of the queries", slices.Concat(got.DQuery...), slices.Concat(c.Euclidean.DQuery...), rounded)
			got = e.by(t, Settings{Metric: mahalanobis, Single: "published"})
			got.near(t, c.Mahalanobis, inverted)
			modeltest.GradientAgrees(t, "the support", slices.Concat(got.DSupport...), slices.Concat(c.Mahalanobis.DSupport...))
			modeltest.GradientAgrees(t, "the queries", slices.Concat(got.DQuery...), slices.Concat(c.Mahalanobis.DQuery...))
		})
	}
}

// TestInnerProducts: ⟨x, μ_c⟩ is half of −|x − μ_c|² + |x|² + |μ_c|².
func TestInnerProducts(t *testing.T) {
	modeltest.Locked(t, 1)
	e := episode{
		support: [][]float64{{1, 2}, {3, -1}, {0, 4}}, query: [][]float64{{1, 1}, {-2, 0.5}},
		labels: []uint8{0, 1, 0}, answers: []uint8{1, 0},
	}
	means := [][]float64{{0.5, 3}, {3, -1}}
	dots, distances := e.by(t, Settings{Metric: dot}), e.by(t, Settings{Metric: "euclidean"})
	for q, x := range e.query {
		for c, mean := range means {
			want := x[0]*mean[0] + x[1]*mean[1]
			again := (distances.Logits[q][c] + x[0]*x[0] + x[1]*x[1] + mean[0]*mean[0] + mean[1]*mean[1]) / 2
			modeltest.Near(t, "inner product", []float64{dots.Logits[q][c], again}, []float64{want, want}, rounded)
		}
	}
}

// TestClassOfOne: by default a class of one molecule has covariance 0, and Q is
// (0.9 Cov(S) + 0.1)⁻¹. The vectors are the single numbers 0, 1 and 5 with the variance 7.
func TestClassOfOne(t *testing.T) {
	modeltest.Locked(t, 1)
	e := episode{support: [][]float64{{0}, {1}, {5}}, query: [][]float64{{2}}, labels: []uint8{0, 0, 1}, answers: []uint8{1}}
	got := e.by(t, Settings{Metric: mahalanobis, Single: "zero"})
	modeltest.Near(t, "logits", got.Logits[0], []float64{-1.5 * 1.5 / (0.1*0.5 + 0.9*7 + 0.1), -9 / (0.9*7 + 0.1)}, rounded)
}

// episode holds the vectors and labels of an episode's molecules.
type episode struct {
	support, query  [][]float64 // [N][d], [Q][d]
	labels, answers []uint8     // [N], [Q]
}

// by returns the outcome under some settings.
func (e episode) by(t *testing.T, c Settings) (o outcome) {
	t.Helper()
	var s ops.Scope
	defer s.Drop()
	device, err := ops.ParseDevice(modeltest.Where())
	if err != nil {
		t.Fatal(err)
	}
	d := len(e.query[0])
	leaf := func(rows [][]float64) *ts.Tensor {
		return s.Keep(ops.NewParameter(slices.Concat(rows...), []int64{int64(len(rows)), int64(d)}, device))
	}
	read := func(width int, of func(*ts.Tensor) ([]float64, error), from *ts.Tensor) (rows [][]float64) {
		v, err := of(from)
		s.Check(err)
		return slices.Collect(slices.Chunk(v, width))
	}
	weights := slices.Repeat([]float64{1 / float64(len(e.query))}, len(e.query))
	err = s.Run(func() {
		b := &model.Batch{
			Host:         &data.Batch{Tasks: 1, Support: len(e.support)},
			SupportLabel: s.Keep(ops.Vector(e.labels, device)),
			QueryLabel:   s.Keep(ops.Vector(e.answers, device)),
			QueryTask:    s.Keep(ops.Vector(make([]int32, len(e.query)), device)),
			QueryWeight:  s.Keep(ops.Vector(weights, device)),
		}
		support, query := leaf(e.support), leaf(e.query)
		logits := (&proto{settings: c}).logits(b, support, b, query, &s)
		loss := b.Loss(logits, nil, ops.LossLast, &s).Loss
		s.Check(ops.Backward(loss))
		o.Logits = read(2, ops.ReadAs[float64], logits)
		o.Loss = read(1, ops.ReadAs[float64], loss)[0][0]
		o.DSupport, o.DQuery = read(d, ops.Gradient, support), read(d, ops.Gradient, query)
		active, _, err := model.Probabilities(logits)
		s.Check(err)
		o.Active = doubles(active)
	})
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// near compares values.
func (o outcome) near(t *testing.T, want outcome, tolerance float64) {
	t.Helper()
	modeltest.Near(t, "logits", slices.Concat(o.Logits...), slices.Concat(want.Logits...), tolerance)
	modeltest.Near(t, "loss", []float64{o.Loss}, []float64{want.Loss}, tolerance)
	modeltest.Near(t, "P(active)", o.Active, want.Active, modeltest.Float32ULP)
}

func doubles(v []float32) (d []float64) {
	for _, x := range v {
		d = append(d, float64(x))
	}
	return d
}
