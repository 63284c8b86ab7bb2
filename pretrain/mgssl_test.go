package pretrain

import (
	"math"
	"slices"
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/data/category"
	"pacia/ops"
)

// grower generates the trees of molecules as in the published program: step by step, with
// the messages between motifs in a map, in plain Go.
type grower struct {
	*testing.T
	task   *mgssl
	x      [][]float64          // of each motif of a molecule
	near   [][]int              // motifs
	kinds  []int32              // of motifs
	inbox  [][]int              // senders to each motif, in order
	sent   map[[2]int][]float64 // by sender and receiver
	losses []float64            // of kinds
	scores []float64            // of choices
	total  float64              // of all losses
	apply  func(l ops.Linear, x []float64) []float64
}

func (g *grower) zeros() []float64 { return make([]float64, g.task.encoder.Width()) }

// hears lists the messages to a motif, at most eight, without the one from motif but.
func (g *grower) hears(at, but int) (list [][]float64) {
	for _, from := range g.inbox[at] {
		if from != but && len(list) < 8 {
			list = append(list, g.sent[[2]int{from, at}])
		}
	}
	return list
}

func added(to []float64, by ...[]float64) []float64 {
	out := slices.Clone(to)
	for _, x := range by {
		for i := range out {
			out[i] += x[i]
		}
	}
	return out
}

func mapped(x []float64, f func(i int, v float64) float64) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = f(i, v)
	}
	return out
}

func sigmoid(_ int, v float64) float64 { return 1 / (1 + math.Exp(-v)) }

func relu(_ int, v float64) float64 { return max(v, 0) }

// send makes a step from a motif to another, or to nobody. asks is the kind to predict.
func (g *grower) send(from, to int, asks int32) {
	t, x := g.task, g.x[from]
	s, kept := g.zeros(), g.zeros()
	for _, m := range g.hears(from, to) {
		s = added(s, m)
		r := mapped(added(g.apply(t.r, x), g.apply(t.u, m)), sigmoid)
		kept = added(kept, mapped(m, func(i int, v float64) float64 { return r[i] * v }))
	}
	z := mapped(g.apply(t.z, slices.Concat(x, s)), sigmoid)
	fresh := mapped(g.apply(t.h, slices.Concat(x, kept)), func(_ int, v float64) float64 { return math.Tanh(v) })
	m := mapped(s, func(i int, v float64) float64 { return (1-z[i])*v + z[i]*fresh[i] })
	if to >= 0 {
		g.sent[[2]int{from, to}] = m
		g.inbox[to] = append(g.inbox[to], from)
	}
	if asks < 0 {
		return
	}
	logits := g.apply(t.kind[1], mapped(g.apply(t.kind[0], m), relu))
	sum := 0.0
	for _, v := range logits {
		sum += math.Exp(v)
	}
	g.losses = append(g.losses, math.Log(sum)-logits[asks])
	g.total += math.Log(sum) - logits[asks]
}

func (g *grower) choose(at int, more bool) {
	o := added(g.zeros(), g.hears(at, -1)...)
	score := g.apply(g.task.choice[1], mapped(g.apply(g.task.choice[0], slices.Concat(g.x[at], o)), relu))[0]
	g.scores = append(g.scores, score)
	if more {
		score = -score
	}
	g.total += softplus(score)
}

func (g *grower) broad(root int) {
	layer := [][2]int{{root, -1}}
	for len(layer) > 0 {
		var next [][2]int
		for _, p := range layer {
			for _, y := range g.near[p[0]] {
				if y != p[1] {
					g.send(p[0], y, g.kinds[y])
					g.send(y, p[0], -1)
					next = append(next, [2]int{y, p[0]})
				}
			}
			g.send(p[0], -2, g.task.stop)
		}
		layer = next
	}
}

func (g *grower) deep(x, parent int) {
	for _, y := range g.near[x] {
		if y != parent {
			g.choose(x, true)
			g.send(x, y, g.kinds[y])
			g.deep(y, x)
			g.choose(y, false)
			g.send(y, x, -1)
		}
	}
}

