package ops_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/harness/opstest"
	"pacia/ops"
)

// TestTable has examples of all operations of this package.
func TestTable(t *testing.T) {
	all := opstest.Examples{}
	all.Add("embed", "tables", 1, true, embedded)
	for i, c := range ginCases() {
		all.Add("gin layer", c.name, i, false, c.run)
		all.ForLoops("gin layer", c.rows != nil)
	}
	for i, c := range smoothGINCases() {
		all.Add("gin layer", "differences, "+c.name, i, true, c.run)
		all.ForLoops("gin layer", c.rows != nil)
	}
	for i, c := range convolutionCases() {
		name := "mean layer"
		if c.kind == "gat" {
			name = "attention layer"
		}
		all.Add(name, c.String(), i, c.width <= 10, c.run)
	}
	for name, c := range filmCases() {
		all.Add("film", name, 1, true, c.run)
	}
	for _, shape := range [][]int64{{1}, {3, 7}, {40, 500}} {
		all.Add("dropout", fmt.Sprint(shape), 1, true, func(l *opstest.Lab) *ts.Tensor {
			x := l.Leaf("x", 0, 1, shape...)
			return l.Must(ops.Named("dropout").One(ops.Args{In: []*ts.Tensor{x}, Ints: []int64{99}, Reals: []float64{0.3}}))
		})
	}
	for _, queries := range [][]int{{2, 3}, {1, 0, 4}, {1}} {
		all.Add("relation graphs", fmt.Sprint("queries ", queries), 1, true, func(l *opstest.Lab) *ts.Tensor {
			return droppedGraphs(l, queries,
				3, 4, 0.3)
		})
	}
	for name, c := range countCases() {
		all.Add("embed counts", name, 1, name == "small", c)
	}
	for name, c := range denseCases() {
		all.Add("dense layer", name, 2, !strings.HasPrefix(name, "many"), c)
	}
	all.Add("mean of states", "two", 1, true, func(l *opstest.Lab) *ts.Tensor {
		return l.Must(ops.Middle(l.Leaf("h", 0, 1, 3, 2), l.Leaf("earlier", 0, 1, 3, 2)))
	})
	for i, c := range segmentCases() {
		all.Add("segment mean", c.name, i, true, c.run)
		all.ForLoops("segment mean", !slices.IsSorted(c.which))
		c.which = slices.Sorted(slices.Values(c.which))
		all.Add("segment mean", c.name+", in order", i, false, c.run)
	}
	for _, f := range poolForms {
		for i, atoms := range readoutAtoms() {
			all.Add("pool", fmt.Sprintf("%s of %d", f.name, len(atoms)), i, len(atoms) == 3, pooled(atoms, 19, f.form))
		}
	}
	for i, atoms := range readoutAtoms() {
		for k, c := range []combinedCase{{atoms, 7, 2, 3, 5, 4, false}, {atoms, 40, 12, 8, 33, 10, false}, {atoms, 1, 1, 1, 1, 1, false},
			{atoms, 7, 2, 3, 5, 4, true}} {
			all.Add("combined readout", fmt.Sprintf("%d molecules, size %d", len(atoms), k), 3*i+k, false, c.run)
		}
	}
	all.Add("combined readout", "differences", 4, true, combinedCase{[]int{3, 1, 5}, 6, 2, 3, 5, 4, false}.run)
	for _, form := range []ops.JumpForm{ops.JumpLast, ops.JumpSum, ops.JumpMax, ops.JumpConcat} {
		all.Add("jumping knowledge", fmt.Sprint(form), 1, form != ops.JumpLast, func(l *opstest.Lab) *ts.Tensor {
			return l.Must(ops.Jump([]*ts.Tensor{l.Leaf("0", 0, 1, 3, 2), l.Leaf("1", 0, 1, 3, 2)}, form, nil))
		})
	}
	for i, c := range relationCases() {
		all.Add("relation layer", c.name, i, c.n <= 8, c.run)
		all.ForLoops("relation layer", c.apart != 0)
	}
	for name, c := range hyperCases {
		all.Add("hypernetwork", name, 2, true, c.run)
	}
	for name, s := range stacks {
		all.Add("mlp", name, 1, true, func(l *opstest.Lab) *ts.Tensor {
			return l.Must(ops.MLP(l.Leaf("x", 0, 1, 2, 3, int64(s.widths[0])), s.layers(l, "mlp"), ops.Mode{Training: true, Dropout: 0.5, Key: 3}))
		})
	}
	for name, c := range mixCases {
		all.Add("mixture of layers", name, 3, !c.choose, c.run)
	}
	for name, c := range classifierCases {
		all.Add("classifier", name, 4, true, c.run)
	}
	for name, c := range distanceCases {
		all.Add("distances to class means", name, 6, true, c.run)
	}
	for name, c := range taskLogitsCases {
		all.Add("logits of tasks", name, 7, name != "many", c.run)
	}
	for name, c := range matchCases {
		all.Add("match with the support", name, 6, true, c.run)
	}
	for name, c := range lossCases {
		all.Add("loss", name, 5, c.columns == nil || c.form == lossExpected, c.run)
	}
	all.Check(t)
}
