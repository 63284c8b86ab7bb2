package pretrain

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/data/category"
	"pacia/data/molecule"
	"pacia/ops"
)

// read returns the output of a pass, in rows of width.
func read(t *testing.T, width int, pass func(s *ops.Scope) *ts.Tensor) [][]float64 {
	t.Helper()
	var s ops.Scope
	defer s.Drop()
	var v []float64
	err := ops.WithoutGrad(func() error {
		return s.Run(func() {
			var err error
			v, err = ops.ReadAs[float64](pass(&s))
			s.Check(err)
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return slices.Collect(slices.Chunk(v, width))
}

// answerOf returns loss and logits outside of training.
func answerOf(t *testing.T, q question) (loss float64, logits [][]float64) {
	t.Helper()
	err := ops.WithoutGrad(func() error {
		a, err := q.answer(ops.Mode{})
		if err != nil {
			return err
		}
		defer a.drop()
		for _, l := range a.logits {
			v, err := ops.ReadAs[float64](l)
			if err != nil {
				return err
			}
			logits = append(logits, v)
		}
		loss, err = ops.Number(a.loss)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return loss, logits
}

// near compares numbers that float64 rounds some hundred times.
func near(t *testing.T, what string, got, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d numbers, want %d", what, len(got), len(want))
	}
	for i := range got {
		if math.Abs(got[i]-want[i]) > 1e-11*(1+math.Abs(want[i])) {
			t.Fatalf("%s: number %d is %.15g, want %.15g", what, i, got[i], want[i])
		}
	}
}

// average returns the mean of the rows of x from first to end.
func average(x [][]float64, first, end int32) []float64 {
	m := make([]float64, len(x[0]))
	for _, row := range x[first:end] {
		for k := range m {
			m[k] += row[k] / float64(end-first)
		}
	}
	return m
}

// apply returns W x + b, computed by hand.
func apply(t *testing.T, l ops.Linear, x []float64) []float64 {
	t.Helper()
	w, err := ops.ReadAs[float64](l.W)
	if err != nil {
		t.Fatal(err)
	}
	y := make([]float64, len(w)/len(x))
	if l.B != nil {
		if y, err = ops.ReadAs[float64](l.B); err != nil {
			t.Fatal(err)
		}
	}
	for i := range y {
		y[i] += dot(w[i*len(x):(i+1)*len(x)], x)
	}
	return y
}

// softplus returns −log σ(−x).
func softplus(x float64) float64 { return math.Log1p(math.Exp(-math.Abs(x))) + max(x, 0) }

func yesNo(yes, no []float64) (loss float64) {
	for _, x := range yes {
		loss += softplus(-x) / float64(len(yes))
	}
	for _, x := range no {
		loss += softplus(x) / float64(len(no))
	}
	return loss
}

// TestEdgeScores: the pairs are all bonds, each once, and as many pairs without a bond. Scores are
// products of embeddings.
func TestEdgeScores(t *testing.T) {
	n, q := asked(t, small(Edges, "gin"))
	b, e := q.(*bonded), n.task.(*edges)
	h := read(t, e.encoder.Width(), func(s *ops.Scope) *ts.Tensor { return e.embed(&b.batch, ops.Mode{}, s) })
	loss, logits := answerOf(t, q)
	var want [2][]float64
	for k, pairs := range []atomPairs{b.bonds, b.other} {
		for i := range pairs.u {
			want[k] = append(want[k], dot(h[pairs.u[i]], h[pairs.v[i]]))
		}
	}
	near(t, "bonds", logits[0], want[0])
	near(t, "other pairs", logits[1], want[1])
	near(t, "loss", []float64{loss}, []float64{yesNo(want[0], want[1])})
}

// TestEdgePairs checks the pairs of random graphs.
func TestEdgePairs(t *testing.T) {
	var graphs []molecule.Graph
	for seed := range uint64(30) {
		graphs = append(graphs, random(rand.New(rand.NewPCG(seed, 8))))
	}
	store := molecule.NewStore(graphs)
	task := &edges{body{store: store}}
	for row, g := range graphs {
		if task.usable([]int32{int32(row)}) == nil {
			continue
		}
		q, _ := task.ask([]int32{int32(row)}, pcg(2)).(*bonded)
		if q == nil {
			continue // all draws were bonds
		}
		if 2*len(q.bonds.u) != g.Edges() || len(q.other.u) > len(q.bonds.u) {
			t.Errorf("graph %d: %d bonds and %d others of %d edges", row, len(q.bonds.u), len(q.other.u), g.Edges())
		}
		bond := map[[2]int32]bool{}
		for v := range int32(g.Len()) {
			for _, u := range g.Col[g.RowPtr[v]:g.RowPtr[v+1]] {
				bond[[2]int32{int32(u), v}] = true
			}
		}
		seen := map[[2]int32]bool{}
		for k, pairs := range []atomPairs{q.bonds, q.other} {
			for i := range pairs.u {
				p := [2]int32{pairs.u[i], pairs.v[i]}
				if bond[p] != (k == 0) || seen[p] || p[0] == p[1] {
					t.Errorf("graph %d: the pair %v of kind %d", row, p, k)
				}
				seen[p] = true
			}
		}
	}
	chain := molecule.NewStore([]molecule.Graph{graphOf(2, [2]int{0, 1}), graphOf(1), graphOf(3, [2]int{0, 1}, [2]int{1, 2})})
	if got := (&edges{body{store: chain}}).usable([]int32{0, 1, 2}); !slices.Equal(got, []int32{2}) {
		t.Errorf("usable are %v, want 2 alone: 0 has no other pair, 1 no bond", got)
	}
}

// TestInfomaxScores computes the scores from the embeddings.
func TestInfomaxScores(t *testing.T) {
	n, q := asked(t, small(Infomax, "gin"))
	b, e := q.(*members), n.task.(*infomax)
	h := read(t, e.encoder.Width(), func(s *ops.Scope) *ts.Tensor { return e.embed(&b.batch, ops.Mode{}, s) })
	ptr := b.batch.MolPtr
	molecules := len(ptr) - 1
	var yes, no []float64
	for m := range molecules {
		for k, to := range []*[]float64{&yes, &no} {
			of := (m + k) % molecules
			s := average(h, ptr[of], ptr[of+1])
			for i := range s {
				s[i] = 1 / (1 + math.Exp(-s[i]))
			}
			for v := ptr[m]; v < ptr[m+1]; v++ {
				*to = append(*to, dot(h[v], apply(t, e.w, s)))
			}
		}
	}
	loss, logits := answerOf(t, q)
	near(t, "own", logits[0], yes)
	near(t, "others", logits[1], no)
	near(t, "loss", []float64{loss}, []float64{yesNo(yes, no)})
}

// TestSupervisedScores: with gathered rows or the whole product, the scores are those of the
// known labels.
func TestSupervisedScores(t *testing.T) {
	n, q := asked(t, small(Supervised, "gin"))
	b, e := q.(*measured), n.task.(*supervised)
	h := read(t, e.encoder.Width(), func(s *ops.Scope) *ts.Tensor { return e.embed(&b.batch, ops.Mode{}, s) })
	ptr := b.batch.MolPtr
	var want []float64
	loss := 0.0
	l := labelled(t).labels
	for m := range len(ptr) - 1 {
		z := apply(t, e.head, average(h, ptr[m], ptr[m+1]))
		for _, known := range l.of(int32(m)) {
			want = append(want, z[known.assay])
			sign := 1 - 2*float64(known.active)
			loss += softplus(sign * z[known.assay])
		}
	}
	got, logits := answerOf(t, q)
	near(t, "scores", logits[0], want)
	near(t, "loss", []float64{got}, []float64{loss / float64(len(want))})
	for _, gather := range []bool{true, false} {
		scores := read(t, len(want), func(s *ops.Scope) *ts.Tensor {
			return b.scores(e.means(e.embed(&b.batch, ops.Mode{}, s), ptr, s), gather, s)
		})
		near(t, "scores either way", scores[0], want)
	}
}

// TestGraphMAE decodes the masked atoms by hand, as the published program does: it
// decodes all atoms of the whole molecules, then takes the masked ones.
func TestGraphMAE(t *testing.T) {
	n, q := asked(t, small(GraphMAE, "gin"))
	b, e := q.(*hidden), n.task.(*graphMAE)
	d := e.encoder.Width()
	h := read(t, d, func(s *ops.Scope) *ts.Tensor { return e.embed(&b.batch, ops.Mode{}, s) })
	table := func(x *ts.Tensor) [][]float64 { return read(t, d, func(*ops.Scope) *ts.Tensor { return x }) }
	types, directions := table(e.bond), table(e.direction)
	slope := read(t, 1, func(*ops.Scope) *ts.Tensor { return e.slope })[0][0]
	u := make([][]float64, len(h))
	for v, x := range h {
		bent := slices.Clone(x)
		for k := range bent {
			if bent[k] < 0 {
				bent[k] *= slope
			}
		}
		u[v] = apply(t, e.w, bent)
	}
	for _, v := range b.atoms {
		if b.batch.Atoms[2*v] != category.MaskedAtom {
			t.Errorf("atom %d is a target and not masked", v)
		}
		clear(u[v])
	}
	var want []float64
	loss := 0.0
	for i, v := range b.atoms {
		m := make([]float64, d)
		hear := func(x ...[]float64) {
			for _, y := range x {
				for k := range m {
					m[k] += y[k]
				}
			}
		}
		hear(u[v], types[category.SelfLoop], directions[0])
		for k := b.batch.RowPtr[v]; k < b.batch.RowPtr[v+1]; k++ {
			hear(u[b.batch.Col[k]], types[b.batch.Bond[2*k]], directions[b.batch.Bond[2*k+1]])
		}
		inner := apply(t, e.out[0], m)
		for k := range inner {
			inner[k] = max(inner[k], 0)
		}
		o := apply(t, e.out[1], inner)
		want = append(want, o...)
		loss += 1 - o[b.element[i]]/math.Sqrt(dot(o, o))
	}
	got, logits := answerOf(t, q)
	near(t, "answers", logits[0], want)
	near(t, "loss", []float64{got}, []float64{loss / float64(len(b.atoms))})
}
