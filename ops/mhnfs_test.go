package ops_test

import (
	"math"
	"slices"
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/harness/opstest"
	"pacia/ops"
)

// mhnfsCase describes queries of tasks with n support molecules of width d, and the sizes of
// the stages, 0 for a stage that is omitted.
type mhnfsCase struct {
	labels           []uint8
	task             []int32
	n, d             int
	context          int // C
	heads, attending int
	support          bool // the result is the support, in place of the queries
	mode             ops.Mode
}

var mhnfsCases = map[string]mhnfsCase{
	"neither":        {fourLabels, []int32{0, 0}, 4, 5, 0, 0, 0, false, ops.Mode{}},
	"context":        {fourLabels, []int32{0, 0}, 4, 5, 6, 2, 0, false, ops.Mode{}},
	"attention":      {threeTasks, []int32{2, 0, 1, 1}, 3, 4, 0, 0, 2, false, ops.Mode{}},
	"both":           {threeTasks, []int32{2, 0, 1, 1}, 3, 4, 3, 2, 3, false, ops.Mode{}},
	"both, support":  {threeTasks, []int32{2, 0, 1, 1}, 3, 4, 3, 2, 3, true, ops.Mode{}},
	"both, training": {threeTasks, []int32{2, 0, 1, 1}, 3, 4, 3, 2, 3, false, ops.Mode{Training: true, Key: 5}},
}

// Widths of a head and of the hidden layer, and the number of entries that mark a molecule's activity.
const (
	mhnfsHead   = 3
	mhnfsHidden = 7
	mhnfsMarks  = 2
)

// normLinear makes the leaves of a layer.
func normLinear(l *opstest.Lab, name string, in, out int) ops.NormLinear {
	return ops.NormLinear{
		Scale: l.Leaf(name+".scale", 1, 0.3, int64(in)), Offset: l.Leaf(name+".offset", 0, 0.3, int64(in)),
		Linear: l.Linear(name, in, out, true, 0),
	}
}

// stored makes the part of a Hopfield network that keys and values need.
func stored(l *opstest.Lab, d, heads int) *ops.Hopfield {
	wide := heads * mhnfsHead
	return &ops.Hopfield{
		Key: normLinear(l, "key", d, wide), Value: normLinear(l, "value", d, wide),
		Heads: heads, Beta: 0.7, Dropout: 0.4, Gradient: true,
	}
}

func hopfield(l *opstest.Lab, d, heads int) *ops.Hopfield {
	h, wide := stored(l, d, heads), heads*mhnfsHead
	h.Query, h.Out = normLinear(l, "query", d, wide), l.Linear("retrieved", wide, d, true, 0)
	return h
}

func attention(l *opstest.Lab, d, heads int) *ops.AttentionBlock {
	e, wide := d+mhnfsMarks, heads*mhnfsHead
	return &ops.AttentionBlock{
		In: normLinear(l, "in", e, 3*wide), Out: l.Linear("out", wide, e, true, 0),
		First: normLinear(l, "first", e, mhnfsHidden), Second: l.Linear("second", mhnfsHidden, e, true, 0),
		Heads: heads, Marks: mhnfsMarks, Leave: 0.3,
	}
}

func (c mhnfsCase) run(l *opstest.Lab) *ts.Tensor {
	support, x := l.Leaf("support", 0, 1, int64(len(c.labels)), int64(c.d)), l.Leaf("x", 0, 1, int64(len(c.task)), int64(c.d))
	var m ops.MHNfs
	var keys *ops.HopfieldKeys
	if c.heads > 0 {
		m.Context = hopfield(l, c.d, c.heads)
		keys = keysOf(m.Context, l, l.Leaf("context", 0, 1, int64(c.context), int64(c.d)))
	}
	if c.attending > 0 {
		m.Attention = attention(l, c.d, c.attending)
	}
	query, refined, err := m.Of(x, support, l.Bytes(c.labels...), l.Ints(c.task...), c.n, keys, c.mode)
	q, r := l.Must(query, err), l.Must(refined, err)
	if c.support {
		return r
	}
	return q
}

