package ops

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sugarme/gotch/ts"
)

// example is a calculation of one operation on leaves.
type example struct {
	name   string
	seed   uint64
	run    calculation
	smooth bool // finite differences can follow it: it is small and has no kinks
	rows   bool // it runs on loops only
}

// TestTable walks the table of operations. The plain form, which defines an operation, is compared
// with finite differences, differentiated once and twice. Each other path is compared with the
// plain form, forward and backward. The kernels run on the emulator, with their threads in one
// order and in the other.
func TestTable(t *testing.T) {
	all := examples()
	for _, o := range operations() {
		if len(all[o.name]) == 0 {
			t.Errorf("%s has no example", o.name)
		}
		followed := false
		for i, e := range all[o.name] {
			if testing.Short() { // two examples; differences follow the first of the smooth ones
				if i == 2 {
					break
				}
				e.smooth, followed = e.smooth && !followed, followed || e.smooth
			}
			t.Run(o.name+", "+e.name, func(t *testing.T) { e.test(t, o) })
		}
	}
}

func (e example) test(t *testing.T, o op) {
	locked(t, 2)
	want := by(plain, e.run)
	if e.smooth {
		checkGradients(t, e.seed, want)
		checkTwice(t, e.seed, want)
	}
	if o.has(loops) {
		sameOutcomes(t, e.seed, by(loops, e.run), want)
	}
	if !o.has(kernels) || e.rows || testing.Short() {
		return
	}
	emulated(t)
	sameOutcomes(t, e.seed, by(kernels, e.run), want)
	if where == CPU {
		EmulateBackwards()
		sameOutcomes(t, e.seed, by(kernels, e.run), want)
	}
}

