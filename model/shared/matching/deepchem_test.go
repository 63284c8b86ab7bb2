package matching

import (
	"slices"
	"strings"
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/harness/modeltest"
	"pacia/ops"
)

// TestDeepChem compares refined vectors, probabilities, loss and gradients of its three
// models. Its loss is a sum, and its matrices are [in, out].
func TestDeepChem(t *testing.T) {
	f := readFixture(t).DeepChem
	m := float64(len(f.TestLabels))
	for _, r := range f.Runs {
		on(t, r.Model, func(b *bench) {
			test, support := b.rows(f.Test), b.rows(f.Support)
			match := Settings{Similarity: "softmax"}.match(len(f.Test[0]))
			leaves := map[string]*ts.Tensor{}
			cell := func(name string) ops.LSTM {
				matrix := func(name string) *ts.Tensor {
					v, shape := flat(r.Parameters[name])
					leaves[name] = b.leaf(transposed(v, shape), shape[1], shape[0])
					return leaves[name]
				}
				v, shape := flat(r.Parameters[name+".b"])
				leaves[name+".b"] = b.leaf(v, shape...)
				return ops.LSTM{W: matrix(name + ".W"), U: matrix(name + ".U"), B: leaves[name+".b"]}
			}
			switch r.Model {
			case "attention":
				match.Steps, match.Query = f.Depth, cell("lstm")
			case "iterref":
				match.Steps, match.Query, match.Support = f.Depth, cell("test_lstm"), cell("support_lstm")
			}
			task := b.s.Keep(ops.Vector(make([]int32, len(f.Test)), b.device))
			out, err := match.Of(test, support, b.bytes(classes(f.SupportLabels)), task, len(f.Support))
			b.s.Check(err)
			b.s.Own(out.Drop)
			modeltest.Near(b, "refined queries", b.read(out.Query), slices.Concat(r.TestRefined...), vectors)
			modeltest.Near(b, "refined support", b.read(out.Support), slices.Concat(r.SupportRefined...), vectors)
			modeltest.Near(b, "P(active)", active(b.read(out.Logits)), r.Probability, values)
			modeltest.Near(b, "loss", []float64{m * b.loss(out.Logits, f.TestLabels)}, []float64{r.LossSum}, values)
			near := func(name string, got, want []float64) {
				for i := range got {
					got[i] *= m
				}
				modeltest.GradientAgrees(b, name, got, want)
			}
			near("queries", b.gradient(test), slices.Concat(r.DTest...))
			near("support", b.gradient(support), slices.Concat(r.DSupport...))
			for name, x := range leaves {
				want, shape := flat(r.Gradients[name])
				if !strings.HasSuffix(name, ".b") {
					want = transposed(want, shape)
				}
				near(name, b.gradient(x), want)
			}
		})
	}
}
