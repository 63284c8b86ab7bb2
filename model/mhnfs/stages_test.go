package mhnfs

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

var (
	fourLabels = []uint8{0, 0, 1, 1}
	threeTasks = []uint8{0, 1, 0, 1, 1, 0, 0, 1, 1}
)

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

// newNormLinear makes the leaves of a layer.
func newNormLinear(l *opstest.Lab, name string, in, out int) normLinear {
	return normLinear{
		scale: l.Leaf(name+".scale", 1, 0.3, int64(in)), offset: l.Leaf(name+".offset", 0, 0.3, int64(in)),
		Linear: l.Linear(name, in, out, true, 0),
	}
}

// newKeys makes the part of a Hopfield network that keys and values need.
func newKeys(l *opstest.Lab, d, heads int) *hopfield {
	wide := heads * mhnfsHead
	return &hopfield{
		key: newNormLinear(l, "key", d, wide), value: newNormLinear(l, "value", d, wide),
		heads: heads, beta: 0.7, dropout: 0.4, gradient: true,
	}
}

func newHopfield(l *opstest.Lab, d, heads int) *hopfield {
	h, wide := newKeys(l, d, heads), heads*mhnfsHead
	h.query, h.out = newNormLinear(l, "query", d, wide), l.Linear("retrieved", wide, d, true, 0)
	return h
}

func newAttention(l *opstest.Lab, d, heads int) *attentionBlock {
	e, wide := d+mhnfsMarks, heads*mhnfsHead
	return &attentionBlock{
		in: newNormLinear(l, "in", e, 3*wide), out: l.Linear("out", wide, e, true, 0),
		first: newNormLinear(l, "first", e, mhnfsHidden), second: l.Linear("second", mhnfsHidden, e, true, 0),
		heads: heads, marks: mhnfsMarks, leave: 0.3,
	}
}

func (c mhnfsCase) run(l *opstest.Lab) *ts.Tensor {
	support, x := l.Leaf("support", 0, 1, int64(len(c.labels)), int64(c.d)), l.Leaf("x", 0, 1, int64(len(c.task)), int64(c.d))
	var m stages
	var keys *hopfieldKeys
	if c.heads > 0 {
		m.context = newHopfield(l, c.d, c.heads)
		keys = keysOf(m.context, l, l.Leaf("context", 0, 1, int64(c.context), int64(c.d)))
	}
	if c.attending > 0 {
		m.attention = newAttention(l, c.d, c.attending)
	}
	query, refined, err := m.of(x, support, l.Bytes(c.labels...), l.Ints(c.task...), c.n, keys, c.mode)
	q, r := l.Must(query, err), l.Must(refined, err)
	if c.support {
		return r
	}
	return q
}

func keysOf(h *hopfield, l *opstest.Lab, context *ts.Tensor) *hopfieldKeys {
	l.Helper()
	keys, err := h.keys(context)
	if err != nil {
		l.Fatal(err)
	}
	l.Made = append(l.Made, keys.keys, keys.values)
	return keys
}

// keys returns the sum of the keys and the values of a context.
func (c mhnfsCase) keys(l *opstest.Lab) *ts.Tensor {
	keys := keysOf(newKeys(l, c.d, c.heads), l, l.Leaf("context", 0, 1, int64(c.context), int64(c.d)))
	return l.Must(ops.Total(keys.keys, keys.values))
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
	for words, edit := range map[string]func(*mhnfsCase, *stages){
		"no support molecules": func(c *mhnfsCase, _ *stages) { c.n = 0 },
		"the number of support molecules is not a multiple of N": func(c *mhnfsCase, _ *stages) { c.n = 2 },
		"labels has shape [8], not [9]":                          func(c *mhnfsCase, _ *stages) { c.labels = c.labels[:8] },
		"the width of the keys is not a multiple":                func(_ *mhnfsCase, m *stages) { m.context.heads = 4 },
		"queries, keys and values is not a multiple":             func(_ *mhnfsCase, m *stages) { m.attention.heads = 4 },
		"scale has shape [6], not [7]":                           func(_ *mhnfsCase, m *stages) { m.attention.marks = 3 },
	} {
		l, c := opstest.New(t, 1, true), mhnfsCases["both"]
		m := &stages{context: newHopfield(l, c.d, c.heads), attention: newAttention(l, c.d, c.attending)}
		support, x := l.Leaf("support", 0, 1, 9, 4), l.Leaf("x", 0, 1, 4, 4)
		keys := keysOf(m.context, l, l.Leaf("context", 0, 1, 3, 4))
		edit(&c, m)
		_, _, err := m.of(x, support, l.Bytes(c.labels...), l.Ints(c.task...), c.n, keys, ops.Mode{})
		opstest.Fails(t, err, "mhnfs: ", words)
		l.Drop()
	}
}

// TestOperations checks the forms of the operations.
func TestOperations(t *testing.T) {
	all := opstest.Examples{}
	for name, c := range mhnfsCases {
		all.Add("mhnfs", name, 6, !c.mode.Training, c.run)
		if c.heads > 0 {
			all.Add("mhnfs keys", name, 6, true, c.keys)
		}
	}
	all.Check(t)
}