// examples returns the examples of each operation, by its name.
func examples() map[string][]example {
	all := map[string][]example{}
	add := func(o op, name string, seed int, smooth bool, f calculation) {
		all[o.name] = append(all[o.name], example{name, uint64(seed), f, smooth, false})
	}
	forLoops := func(o op, yes bool) {
		list := all[o.name]
		list[len(list)-1].rows = yes
	}
	add(embedOp, "tables", 1, true, embedded)
	for i, c := range ginCases() {
		add(ginOp, c.name, i, false, c.run)
		forLoops(ginOp, c.rows != nil)
	}
	for i, c := range smoothGINCases() {
		add(ginOp, "differences, "+c.name, i, true, c.run)
		forLoops(ginOp, c.rows != nil)
	}
	for i, c := range convolutionCases() {
		o := meanOp
		if c.kind == "gat" {
			o = attentionOp
		}
		add(o, c.String(), i, c.width <= 10, c.run)
	}
	for name, c := range filmCases() {
		add(filmOp, name, 1, true, c.run)
	}
	for _, shape := range [][]int64{{1}, {3, 7}, {40, 500}} {
		add(dropoutOp, fmt.Sprint(shape), 1, true, func(l *lab) *ts.Tensor {
			x := l.leaf("x", 0, 1, shape...)
			return l.must(dropoutOp.one(args{in: []*ts.Tensor{x}, ints: []int64{99}, reals: []float64{0.3}}))
		})
	}
	for _, queries := range [][]int{{2, 3}, {1, 0, 4}, {1}} {
		add(graphsOp, fmt.Sprint("queries ", queries), 1, true, func(l *lab) *ts.Tensor { return droppedGraphs(l, queries, 3, 4, 0.3) })
	}
	for name, c := range countCases() {
		add(countsOp, name, 1, name == "small", c)
	}
	for name, c := range denseCases() {
		add(denseOp, name, 2, !strings.HasPrefix(name, "many"), c)
	}
	for i, c := range pnaCases() {
		// With the seed i the plain form's gradients of many chunks are off by 8e-4 in float32.
		add(pnaOp, c.name, i+1, false, c.run)
	}
	for i, c := range smoothPNACases() {
		add(pnaOp, "differences, "+c.name, i, true, c.run)
	}
	add(pnaEmbedOp, "one feature", 1, true, func(l *lab) *ts.Tensor {
		return l.must(EmbedFeatures(l.features(molecules(l.r, [][]int{{3, 1, 4}})), l.leaf("W", 0, 1, 5, 1)))
	})
	for name, c := range gnnFiLMCases {
		add(gnnFiLMOp, name, 3, c.width < 10, c.run)
	}
	add(gnnFiLMEmbedOp, "one feature", 1, true, func(l *lab) *ts.Tensor {
		g := l.features(molecules(l.r, [][]int{{3, 1, 4}}))
		return l.must(GNNFiLMEmbed(g, l.leaf("W", 0, 1, 5, 1), Mode{Training: true, Dropout: 0.3, Key: 4}))
	})
	add(middleOp, "two", 1, true, func(l *lab) *ts.Tensor {
		return l.must(Middle(l.leaf("h", 0, 1, 3, 2), l.leaf("earlier", 0, 1, 3, 2)))
	})
	for i, c := range segmentCases() {
		add(segmentMeanOp, c.name, i, true, c.run)
		forLoops(segmentMeanOp, !slices.IsSorted(c.which))
		c.which = slices.Sorted(slices.Values(c.which))
		add(segmentMeanOp, c.name+", in order", i, false, c.run)
	}
	for _, f := range poolForms {
		for i, atoms := range readoutAtoms() {
			add(poolOp, fmt.Sprintf("%s of %d", f.name, len(atoms)), i, len(atoms) == 3, pooled(atoms, 19, f.form))
		}
	}
	for i, atoms := range readoutAtoms() {
		for k, c := range []combinedCase{{atoms, 7, 2, 3, 5, 4, false}, {atoms, 40, 12, 8, 33, 10, false}, {atoms, 1, 1, 1, 1, 1, false}, {atoms, 7, 2, 3, 5, 4, true}} {
			add(combinedOp, fmt.Sprintf("%d molecules, size %d", len(atoms), k), 3*i+k, false, c.run)
		}
	}
	add(combinedOp, "differences", 4, true, combinedCase{[]int{3, 1, 5}, 6, 2, 3, 5, 4, false}.run)
	for _, form := range []JumpForm{JumpLast, JumpSum, JumpMax, JumpConcat} {
		add(jumpOp, fmt.Sprint(form), 1, form != JumpLast, func(l *lab) *ts.Tensor {
			return l.must(Jump([]*ts.Tensor{l.leaf("0", 0, 1, 3, 2), l.leaf("1", 0, 1, 3, 2)}, form, nil))
		})
	}
	for i, c := range relationCases() {
		add(relationOp, c.name, i, c.n <= 8, c.run)
		forLoops(relationOp, c.apart != 0)
	}
	for name, c := range hyperCases {
		add(hyperOp, name, 2, true, c.run)
	}
	for name, s := range stacks {
		add(mlpOp, name, 1, true, func(l *lab) *ts.Tensor {
			return l.must(MLP(l.leaf("x", 0, 1, 2, 3, int64(s.widths[0])), s.layers(l, "mlp"), Mode{Training: true, Dropout: 0.5, Key: 3}))
		})
	}
	for name, c := range mixCases {
		add(mixOp, name, 3, !c.choose, c.run)
	}
	for name, c := range classifierCases {
		add(classifierOp, name, 4, true, c.run)
	}
	for name, c := range distanceCases {
		add(distanceOp, name, 6, true, c.run)
	}
	for name, c := range taskLogitsCases {
		add(taskLogitsOp, name, 7, name != "many", c.run)
	}
	for name, c := range processCases {
		// The effects of the fit are compared with differences in gaussian_test.go.
		add(processLossOp, name, 2, false, c.run(ProcessHeld))
		add(processFitOp, name, 2, false, c.numbers)
		add(processMeanOp, name, 2, true, c.mean)
	}
	for name, c := range parCases {
		// Gradients through steps are compared with differences in par_test.go.
		add(parLossOp, name, 2, false, c.loss)
		add(parAdaptOp, name, 2, false, c.adapted)
		add(parNodesOp, name, 2, true, c.nodes)
		add(parLogitsOp, name, 2, true, c.logits)
	}
	for name, c := range metricCases {
		add(metricOp, name, 6, true, c.run)
	}
	for name, c := range mhnfsCases {
		add(mhnfsOp, name, 6, !c.mode.Training, c.run)
		if c.heads > 0 {
			add(mhnfsKeysOp, name, 6, true, c.keys)
		}
	}
	for name, c := range matchCases {
		add(matchOp, name, 6, true, c.run)
	}
	for name, c := range edgesCases {
		add(edgesOp, name, 6, true, c.run)
	}
	for name, c := range propertyCases {
		add(propertyOp, name, 6, true, c.run)
		add(propertyClassifierOp, name, 6, true, c.run)
	}
	for i, c := range adapterCases {
		add(adapterOp, c.String(), i+1, true, c.run)
		if c.context {
			add(adapterContextOp, c.String(), i+1, true, c.run)
		}
	}
	add(matEmbedOp, "two features", 1, true, func(l *lab) *ts.Tensor {
		_, g := l.space([]int{2, 3}, 2)
		return l.must(EmbedNodes(g, l.linear("embed", 2, 4, true, 0)))
	})
	for name, c := range matCases {
		add(matOp, name, 6, true, c.run)
	}
	add(spectrumOp, "three molecules", 1, false, func(l *lab) *ts.Tensor { return l.miniMolecules(false, false).Spectrum })
	for _, signed := range []bool{false, true} {
		if testing.Short() && !signed {
			continue // takes seconds
		}
		add(minimolOp, fmt.Sprint("signs given ", signed), 3, true, func(l *lab) *ts.Tensor {
			in := l.miniMolecules(signed, false)
			if signed {
				in.Standard = MiniMolStandard{l.leaf("mean", 0, 1, miniWidth), l.leaf("inverse", 1, 0.3, miniWidth)}
			}
			return l.must(MiniMol(in, l.miniNetwork(), miniLayers))
		})
	}
	for name, c := range lossCases {
		add(lossOp, name, 5, c.columns == nil || c.form == LossExpected, c.run)
	}
	return all
}
