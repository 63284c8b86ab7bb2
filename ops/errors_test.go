package ops_test

import (
	"slices"
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/harness/opstest"
	"pacia/ops"
)

// TestErrorsOfGIN breaks one input at a time.
func TestErrorsOfGIN(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(l *opstest.Lab, g *ginLayer, h **ts.Tensor)
		words string
	}{
		"atoms":     {func(l *opstest.Lab, _ *ginLayer, h **ts.Tensor) { *h = l.Leaf("x", 0, 1, 8, 4) }, "h has shape [8, 4], not [9, any]"},
		"width":     {func(l *opstest.Lab, _ *ginLayer, h **ts.Tensor) { *h = l.Leaf("x", 0, 1, 9, 3) }, "W1 has shape [6, 4], not [any, 3]"},
		"one row":   {func(l *opstest.Lab, _ *ginLayer, h **ts.Tensor) { *h = l.Leaf("x", 0, 1, 9) }, "h has shape [9]"},
		"W2":        {func(_ *opstest.Lab, g *ginLayer, _ **ts.Tensor) { g.W2 = g.W1 }, "W2 has shape [6, 4], not [4, 6]"},
		"b1":        {func(_ *opstest.Lab, g *ginLayer, _ **ts.Tensor) { g.B1 = g.B2 }, "b1 has shape [4], not [6]"},
		"E1":        {func(_ *opstest.Lab, g *ginLayer, _ **ts.Tensor) { g.E1 = g.E2 }, "E1 has shape [3, 4], not [6, 4]"},
		"E2":        {func(_ *opstest.Lab, g *ginLayer, _ **ts.Tensor) { g.E2 = nil }, "E2 is missing"},
		"gamma":     {func(_ *opstest.Lab, g *ginLayer, _ **ts.Tensor) { g.Norm.Gamma = g.B1 }, "gamma has shape [6], not [4]"},
		"mean":      {func(_ *opstest.Lab, g *ginLayer, _ **ts.Tensor) { g.Norm.Mean = g.B1 }, "mean has shape [6], not [4]"},
		"precision": {func(l *opstest.Lab, _ *ginLayer, h **ts.Tensor) { l.Double = false; *h = l.Leaf("x", 0, 1, 9, 4) }, "Float"},
	} {
		opstest.Run(t, name, func(t *testing.T) {
			l := opstest.New(t, 1, true)
			defer l.Drop()
			g := l.Graph(opstest.Molecules(l.Rand, [][]int{{3, 1}, {5}}))
			h, layer := l.Leaf("h", 0, 1, 9, 4), gin(l, 4, 6)
			c.spoil(l, layer, &h)
			_, err := layer.Layer(h, g.Level(0), true, ops.Mode{Training: true})
			opstest.Fails(t, err, "gin layer: ", c.words)
		})
	}
}

func TestErrorsOfGraphs(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(h *ops.HostGraph)
		words string
	}{
		"empty": {func(h *ops.HostGraph) { *h = ops.HostGraph{} }, "without atoms"},
		"no molecules": {func(h *ops.HostGraph) { *h = ops.HostGraph{RowPtr: []int32{0}, MolPtr: []int32{0}, Group: []int32{0}} },
			"without atoms"},
		"categories missing":    {func(h *ops.HostGraph) { h.Atoms = h.Atoms[2:] }, "16 atom categories do not go with 9 atoms"},
		"bond categories":       {func(h *ops.HostGraph) { h.Bond = h.Bond[2:] }, "bond categories do not go with"},
		"bond of no atom":       {func(h *ops.HostGraph) { h.Col[1] = 9 }, "bond 1 comes from atom 9, out of range of 0 to 8"},
		"bond of a negative":    {func(h *ops.HostGraph) { h.Col[0] = -1 }, "bond 0 comes from atom -1"},
		"bond type":             {func(h *ops.HostGraph) { h.Bond[0] = 6 }, "bond 0 has type 6"},
		"bond direction":        {func(h *ops.HostGraph) { h.Bond[1] = 3 }, "and direction 3"},
		"bonds not ascending":   {func(h *ops.HostGraph) { h.RowPtr[1] = 100 }, "RowPtr does not ascend"},
		"bonds end early":       {func(h *ops.HostGraph) { h.RowPtr[9]-- }, "RowPtr does not ascend"},
		"molecules end late":    {func(h *ops.HostGraph) { h.MolPtr[3] = 10 }, "MolPtr does not ascend"},
		"groups end early":      {func(h *ops.HostGraph) { h.Group[2] = 8 }, "Group does not ascend"},
		"groups start late":     {func(h *ops.HostGraph) { h.Group[0] = 1 }, "Group does not ascend"},
		"support without query": {func(h *ops.HostGraph) { h.Group = h.Group[:2] }, "Group has 2 offsets, an even number"},
	} {
		opstest.Run(t, name, func(t *testing.T) {
			h := opstest.Molecules(opstest.New(nil, 1, true).Rand, [][]int{{3, 1}, {5}})
			c.spoil(&h)
			_, err := ops.NewGraph(h, ops.CPU)
			opstest.Fails(t, err, "graph: ", c.words)
		})
	}
}