func keysOf(h *ops.Hopfield, l *opstest.Lab, context *ts.Tensor) *ops.HopfieldKeys {
	l.Helper()
	keys, err := h.Keys(context)
	if err != nil {
		l.Fatal(err)
	}
	l.Made = append(l.Made, keys.Keys, keys.Values)
	return keys
}

// keys returns the sum of the keys and the values of a context.
func (c mhnfsCase) keys(l *opstest.Lab) *ts.Tensor {
	keys := keysOf(stored(l, c.d, c.heads), l, l.Leaf("context", 0, 1, int64(c.context), int64(c.d)))
	return l.Must(ops.Total(keys.Keys, keys.Values))
}

// even returns the layer norm of a row.
func even(x []float64) []float64 {
	mean, square := 0.0, 0.0
	for _, v := range x {
		mean += v / float64(len(x))
	}
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = v - mean
		square += y[i] * y[i] / float64(len(x))
	}
	return opstest.Times(1/math.Sqrt(square+1e-5), y)
}

// layer applies a linear layer of the lab's leaves.
func layer(l *opstest.Lab, name string, x []float64) []float64 {
	return opstest.Affine(l.Values[name+".W"], l.Values[name+".b"], x)
}

// evened applies layer norm with scale and offset, then a linear layer.
func evened(l *opstest.Lab, name string, x []float64) []float64 {
	y := even(x)
	for i := range y {
		y[i] = y[i]*l.Values[name+".scale"][i] + l.Values[name+".offset"][i]
	}
	return layer(l, name, y)
}

// attended returns Σ softmax(β q·k) v of each head, concatenated.
func attended(q []float64, k, v opstest.Matrix, beta float64) (joined []float64) {
	for h := 0; h < len(q); h += mhnfsHead {
		total, out := 0.0, make([]float64, mhnfsHead)
		for i := range k {
			w := math.Exp(beta * opstest.Dot(q[h:h+mhnfsHead], k[i][h:h+mhnfsHead]))
			total, out = total+w, opstest.Sum(out, opstest.Times(w, v[i][h:h+mhnfsHead]))
		}
		joined = append(joined, opstest.Times(1/total, out)...)
	}
	return joined
}

// byHand computes each row separately.
func (c mhnfsCase) byHand(l *opstest.Lab) (out []float64) {
	support, x := opstest.Rows(l.Values["support"], c.d), opstest.Rows(l.Values["x"], c.d)
	rows := slices.Concat(support, x)
	if c.heads > 0 {
		var k, v opstest.Matrix
		for _, m := range opstest.Rows(l.Values["context"], c.d) {
			k, v = append(k, evened(l, "key", even(m))), append(v, evened(l, "value", even(m)))
		}
		for i, row := range rows {
			row = even(row)
			rows[i] = opstest.Sum(row, layer(l, "retrieved", attended(evened(l, "query", row), k, v, 0.7)))
		}
	}
	if c.attending > 0 {
		rows = c.attend(l, rows)
	}
	from, to := len(support), len(rows)
	if c.support {
		from, to = 0, len(support)
	}
	for _, row := range rows[from:to] {
		out = append(out, row[:c.d]...)
	}
	return out
}

func (c mhnfsCase) attend(l *opstest.Lab, rows opstest.Matrix) (out opstest.Matrix) {
	wide := c.attending * mhnfsHead
	var z, q, k, v opstest.Matrix
	for i, row := range rows {
		mark := 0.0
		if i < len(c.labels) {
			mark = 2*float64(c.labels[i]) - 1
		}
		row = append(slices.Clone(even(row)), mark, mark)
		all := evened(l, "in", row)
		z, q, k, v = append(z, row), append(q, all[:wide]), append(k, all[wide:2*wide]), append(v, all[2*wide:])
	}
	for i := range rows {
		task := i / c.n
		if i >= len(c.labels) {
			task = int(c.task[i-len(c.labels)])
		}
		ks, vs := slices.Clone(k[task*c.n:(task+1)*c.n]), slices.Clone(v[task*c.n:(task+1)*c.n])
		if i >= len(c.labels) {
			ks, vs = append(ks, k[i]), append(vs, v[i])
		}
		y := opstest.Sum(z[i], layer(l, "out", attended(q[i], ks, vs, 1/math.Sqrt(mhnfsHead))))
		hidden := evened(l, "first", y)
		for j := range hidden {
			hidden[j] = max(0, hidden[j])
		}
		out = append(out, opstest.Sum(z[i], y, layer(l, "second", hidden)))
	}
	return out
}

