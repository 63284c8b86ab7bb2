package matching

import (
	"fmt"
	"slices"
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/harness/modeltest"
	"pacia/ops"
)

// TestMHNfs compares vectors, probabilities, loss and gradients of its two models. Each of
// its examples has its own support set, padded with molecules that take part in the
// attention. Its LSTMs have two biases; ours is their sum.
func TestMHNfs(t *testing.T) {
	f := readFixture(t).MHNfs
	var parameters map[string]any // of the runs of a model, with its first
	for _, r := range f.Runs {
		if r.Parameters != nil {
			parameters = r.Parameters
		}
		on(t, fmt.Sprintf("%s, cosine %t, %d and %d", r.Model, r.L2, r.ActivesCounted, r.InactivesCounted), func(b *bench) {
			p := map[string]*ts.Tensor{}
			for name, v := range parameters {
				all, shape := flat(v)
				p[name] = b.leaf(all, shape...)
			}
			encode := func(x *ts.Tensor) *ts.Tensor {
				names := []string{"encoder.fc"}
				for i := 0; p[fmt.Sprintf("encoder.hidden_linear_layers.%d.weight", i)] != nil; i++ {
					names = append(names, fmt.Sprintf("encoder.hidden_linear_layers.%d", i))
				}
				for _, name := range append(names, "encoder.fc_o") {
					x = b.s.Keep(ops.MLP(x, []ops.Linear{{W: p[name+".weight"], B: p[name+".bias"]}}, ops.Mode{}))
					x = b.s.Keep(x.Selu(false))
				}
				return x
			}
			var queries, support [][]float64
			var labels, there []uint8
			for q, x := range f.Query {
				queries = append(queries, x...)
				support = append(append(support, f.Actives[q]...), f.Inactives[q]...)
				labels = append(append(labels, counted(len(f.Actives[q]), len(f.Actives[q]))...), counted(len(f.Inactives[q]), 0)...)
				there = append(append(there, counted(len(f.Actives[q]), r.ActivesCounted)...), counted(len(f.Inactives[q]), r.InactivesCounted)...)
			}
			match := Settings{Similarity: "mean", Cosine: r.L2}.match(f.Width)
			match.There, match.Attend = b.bytes(there), true
			if r.Model == "IterRef" {
				match.Steps, match.Gates = f.Steps, ops.GatesSigmoid
				cell := func(name string) ops.LSTM {
					name = "iterRefEmbeddingBlock." + name
					return ops.LSTM{W: p[name+".weight_ih_l0"], U: p[name+".weight_hh_l0"], B: b.s.Keep(p[name+".bias_ih_l0"].Add(p[name+".bias_hh_l0"], false))}
				}
				match.Query, match.Support = cell("lstm_q"), cell("lstm_s")
			}
			tasks := make([]int32, len(f.Query))
			for i := range tasks {
				tasks[i] = int32(i)
			}
			n := len(support) / len(tasks)
			out, err := match.Of(encode(b.rows(queries)), encode(b.rows(support)), b.bytes(labels), b.s.Keep(ops.Vector(tasks, b.device)), n)
			b.s.Check(err)
			b.s.Own(out.Drop)
			if stages := r.Stages["refined"]; stages[0] != nil {
				query, sets := joined(stages)
				modeltest.Near(b, "refined queries", b.read(out.Query), query, vectors)
				modeltest.Near(b, "refined support", b.read(out.Support), sets, vectors)
			}
			modeltest.Near(b, "P(active)", active(b.read(out.Logits)), r.Probability, values)
			modeltest.Near(b, "loss", []float64{b.loss(out.Logits, f.Labels)}, []float64{r.Loss}, values)
			for name, want := range r.Gradients {
				want, _ := flat(want)
				modeltest.GradientAgrees(b, name, b.gradient(p[name]), want)
			}
		})
	}
}

// counted returns the given number of ones, padded with zeros to n.
func counted(n, ones int) []uint8 {
	v := make([]uint8, n)
	for i := range ones {
		v[i] = 1
	}
	return v
}

// joined returns the vectors of queries, and of supports, actives first.
func joined(stages [3][][][]float64) (query, support []float64) {
	for q := range stages[0] {
		query = append(query, slices.Concat(stages[0][q]...)...)
		support = append(append(support, slices.Concat(stages[1][q]...)...), slices.Concat(stages[2][q]...)...)
	}
	return query, support
}
