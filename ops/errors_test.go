package ops

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sugarme/gotch/ts"
)

// fails checks that err is not nil, contains all of the words, and is short enough to read
// at a glance.
func fails(t *testing.T, err error, words ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error; want one with %q", words)
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("the error %q does not contain %q", err, w)
		}
	}
	if strings.Contains(err.Error(), "frame #") {
		t.Errorf("the error shows a backtrace: %q", err)
	}
}

// misshapen holds inputs of an operation on support sets. One of them is wrong.
type misshapen struct {
	x, support []int64 // shapes
	labels     []uint8
	task       []int32 // of x
	n          int     // support molecules of a task
}

// refused checks that the operation named what refuses each of these inputs, with an error
// that contains the words of its key.
func refused(t *testing.T, what string, all map[string]misshapen, f func(l *lab, x, support, labels, task *ts.Tensor, c misshapen) error) {
	t.Helper()
	locked(t, 2)
	for words, c := range all {
		l := newLab(t, 1, true)
		err := f(l, l.leaf("x", 0, 1, c.x...), l.leaf("support", 0, 1, c.support...), l.bytes(c.labels...), l.ints(c.task...), c)
		fails(t, err, what+": ", words)
		l.drop()
	}
}

// sameOnThreads checks that a calculation gives the same numbers on any number of threads.
func sameOnThreads(t *testing.T, c calculation) {
	t.Helper()
	var first outcome
	for _, n := range []int{1, 2, 3} {
		run(t, fmt.Sprint(n), func(t *testing.T) {
			SetThreads(n)
			o := outcomeOf(t, 1, false, c)
			if n == 1 {
				first = o
			}
			for _, name := range o.names {
				near(t, name, o.stages[name], first.stages[name], 0)
			}
		})
	}
}

// TestErrorsOfGIN breaks one input at a time.
func TestErrorsOfGIN(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(l *lab, g *ginLayer, h **ts.Tensor)
		words string
	}{
		"atoms":     {func(l *lab, _ *ginLayer, h **ts.Tensor) { *h = l.leaf("x", 0, 1, 8, 4) }, "h has shape [8, 4], not [9, any]"},
		"width":     {func(l *lab, _ *ginLayer, h **ts.Tensor) { *h = l.leaf("x", 0, 1, 9, 3) }, "W1 has shape [6, 4], not [any, 3]"},
		"one row":   {func(l *lab, _ *ginLayer, h **ts.Tensor) { *h = l.leaf("x", 0, 1, 9) }, "h has shape [9]"},
		"W2":        {func(_ *lab, g *ginLayer, _ **ts.Tensor) { g.W2 = g.W1 }, "W2 has shape [6, 4], not [4, 6]"},
		"b1":        {func(_ *lab, g *ginLayer, _ **ts.Tensor) { g.B1 = g.B2 }, "b1 has shape [4], not [6]"},
		"E1":        {func(_ *lab, g *ginLayer, _ **ts.Tensor) { g.E1 = g.E2 }, "E1 has shape [3, 4], not [6, 4]"},
		"E2":        {func(_ *lab, g *ginLayer, _ **ts.Tensor) { g.E2 = nil }, "E2 is missing"},
		"gamma":     {func(_ *lab, g *ginLayer, _ **ts.Tensor) { g.Norm.Gamma = g.B1 }, "gamma has shape [6], not [4]"},
		"mean":      {func(_ *lab, g *ginLayer, _ **ts.Tensor) { g.Norm.Mean = g.B1 }, "mean has shape [6], not [4]"},
		"precision": {func(l *lab, _ *ginLayer, h **ts.Tensor) { l.double = false; *h = l.leaf("x", 0, 1, 9, 4) }, "Float"},
	} {
		run(t, name, func(t *testing.T) {
			l := newLab(t, 1, true)
			defer l.drop()
			g := l.graph(molecules(l.r, [][]int{{3, 1}, {5}}))
			h, layer := l.leaf("h", 0, 1, 9, 4), l.gin(4, 6)
			c.spoil(l, layer, &h)
			_, err := layer.Layer(h, g.Level(0), true, Mode{Training: true})
			fails(t, err, "gin layer: ", c.words)
		})
	}
}

