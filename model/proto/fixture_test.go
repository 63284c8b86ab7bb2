package proto

import (
	"slices"
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/data"
	"pacia/internal/golden"
	"pacia/model"
	"pacia/model/modeltest"
	"pacia/ops"
)

// fixture is what the published code computes of vectors of molecules, in float64.
type fixture struct {
	Cases []struct {
		Name          string
		Support       [][]float64 // [N][d]
		Query         [][]float64 // [Q][d]
		SupportLabels []uint8     `json:"support_labels"`
		QueryLabels   []uint8     `json:"query_labels"`
		Euclidean     struct {
			Logits   [][]float64 // [Q][2]
			Active   []float64   `json:"probability_active"`
			Loss     float64
			DSupport [][]float64 `json:"d_support"`
			DQuery   [][]float64 `json:"d_query"`
		}
	}
}

// readFixture skips the test where there is none.
func readFixture(t *testing.T) (f fixture) {
	t.Helper()
	golden.Decode(t, golden.Fixture(t, "protonet_reference.json.gz"), &f)
	return f
}

// rounded is the tolerance of what the fixture has with 12 decimals: in float64
// nothing here is off by more than some 1e-15 beside them.
const rounded = 1e-12

// TestPublished compares logits, loss and gradients with the fixture's Euclidean
// distances, for each of its episodes alone.
func TestPublished(t *testing.T) {
	f := readFixture(t)
	for _, c := range f.Cases {
		modeltest.RunBoth(t, c.Name, func(t *testing.T) {
			var s ops.Scope
			defer s.Drop()
			device, err := ops.ParseDevice(modeltest.Where())
			if err != nil {
				t.Fatal(err)
			}
			leaf := func(rows [][]float64) *ts.Tensor {
				return s.Keep(ops.NewParameter(slices.Concat(rows...), []int64{int64(len(rows)), int64(len(rows[0]))}, device))
			}
			weights := slices.Repeat([]float64{1 / float64(len(c.Query))}, len(c.Query))
			err = s.Run(func() {
				b := &model.Batch{
					Host:         &data.Batch{Tasks: 1, Support: len(c.Support)},
					SupportLabel: s.Keep(ops.Vector(c.SupportLabels, device)),
					QueryLabel:   s.Keep(ops.Vector(c.QueryLabels, device)),
					QueryTask:    s.Keep(ops.Vector(make([]int32, len(c.Query)), device)),
					QueryWeight:  s.Keep(ops.Vector(weights, device)),
				}
				support, query := leaf(c.Support), leaf(c.Query)
				logits := (&task{proto: &proto{}, support: b, vectors: support}).logits(b, query, &s)
				loss := b.Loss(logits, nil, ops.LossLast, &s).Loss
				s.Check(ops.Backward(loss))
				same := func(what string, got []float64, err error, want []float64) {
					s.Check(err)
					modeltest.Near(t, what, got, want, rounded)
				}
				got, err := ops.ReadAs[float64](logits)
				same("logits", got, err, slices.Concat(c.Euclidean.Logits...))
				got, err = ops.ReadAs[float64](loss)
				same("loss", got, err, []float64{c.Euclidean.Loss})
				got, err = ops.Gradient(support)
				same("gradient of the support", got, err, slices.Concat(c.Euclidean.DSupport...))
				got, err = ops.Gradient(query)
				same("gradient of the queries", got, err, slices.Concat(c.Euclidean.DQuery...))
				active, err := model.Probabilities(logits)
				s.Check(err)
				modeltest.Near(t, "P(active)", doubles(active), c.Euclidean.Active, modeltest.Float32ULP)
			})
			if err != nil {
				t.Fatal(err)
			}
		})
	}
}

func doubles(v []float32) (d []float64) {
	for _, x := range v {
		d = append(d, float64(x))
	}
	return d
}