// TestErrorsOfLevels damages levels of 4, 6 and 5 rows of the queries of one task.
func TestErrorsOfLevels(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(h *ops.HostGraph)
		words string
	}{
		"rows of atoms alone": {func(h *ops.HostGraph) { h.Levels = h.Levels[:1] }, "level 0 alone"},
		"two tasks":           {func(h *ops.HostGraph) { h.Group = []int32{0, 3, 3, 9, 9} }, "3 levels do not distinguish 2 tasks"},
		"atoms without rows":  {func(h *ops.HostGraph) { h.Row = h.Row[1:] }, "8 rows of atoms for 9 atoms"},
		"row of an atom":      {func(h *ops.HostGraph) { h.Row[3] = 5 }, "atom 3 has row 5, out of range of 0 to 4"},
		"row before":          {func(h *ops.HostGraph) { h.Levels[1].Self[2] = 4 }, "level 1: row 2 has row 4, out of range of 0 to 3"},
		"negative row before": {func(h *ops.HostGraph) { h.Levels[2].Self[0] = -1 }, "level 2: row 0 has row -1"},
		"bond of no row":      {func(h *ops.HostGraph) { h.Levels[2].Col[1] = 6 }, "level 2: bond 1 comes from atom 6, out of range of 0 to 5"},
		"bond type":           {func(h *ops.HostGraph) { h.Levels[1].Bond[0] = 6 }, "level 1: bond 0 has type 6"},
		"bonds end early":     {func(h *ops.HostGraph) { h.Levels[1].RowPtr[6]-- }, "level 1: RowPtr does not ascend"},
		"offsets missing":     {func(h *ops.HostGraph) { h.Levels[1].RowPtr = h.Levels[1].RowPtr[1:] }, "level 1: 6 offsets"},
		"atoms in between":    {func(h *ops.HostGraph) { h.Levels[1].Row = make([]int32, 8) }, "level 1: 8 rows of atoms for 9 atoms"},
		"row in between": {func(h *ops.HostGraph) { h.Levels[1].Row = slices.Repeat([]int32{6}, 9) },
			"level 1: atom 0 has row 6, out of range of 0 to 5"},
		"mask of no atom": {func(h *ops.HostGraph) { h.Levels[1].Like = slices.Repeat([]int32{9}, 9) },
			"level 1: atom 0 has its mask in common with 9, out of range of 0 to 8"},
		"categories missing": {func(h *ops.HostGraph) { h.Levels[0].Atoms = nil }, "level 1: row 0 has row"},
	} {
		opstest.Run(t, name, func(t *testing.T) {
			r := opstest.New(nil, 1, true).Rand
			h := opstest.Molecules(r, [][]int{{}, {3, 1, 5}})
			opstest.Invent(&h, r, []int{4, 6, 5})
			c.spoil(&h)
			_, err := ops.NewGraph(h, ops.CPU)
			opstest.Fails(t, err, "graph: ", c.words)
		})
	}
	opstest.Run(t, "training", func(t *testing.T) {
		c := ginCase{"", [][]int{{}, {3, 1, 5}}, 3, 4, true, ops.Mode{Training: true}, []int{4, 6, 5}, 0, false}
		l := opstest.New(t, 1, true)
		defer l.Drop()
		_, v, h := c.inputs(l)
		_, err := gin(l, c.width, c.inner).Layer(h, v, c.relu, c.mode)
		opstest.Fails(t, err, "gin layer: ", "rows that stand for many")
	})
}