func TestErrorsOfGraphs(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(h *HostGraph)
		words string
	}{
		"empty":                 {func(h *HostGraph) { *h = HostGraph{} }, "without atoms"},
		"no molecules":          {func(h *HostGraph) { *h = HostGraph{RowPtr: []int32{0}, MolPtr: []int32{0}, Group: []int32{0}} }, "without atoms"},
		"categories missing":    {func(h *HostGraph) { h.Atoms = h.Atoms[2:] }, "16 atom categories do not go with 9 atoms"},
		"bond categories":       {func(h *HostGraph) { h.Bond = h.Bond[2:] }, "bond categories do not go with"},
		"bond of no atom":       {func(h *HostGraph) { h.Col[1] = 9 }, "bond 1 comes from atom 9, out of range of 0 to 8"},
		"bond of a negative":    {func(h *HostGraph) { h.Col[0] = -1 }, "bond 0 comes from atom -1"},
		"bond type":             {func(h *HostGraph) { h.Bond[0] = 6 }, "bond 0 has type 6"},
		"bond direction":        {func(h *HostGraph) { h.Bond[1] = 3 }, "and direction 3"},
		"bonds not ascending":   {func(h *HostGraph) { h.RowPtr[1] = 100 }, "RowPtr does not ascend"},
		"bonds end early":       {func(h *HostGraph) { h.RowPtr[9]-- }, "RowPtr does not ascend"},
		"molecules end late":    {func(h *HostGraph) { h.MolPtr[3] = 10 }, "MolPtr does not ascend"},
		"groups end early":      {func(h *HostGraph) { h.Group[2] = 8 }, "Group does not ascend"},
		"groups start late":     {func(h *HostGraph) { h.Group[0] = 1 }, "Group does not ascend"},
		"support without query": {func(h *HostGraph) { h.Group = h.Group[:2] }, "Group has 2 offsets, an even number"},
	} {
		run(t, name, func(t *testing.T) {
			h := molecules(newLab(nil, 1, true).r, [][]int{{3, 1}, {5}})
			c.spoil(&h)
			_, err := NewGraph(h, CPU)
			fails(t, err, "graph: ", c.words)
		})
	}
}

// TestErrorsOfLevels damages levels of 4, 6 and 5 rows of the queries of one task.
func TestErrorsOfLevels(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(h *HostGraph)
		words string
	}{
		"rows of atoms alone": {func(h *HostGraph) { h.Levels = h.Levels[:1] }, "level 0 alone"},
		"two tasks":           {func(h *HostGraph) { h.Group = []int32{0, 3, 3, 9, 9} }, "3 levels do not distinguish 2 tasks"},
		"atoms without rows":  {func(h *HostGraph) { h.Row = h.Row[1:] }, "8 rows of atoms for 9 atoms"},
		"row of an atom":      {func(h *HostGraph) { h.Row[3] = 5 }, "atom 3 has row 5, out of range of 0 to 4"},
		"row before":          {func(h *HostGraph) { h.Levels[1].Self[2] = 4 }, "level 1: row 2 has row 4, out of range of 0 to 3"},
		"negative row before": {func(h *HostGraph) { h.Levels[2].Self[0] = -1 }, "level 2: row 0 has row -1"},
		"bond of no row":      {func(h *HostGraph) { h.Levels[2].Col[1] = 6 }, "level 2: bond 1 comes from atom 6, out of range of 0 to 5"},
		"bond type":           {func(h *HostGraph) { h.Levels[1].Bond[0] = 6 }, "level 1: bond 0 has type 6"},
		"bonds end early":     {func(h *HostGraph) { h.Levels[1].RowPtr[6]-- }, "level 1: RowPtr does not ascend"},
		"offsets missing":     {func(h *HostGraph) { h.Levels[1].RowPtr = h.Levels[1].RowPtr[1:] }, "level 1: 6 offsets"},
		"atoms in between":    {func(h *HostGraph) { h.Levels[1].Row = make([]int32, 8) }, "level 1: 8 rows of atoms for 9 atoms"},
		"row in between":      {func(h *HostGraph) { h.Levels[1].Row = slices.Repeat([]int32{6}, 9) }, "level 1: atom 0 has row 6, out of range of 0 to 5"},
		"mask of no atom":     {func(h *HostGraph) { h.Levels[1].Like = slices.Repeat([]int32{9}, 9) }, "level 1: atom 0 has its mask in common with 9, out of range of 0 to 8"},
		"categories missing":  {func(h *HostGraph) { h.Levels[0].Atoms = nil }, "level 1: row 0 has row"},
	} {
		run(t, name, func(t *testing.T) {
			r := newLab(nil, 1, true).r
			h := molecules(r, [][]int{{}, {3, 1, 5}})
			h.invent(r, []int{4, 6, 5})
			c.spoil(&h)
			_, err := NewGraph(h, CPU)
			fails(t, err, "graph: ", c.words)
		})
	}
	run(t, "training", func(t *testing.T) {
		c := ginCase{"", [][]int{{}, {3, 1, 5}}, 3, 4, true, Mode{Training: true}, []int{4, 6, 5}, 0, false}
		l := newLab(t, 1, true)
		defer l.drop()
		_, v, h := c.inputs(l)
		_, err := l.gin(c.width, c.inner).Layer(h, v, c.relu, c.mode)
		fails(t, err, "gin layer: ", "rows that stand for many")
	})
}