func TestMHNfs(t *testing.T) {
	for name, c := range mhnfsCases {
		if !c.mode.Training {
			opstest.Run(t, name, func(t *testing.T) { opstest.CheckAgainst(t, 6, c.run, c.byHand) })
		}
	}
}

// TestQueriesOfMHNfs: neither a query nor the support depends on other queries.
func TestQueriesOfMHNfs(t *testing.T) {
	opstest.Locked(t, 2)
	for _, support := range []bool{false, true} {
		c := mhnfsCases["both"]
		c.support = support
		want := c.values(t, nil)
		other := c.values(t, []float64{3, -2, 1, 5})
		rows := 3 // all except the last query
		if support {
			rows = len(c.labels)
		}
		opstest.Near(t, "with another last query", other[:rows*c.d], want[:rows*c.d], 1e-12)
		if !support && slices.Equal(other[rows*c.d:], want[rows*c.d:]) {
			t.Error("the last query has no effect on its own result")
		}
	}
}

// values returns the results of the case, with last, unless it is nil, as the last query.
func (c mhnfsCase) values(t *testing.T, last []float64) []float64 {
	t.Helper()
	l := opstest.New(t, 3, true)
	defer l.Drop()
	l.Edit = func(name string, v []float64) {
		if name == "x" {
			copy(v[len(v)-len(last):], last)
		}
	}
	return l.Read(c.run(l))
}

// TestMHNfsLeavesOut: in training each key omits other pairs of rows, and every row still
// reads itself.
func TestMHNfsLeavesOut(t *testing.T) {
	opstest.Locked(t, 2)
	c := mhnfsCases["both, training"]
	first := c.values(t, nil)
	if !slices.Equal(first, c.values(t, nil)) {
		t.Error("one key gives two results")
	}
	for key := range uint64(40) {
		c.mode.Key = key
		v := c.values(t, nil)
		if slices.Equal(v, first) != (key == 5) {
			t.Errorf("with the keys 5 and %d: equal %t", key, key != 5)
		}
		if slices.ContainsFunc(v, math.IsNaN) {
			t.Fatalf("key %d: not a number", key)
		}
	}
}

// TestErrorsOfMHNfs breaks one input at a time.
func TestErrorsOfMHNfs(t *testing.T) {
	opstest.Locked(t, 2)
	for words, edit := range map[string]func(*mhnfsCase, *ops.MHNfs){
		"no support molecules": func(c *mhnfsCase, _ *ops.MHNfs) { c.n = 0 },
		"the number of support molecules is not a multiple of N": func(c *mhnfsCase, _ *ops.MHNfs) { c.n = 2 },
		"labels has shape [8], not [9]":                          func(c *mhnfsCase, _ *ops.MHNfs) { c.labels = c.labels[:8] },
		"the width of the keys is not a multiple":                func(_ *mhnfsCase, m *ops.MHNfs) { m.Context.Heads = 4 },
		"queries, keys and values is not a multiple":             func(_ *mhnfsCase, m *ops.MHNfs) { m.Attention.Heads = 4 },
		"scale has shape [6], not [7]":                           func(_ *mhnfsCase, m *ops.MHNfs) { m.Attention.Marks = 3 },
	} {
		l, c := opstest.New(t, 1, true), mhnfsCases["both"]
		m := &ops.MHNfs{Context: hopfield(l, c.d, c.heads), Attention: attention(l, c.d, c.attending)}
		support, x := l.Leaf("support", 0, 1, 9, 4), l.Leaf("x", 0, 1, 4, 4)
		keys := keysOf(m.Context, l, l.Leaf("context", 0, 1, 3, 4))
		edit(&c, m)
		_, _, err := m.Of(x, support, l.Bytes(c.labels...), l.Ints(c.task...), c.n, keys, ops.Mode{})
		opstest.Fails(t, err, "mhnfs: ", words)
		l.Drop()
	}
}
