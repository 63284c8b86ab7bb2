package methods

import (
	"slices"
	"strings"
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/harness/modeltest"
	"pacia/model"
	"pacia/ops"
)

// TestStatisticsOfTheEncoder: with model.norm=support no score depends on the running
// averages of the encoder's batch norms, neither by the support set nor by its queries;
// with running it does.
func TestStatisticsOfTheEncoder(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	store, rows := modeltest.RandomStore(5, 30), []int32{20, 21, 22, 23}
	everyMethod(t, func(t *testing.T, spec model.Spec, c model.Config) {
		if spec.Traits.Untrained {
			t.Skip("there is no encoder")
		}
		m, e := made(t, spec, c), modeltest.Task(0, 4, 0)
		want, _ := modeltest.Scores(t, m, modeltest.Adapt(t, m, store, e), store, rows, 4)
		moved := 0
		for _, b := range m.Buffers() {
			if strings.Contains(b.Name, "encoder.") && strings.HasSuffix(b.Name, "norm.mean") {
				move(t, b.Tensor)
				moved++
			}
		}
		if moved == 0 {
			t.Fatal("the encoder has no running averages")
		}
		got, _ := modeltest.Scores(t, m, modeltest.Adapt(t, m, store, e), store, rows, 4)
		if equal := slices.Equal(got, want); equal != (c.Norm == "support") {
			t.Errorf("with model.norm=%s scores are %v, and %v after the running averages moved", c.Norm, want, got)
		}
	})
}

// move adds 0.5 to a tensor, number by number a little more.
func move(t *testing.T, x *ts.Tensor) {
	t.Helper()
	v, err := ops.ReadAs[float64](x)
	if err != nil {
		t.Fatal(err)
	}
	for i := range v {
		v[i] += 0.5 + 0.1*float64(i)
	}
	to, err := ops.Vector(v, ops.CPU)
	if err != nil {
		t.Fatal(err)
	}
	defer ops.Drop(to)
	x.Copy_(to)
}