// TestErrorsOfShapes passes wrong shapes to the other operations.
func TestErrorsOfShapes(t *testing.T) {
	type inputs struct {
		*lab
		g *Graph // 9 atoms, 3 molecules, 1 task
	}
	x := func(in inputs, shape ...int64) *ts.Tensor { return in.tensor(in.draw(size(shape)), false, shape...) }
	linear := func(in inputs, i, o int64) Linear { return Linear{W: x(in, o, i), B: x(in, o)} }
	relation := func(in inputs, n Nodes, support, k int) error {
		r := Relation{Similarity: [3]Linear{linear(in, 4, 5), linear(in, 5, 3), linear(in, 3, 1)}, Node: []Linear{linear(in, 8, 4)}}
		_, _, err := r.Layer(n, support, k, false)
		return err
	}
	for name, c := range map[string]struct {
		call func(in inputs) error
		op   string
		word string
	}{
		"atom category": {func(in inputs) error { _, err := Embed(in.g, x(in, 3, 4), x(in, 3, 4)); return err }, "embed", "out of range"},
		"mean of fewer atoms": {func(in inputs) error { _, err := SegmentMean(x(in, 8, 4), in.g, in.ints(0)); return err },
			"segment mean", "molecules end at row 9 of 8"},
		"molecule 3 of 3": {func(in inputs) error { _, err := SegmentMean(x(in, 9, 4), in.g, in.ints(0, 3)); return err },
			"segment mean", "which: entry 1 is 3, out of range of 0 to 2"},
		"molecule -1": {func(in inputs) error { _, err := SegmentMean(x(in, 9, 4), in.g, in.ints(-1)); return err }, "segment mean", "entry 0 is -1"},
		"no molecules asked for": {func(in inputs) error { _, err := SegmentMean(x(in, 9, 4), in.g, nil); return err },
			"segment mean", "which is missing"},
		"molecules of another type": {func(in inputs) error { _, err := SegmentMean(x(in, 9, 4), in.g, in.bytes(1)); return err }, "segment mean", "Int"},
		"modulation of two tasks": {func(in inputs) error {
			_, err := FiLM(x(in, 9, 4), in.g.Level(0), x(in, 2, 4), x(in, 2, 4), FilmAffine)
			return err
		},
			"film", "w has shape [2, 4], not [1, 4]"},
		"narrow modulation": {func(in inputs) error {
			_, err := FiLM(x(in, 9, 4), in.g.Level(0), x(in, 1, 7), nil, FilmAffine)
			return err
		},
			"film", "b has shape [1, 3], not [1, 4]"},
		"modulation of fewer atoms": {func(in inputs) error {
			_, err := FiLM(x(in, 8, 4), in.g.Level(0), x(in, 1, 8), nil, FilmUnit)
			return err
		},
			"film", "tasks end at row 9 of 8"},
		"modulation of nodes": {func(in inputs) error {
			_, err := FiLMNodes(x(in, 2, 3, 4), x(in, 3, 4), x(in, 3, 4), FilmScale)
			return err
		},
			"film", "w has shape [3, 4], not [2, 4]"},
		"mlp":             {func(in inputs) error { _, err := MLP(x(in, 2, 3), []Linear{linear(in, 4, 2)}, Mode{}); return err }, "mlp", "2x3"},
		"mlp of integers": {func(in inputs) error { _, err := MLP(in.ints(1, 2), []Linear{linear(in, 2, 2)}, Mode{}); return err }, "mlp", "type"},
		"labels": {func(in inputs) error {
			h := Hypernetwork{Molecule: []Linear{linear(in, 6, 4)}, Last: []Linear{linear(in, 8, 2)}}
			_, err := h.Task(x(in, 4, 4), in.bytes(0, 1, 2, 1), 4, Mode{})
			return err
		}, "hypernetwork", "a label is not 0 or 1"},
		"number of labels": {func(in inputs) error {
			h := Hypernetwork{Molecule: []Linear{linear(in, 6, 4)}, Last: []Linear{linear(in, 8, 2)}}
			_, err := h.Task(x(in, 4, 4), in.bytes(0, 1, 1), 4, Mode{})
			return err
		}, "hypernetwork", "Expected size 4 but got size 3"},
		"no neighbours":      {func(in inputs) error { return relation(in, Nodes{Graphs: x(in, 2, 4, 4)}, 3, 0) }, "relation layer", "at least one"},
		"no support":         {func(in inputs) error { return relation(in, Nodes{Graphs: x(in, 2, 1, 4)}, 0, 1) }, "relation layer", "no support"},
		"nodes of a graph":   {func(in inputs) error { return relation(in, Nodes{Graphs: x(in, 2, 4, 4)}, 4, 1) }, "relation layer", "nodes has shape [2, 4, 4], not [any, 5, any]"},
		"width of the nodes": {func(in inputs) error { return relation(in, Nodes{Graphs: x(in, 2, 4, 3)}, 3, 1) }, "relation layer", "3"},
		"width of a query": {func(in inputs) error { return relation(in, Nodes{nil, x(in, 6, 4), x(in, 2, 3), in.ints(0, 1)}, 3, 1) },
			"relation layer", "query has shape [2, 3], not [2, 4]"},
		"task of a query": {func(in inputs) error { return relation(in, Nodes{nil, x(in, 6, 4), x(in, 2, 4), in.ints(0, 2)}, 3, 1) },
			"relation layer", "order of their tasks"},
		"queries not in order": {func(in inputs) error { return relation(in, Nodes{nil, x(in, 6, 4), x(in, 2, 4), in.ints(1, 0)}, 3, 1) },
			"relation layer", "order of their tasks"},
		"fewer tasks than queries": {func(in inputs) error { return relation(in, Nodes{nil, x(in, 6, 4), x(in, 2, 4), in.ints(0)}, 3, 1) },
			"relation layer", "task has shape [1], not [2]"},
		"support of no whole task": {func(in inputs) error { return relation(in, Nodes{nil, x(in, 5, 4), x(in, 1, 4), in.ints(0)}, 3, 1) },
			"relation layer", "support has shape [5, 4], not [3, any]"},
		"scores": {func(in inputs) error {
			_, _, err := Mix([]*ts.Tensor{x(in, 2, 3), x(in, 2, 3)}, []*ts.Tensor{x(in, 2, 1)}, nil, false)
			return err
		}, "mixture of layers", "2 layers and 1 scores"},
		"classifier without networks": {func(in inputs) error {
			_, err := new(Classifier).Logits([]*ts.Tensor{x(in, 1, 3, 2)}, in.bytes(0, 1), in.ints(0), 2)
			return err
		}, "classifier", "0 networks"},
		"label 2": {func(in inputs) error {
			_, err := Loss(x(in, 2, 1, 2), in.bytes(0, 2), x(in, 2), nil, LossLast, 1)
			return err
		},
			"loss", "out of bounds"},
	} {
		run(t, name, func(t *testing.T) {
			l := newLab(t, 1, true)
			defer l.drop()
			in := inputs{l, l.graph(molecules(l.r, [][]int{{3, 1}, {5}}))}
			fails(t, c.call(in), c.op+": ", c.word)
		})
	}
}