// TestErrorsOfShapes passes wrong shapes to the other operations.
func TestErrorsOfShapes(t *testing.T) {
	type inputs struct {
		*opstest.Lab
		g *ops.Graph // 9 atoms, 3 molecules, 1 task
	}
	x := func(in inputs, shape ...int64) *ts.Tensor {
		return in.Tensor(in.Draw(opstest.Size(shape)), false, shape...)
	}
	linear := func(in inputs, i, o int64) ops.Linear { return ops.Linear{W: x(in, o, i), B: x(in, o)} }
	relation := func(in inputs, n ops.Nodes, support, k int) error {
		r := ops.Relation{Similarity: [3]ops.Linear{linear(in, 4, 5), linear(in, 5, 3), linear(in, 3, 1)}, Node: []ops.Linear{linear(in, 8, 4)}}
		_, _, err := r.Layer(n, support, k, false)
		return err
	}
	for name, c := range map[string]struct {
		call func(in inputs) error
		op   string
		word string
	}{
		"atom category": {func(in inputs) error { _, err := ops.Embed(in.g, x(in, 3, 4), x(in, 3, 4)); return err }, "embed", "out of range"},
		"mean of fewer atoms": {func(in inputs) error { _, err := ops.SegmentMean(x(in, 8, 4), in.g, in.Ints(0)); return err },
			"segment mean", "molecules end at row 9 of 8"},
		"molecule 3 of 3": {func(in inputs) error { _, err := ops.SegmentMean(x(in, 9, 4), in.g, in.Ints(0, 3)); return err },
			"segment mean", "which: entry 1 is 3, out of range of 0 to 2"},
		"molecule -1": {func(in inputs) error { _, err := ops.SegmentMean(x(in, 9, 4), in.g, in.Ints(-1)); return err }, "segment mean",
			"entry 0 is -1"},
		"no molecules asked for": {func(in inputs) error { _, err := ops.SegmentMean(x(in, 9, 4), in.g, nil); return err },
			"segment mean", "which is missing"},
		"molecules of another type": {func(in inputs) error { _, err := ops.SegmentMean(x(in, 9, 4), in.g, in.Bytes(1)); return err },
			"segment mean", "Int"},
		"modulation of two tasks": {func(in inputs) error {
			_, err := ops.FiLM(x(in, 9, 4), in.g.Level(0), x(in, 2, 4), x(in, 2, 4), ops.FilmAffine)
			return err
		},
			"film", "w has shape [2, 4], not [1, 4]"},
		"narrow modulation": {func(in inputs) error {
			_, err := ops.FiLM(x(in, 9, 4), in.g.Level(0), x(in, 1, 7), nil, ops.FilmAffine)
			return err
		},
			"film", "b has shape [1, 3], not [1, 4]"},
		"modulation of fewer atoms": {func(in inputs) error {
			_, err := ops.FiLM(x(in, 8, 4), in.g.Level(0), x(in, 1, 8), nil, ops.FilmUnit)
			return err
		},
			"film", "tasks end at row 9 of 8"},
		"modulation of nodes": {func(in inputs) error {
			_, err := ops.FiLMNodes(x(in, 2, 3, 4), x(in, 3, 4), x(in, 3, 4), ops.FilmScale)
			return err
		},
			"film", "w has shape [3, 4], not [2, 4]"},
		"mlp": {func(in inputs) error {
			_, err := ops.MLP(x(in, 2, 3), []ops.Linear{linear(in, 4, 2)}, ops.Mode{})
			return err
		}, "mlp", "2x3"},
		"mlp of integers": {func(in inputs) error {
			_, err := ops.MLP(in.Ints(1, 2), []ops.Linear{linear(in, 2, 2)}, ops.Mode{})
			return err
		}, "mlp", "type"},
		"labels": {func(in inputs) error {
			h := ops.Hypernetwork{Molecule: []ops.Linear{linear(in, 6, 4)}, Last: []ops.Linear{linear(in, 8, 2)}}
			_, err := h.Task(x(in, 4, 4), in.Bytes(0, 1, 2, 1), 4, ops.Mode{})
			return err
		}, "hypernetwork", "a label is not 0 or 1"},
		"number of labels": {func(in inputs) error {
			h := ops.Hypernetwork{Molecule: []ops.Linear{linear(in, 6, 4)}, Last: []ops.Linear{linear(in, 8, 2)}}
			_, err := h.Task(x(in, 4, 4), in.Bytes(0, 1, 1), 4, ops.Mode{})
			return err
		}, "hypernetwork", "Expected size 4 but got size 3"},
		"no neighbours": {func(in inputs) error { return relation(in, ops.Nodes{Graphs: x(in, 2, 4, 4)}, 3, 0) }, "relation layer",
			"at least one"},
		"no support": {func(in inputs) error { return relation(in, ops.Nodes{Graphs: x(in, 2, 1, 4)}, 0, 1) }, "relation layer",
			"no support"},
		"nodes of a graph": {func(in inputs) error { return relation(in, ops.Nodes{Graphs: x(in, 2, 4, 4)}, 4, 1) }, "relation layer",
			"nodes has shape [2, 4, 4], not [any, 5, any]"},
		"width of the nodes": {func(in inputs) error { return relation(in, ops.Nodes{Graphs: x(in, 2, 4, 3)}, 3, 1) }, "relation layer", "3"},
		"width of a query": {func(in inputs) error {
			return relation(in, ops.Nodes{Graphs: nil, Support: x(in, 6, 4), Query: x(in, 2, 3), Task: in.Ints(0, 1)}, 3, 1)
		},
			"relation layer", "query has shape [2, 3], not [2, 4]"},
		"task of a query": {func(in inputs) error {
			return relation(in, ops.Nodes{Graphs: nil, Support: x(in, 6, 4), Query: x(in, 2, 4), Task: in.Ints(0, 2)}, 3, 1)
		},
			"relation layer", "order of their tasks"},
		"queries not in order": {func(in inputs) error {
			return relation(in, ops.Nodes{Graphs: nil, Support: x(in, 6, 4), Query: x(in, 2, 4), Task: in.Ints(1, 0)}, 3, 1)
		},
			"relation layer", "order of their tasks"},
		"fewer tasks than queries": {func(in inputs) error {
			return relation(in, ops.Nodes{Graphs: nil, Support: x(in, 6, 4), Query: x(in, 2, 4), Task: in.Ints(0)}, 3, 1)
		},
			"relation layer", "task has shape [1], not [2]"},
		"support of no whole task": {func(in inputs) error {
			return relation(in, ops.Nodes{Graphs: nil, Support: x(in, 5, 4), Query: x(in, 1, 4), Task: in.Ints(0)}, 3, 1)
		},
			"relation layer", "support has shape [5, 4], not [3, any]"},
		"scores": {func(in inputs) error {
			_, _, err := ops.Mix([]*ts.Tensor{x(in, 2, 3), x(in, 2, 3)}, []*ts.Tensor{x(in, 2, 1)}, nil, false)
			return err
		}, "mixture of layers", "2 layers and 1 scores"},
		"classifier without networks": {func(in inputs) error {
			_, err := new(ops.Classifier).Logits([]*ts.Tensor{x(in, 1, 3, 2)}, in.Bytes(0, 1), in.Ints(0), 2)
			return err
		}, "classifier", "0 networks"},
		"label 2": {func(in inputs) error {
			_, err := ops.Loss(x(in, 2, 1, 2), in.Bytes(0, 2), x(in, 2), nil, ops.LossLast, 1)
			return err
		},
			"loss", "out of bounds"},
	} {
		opstest.Run(t, name, func(t *testing.T) {
			l := opstest.New(t, 1, true)
			defer l.Drop()
			in := inputs{l, l.Graph(opstest.Molecules(l.Rand, [][]int{{3, 1}, {5}}))}
			opstest.Fails(t, c.call(in), c.op+": ", c.word)
		})
	}
}