// TestMotifGeneration computes messages, losses and choices of every molecule one by one. In
// these molecules atom 0 is in a single motif, and none has two parts.
func TestMotifGeneration(t *testing.T) {
	for _, order := range []string{BreadthFirst, DepthFirst} {
		for _, rare := range []int{1, 2, 100} {
			o := small(MGSSL, "gin")
			o.Order, o.Rare = order, rare
			n, q := asked(t, o)
			b, task := q.(*growth), n.task.(*mgssl)
			h := read(t, task.encoder.Width(), func(s *ops.Scope) *ts.Tensor { return task.embed(&b.batch, ops.Mode{}, s) })
			g := &grower{T: t, task: task}
			g.apply = func(l ops.Linear, x []float64) []float64 { return apply(t, l, x) }
			for row := range some {
				tree := task.motifs.tree(int32(row))
				root := -1
				g.x, g.near, g.kinds = nil, make([][]int, len(tree.kinds)), nil
				g.inbox, g.sent = make([][]int, len(tree.kinds)), map[[2]int][]float64{}
				for i, atoms := range tree.atoms {
					x := g.zeros()
					for _, a := range atoms {
						x = added(x, h[b.batch.MolPtr[row]+a])
						if a == 0 {
							root = i
						}
					}
					g.x = append(g.x, x)
					kind := tree.kinds[i]
					if task.motifs.Counts[kind] < rare {
						kind = task.common
					}
					g.kinds = append(g.kinds, kind)
				}
				for _, e := range tree.edges {
					g.near[e[0]], g.near[e[1]] = append(g.near[e[0]], int(e[1])), append(g.near[e[1]], int(e[0]))
				}
				if order == BreadthFirst {
					g.broad(root)
				} else {
					g.deep(root, -1)
					g.choose(root, false)
				}
			}
			loss, logits := answerOf(t, q)
			near(t, order+": loss", []float64{loss}, []float64{g.total / float64(len(some))})
			got := slices.Clone(logits[0]) // grouped by level over all molecules
			slices.Sort(got)
			slices.Sort(g.losses)
			near(t, order+": losses of motifs", got, g.losses)
			if order == DepthFirst {
				near(t, "choices", logits[2], g.scores)
			}
		}
	}
}

// TestLevels: the losses of motifs, hidden atoms and hidden bonds are added. Each equals the loss
// without the others, and atoms are hidden in the second pass alone.
func TestLevels(t *testing.T) {
	o := small(MGSSL, "gin")
	o.Levels = true
	_, q := asked(t, o)
	both := q.(*bothLevels)
	loss, logits := answerOf(t, q)
	motifs, first := answerOf(t, both.motifs)
	hidden, rest := answerOf(t, both.hidden)
	near(t, "loss", []float64{loss}, []float64{motifs + hidden})
	for i, want := range append(first, rest...) {
		near(t, "answers", logits[i], want)
	}
	if slices.Contains(both.motifs.(*growth).batch.Atoms, category.MaskedAtom) || !slices.Contains(both.hidden.(*masked).batch.Atoms, category.MaskedAtom) {
		t.Error("other atoms are hidden")
	}
	o.Levels = false
	_, alone := asked(t, o)
	if want, _ := answerOf(t, alone); math.Abs(motifs-want) > 1e-12*want {
		t.Errorf("the loss of motifs is %v, without levels %v", motifs, want)
	}
}

// TestMotifKinds: motifs below the count form one kind, and the figures report it.
func TestMotifKinds(t *testing.T) {
	for _, tt := range []struct {
		order   string
		rare    int
		outputs func(kinds, distinct int) int
	}{
		{BreadthFirst, 1, func(kinds, _ int) int { return kinds + 1 }},           // stop
		{BreadthFirst, 3, func(_, distinct int) int { return distinct + 1 + 1 }}, // the rare kind, and stop
		{DepthFirst, 1, func(kinds, _ int) int { return kinds }},
		{DepthFirst, 3, func(_, distinct int) int { return distinct + 1 }},
		{DepthFirst, 100, func(int, int) int { return 1 }},
	} {
		o := small(MGSSL, "gin")
		o.Order, o.Rare = tt.order, tt.rare
		n, q := asked(t, o)
		task := n.task.(*mgssl)
		v := task.vocabulary()
		rare, all := 0, 0
		for _, c := range task.motifs.Counts {
			if all += c; c < tt.rare {
				rare += c
			}
		}
		if share := float64(rare) / float64(all); v.Kinds != len(task.motifs.Names) || math.Abs(v.RareMotifs-share) > 1e-15 {
			t.Errorf("%s, %d: %+v, want %d kinds and %v rare", tt.order, tt.rare, v, len(task.motifs.Names), share)
		}
		want := tt.outputs(v.Kinds, v.Distinguished)
		if got := task.kind[1].W.MustSize()[0]; got != int64(want) {
			t.Errorf("%s, %d: %d outputs, want %d", tt.order, tt.rare, got, want)
		}
		if largest := slices.Max(q.(*growth).kinds); largest >= int64(want) {
			t.Errorf("%s, %d: kind %d of %d is a target", tt.order, tt.rare, largest, want)
		}
	}
}

// TestPublishedSize: with the published vocabulary of 12,233 motifs and width 300, the layers
// beside the encoder have 4.49 million parameters. Breadth first does not use U and u.
func TestPublishedSize(t *testing.T) {
	const kinds, d = 12_233, 300
	l := labelled(t)
	l.motifs.Names, l.motifs.Counts = make([]string, kinds), slices.Repeat([]int{1}, kinds)
	for order, want := range map[string]int{BreadthFirst: 4_494_235 - (2*d*d + d) - (d + 1), DepthFirst: 4_494_235 - (d + 1)} {
		o := small(MGSSL, "gin")
		o.Width, o.Order = d, order
		n, err := newNetwork(o, l, ops.CPU, false)
		if err != nil {
			t.Fatal(err)
		}
		got := 0
		for _, p := range n.sets[0].Trained() {
			if p.Part != encoderPart {
				got += p.Size()
			}
		}
		n.drop()
		if got != want {
			t.Errorf("%s: %d numbers, want %d", order, got, want)
		}
	}
}
