package matching

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/internal/golden"
	"pacia/model/modeltest"
	"pacia/ops"
)

// fixture is what the two published programs compute, in float64.
//
// Legend: Q queries, K actives and as many inactives, filled up, N support molecules, d width.
type fixture struct {
	MHNfs struct {
		Width, Steps       int
		Query              [][][]float64 // [Q][1][in]
		Actives, Inactives [][][]float64 // [Q][K][in]
		Labels             []float64
		Runs               []mhnfs
	}
	DeepChem struct {
		Test, Support [][]float64
		SupportLabels []float64 `json:"support_labels"`
		TestLabels    []float64 `json:"test_labels"`
		Depth         int
		Runs          []deepChem
	}
}

type mhnfs struct {
	Model            string
	L2               bool `json:"l2_norm"`
	ActivesCounted   int  `json:"actives_counted"`
	InactivesCounted int  `json:"inactives_counted"`
	Probability      []float64
	Loss             float64
	Stages           map[string][3][][][]float64 // of query, actives, inactives: [Q][…][d]
	Parameters       map[string]any
	Gradients        map[string]any
}

type deepChem struct {
	Model          string
	Parameters     map[string]any
	TestRefined    [][]float64 `json:"test_refined"`
	SupportRefined [][]float64 `json:"support_refined"`
	Probability    []float64
	LossSum        float64     `json:"loss_sum"`
	DTest          [][]float64 `json:"d_test"`
	DSupport       [][]float64 `json:"d_support"`
	Gradients      map[string]any
}

// Tolerances of values, which have 12 decimals; of vectors, which the rounding of the
// fixture's parameters to as many has moved: sums without any rounding come as near; and of
// gradients, relative to a tensor's largest entry.
const values, vectors, gradients = 1e-11, 3e-11, 1e-9

func readFixture(t *testing.T) (f fixture) {
	t.Helper()
	golden.Decode(t, golden.Fixture(t, "iterref_reference.json.gz"), &f)
	return f
}

// bench makes tensors in float64, and keeps which of them have a gradient.
type bench struct {
	*testing.T
	s      *ops.Scope
	device ops.Device
}

// on runs f with a bench, on the loops for the CPU and on the kernels for a GPU.
func on(t *testing.T, name string, f func(*bench)) {
	t.Helper()
	modeltest.RunBoth(t, name, func(t *testing.T) {
		var s ops.Scope
		defer s.Drop()
		device, err := ops.ParseDevice(modeltest.Where())
		if err == nil {
			err = s.Run(func() { f(&bench{t, &s, device}) })
		}
		if err != nil {
			t.Fatal(err)
		}
	})
}

// leaf is a parameter of as many rows as given, or a vector.
func (b *bench) leaf(v []float64, shape ...int64) *ts.Tensor {
	return b.s.Keep(ops.NewParameter(v, shape, b.device))
}

func (b *bench) rows(v [][]float64) *ts.Tensor {
	return b.leaf(slices.Concat(v...), int64(len(v)), int64(len(v[0])))
}

func (b *bench) bytes(v []uint8) *ts.Tensor { return b.s.Keep(ops.Vector(v, b.device)) }

func (b *bench) read(x *ts.Tensor) []float64 {
	v, err := ops.ReadAs[float64](x)
	b.s.Check(err)
	return v
}

func (b *bench) gradient(x *ts.Tensor) []float64 {
	v, err := ops.Gradient(x)
	b.s.Check(err)
	return v
}

// loss is the mean cross entropy of logits, with its gradients.
func (b *bench) loss(logits *ts.Tensor, labels []float64) float64 {
	weights := slices.Repeat([]float64{1 / float64(len(labels))}, len(labels))
	l := b.s.KeepLoss(ops.Loss(logits, b.bytes(classes(labels)), b.s.Keep(ops.Vector(weights, b.device)), nil, ops.LossLast, 1)).Loss
	b.s.Check(ops.Backward(l))
	return b.read(l)[0]
}

// active is P(active) of logits.
func active(logits []float64) (p []float64) {
	for q := range len(logits) / 2 {
		p = append(p, 1/(1+math.Exp(logits[2*q]-logits[2*q+1])))
	}
	return p
}

func classes(labels []float64) []uint8 {
	c := make([]uint8, len(labels))
	for i, y := range labels {
		c[i] = uint8(y)
	}
	return c
}

// flat are the numbers of nested lists, row-major, and their shape.
func flat(v any) (all []float64, shape []int64) {
	list, ok := v.([]any)
	if !ok {
		return []float64{v.(float64)}, nil
	}
	for _, e := range list {
		part, inner := flat(e)
		all, shape = append(all, part...), inner
	}
	return all, append([]int64{int64(len(list))}, shape...)
}

// transposed are the numbers of a matrix of the given shape, column by column.
func transposed(v []float64, shape []int64) []float64 {
	t := make([]float64, 0, len(v))
	for c := range shape[1] {
		for r := range shape[0] {
			t = append(t, v[r*shape[1]+c])
		}
	}
	return t
}

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
				modeltest.Close(b, "gradient of "+name, got, want, gradients)
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

// TestMHNfs compares vectors, probabilities, loss and gradients of its two models. Each of
// its examples has a support set of its own, filled up with molecules that take part in
// attention there. Its LSTMs have two biases, of which ours is the sum.
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
				for _, name := range []string{"fc", "hidden_linear_layers.0", "fc_o"} {
					name = "encoder." + name
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
				modeltest.Close(b, "gradient of "+name, b.gradient(p[name]), want, gradients)
			}
		})
	}
}

// counted are so many ones, filled up to n.
func counted(n, ones int) []uint8 {
	v := make([]uint8, n)
	for i := range ones {
		v[i] = 1
	}
	return v
}

// joined are the vectors of queries, and of supports, actives first.
func joined(stages [3][][][]float64) (query, support []float64) {
	for q := range stages[0] {
		query = append(query, slices.Concat(stages[0][q]...)...)
		support = append(append(support, slices.Concat(stages[1][q]...)...), slices.Concat(stages[2][q]...)...)
	}
	return query, support
}
