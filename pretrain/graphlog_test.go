package pretrain

import (
	"math"
	"slices"
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/data/category"
	"pacia/ops"
)

// grow gives GraphLoG's network n a tree of prototypes for these molecules.
func grow(t *testing.T, n *network, g *graphLoG, rows []int32) {
	t.Helper()
	r := &run{Options: Options{Batch: 4, LearningRate: 0.1}, network: n, learn: rows, step: len(rows)}
	var err error
	if r.adam, err = r.newAdam(); err != nil {
		t.Fatal(err)
	}
	defer func() { r.adam.Drop() }()
	if err := g.begin(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	if !g.prototypes.begun {
		t.Fatal("no prototypes")
	}
}

// alikeness returns e(a, b).
func alikeness(a, b []float64) float64 {
	return math.Exp(dot(a, b) / (math.Sqrt(dot(a, a)*dot(b, b)) + 1e-6) / 0.04)
}

// TestGraphLoGScores computes the parts of the loss from the projections, over all pairs.
func TestGraphLoGScores(t *testing.T) {
	n, q := asked(t, small(GraphLoG, "gin"))
	v, g := q.(*views), n.task.(*graphLoG)
	d := g.encoder.Width()
	project := func(b *batch, whole bool) [][]float64 {
		return read(t, d, func(s *ops.Scope) *ts.Tensor {
			x := g.embed(b, ops.Mode{}, s)
			if whole {
				x = g.means(x, b.MolPtr, s)
			}
			return g.projection.forward(x, s)
		})
	}
	x, x2, y, y2 := project(&v.whole, false), project(&v.hidden, false), project(&v.whole, true), project(&v.hidden, true)
	ptr := v.whole.MolPtr
	var intra, inter []float64
	for m := range len(ptr) - 1 {
		masked := 0
		for j := ptr[m]; j < ptr[m+1]; j++ {
			if v.hidden.Atoms[2*j] != category.MaskedAtom {
				continue
			}
			masked++
			some, all := 0.0, 1e-6
			for i := ptr[m]; i < ptr[m+1]; i++ {
				e := alikeness(x[i], x2[j])
				all += e
				if v.hidden.Atoms[2*i] == category.MaskedAtom {
					some += e
				}
			}
			intra = append(intra, -math.Log(some/all))
		}
		if want := int(0.3*float64(ptr[m+1]-ptr[m]) + 1); masked != want {
			t.Errorf("molecule %d has %d masked atoms, want %d", m, masked, want)
		}
		all := 1e-6
		for _, other := range y {
			all += alikeness(other, y2[m])
		}
		inter = append(inter, -math.Log(alikeness(y[m], y2[m])/all))
	}
	loss, logits := answerOf(t, q)
	slices.Sort(intra) // by molecules here, by blocks and draws there
	slices.Sort(logits[0])
	near(t, "atoms", logits[0], intra)
	near(t, "molecules", logits[1], inter)
	want := mean64(intra) + mean64(inter)
	for i, part := range treeLosses(t, g.prototypes, y) {
		near(t, partName(i), logits[2+i], part)
		want += 0.1 * mean64(part)
	}
	near(t, "loss", []float64{loss}, []float64{want})
}

func mean64(x []float64) (m float64) {
	for _, v := range x {
		m += v / float64(len(x))
	}
	return m
}

// treeLosses walks the tree for each molecule.
func treeLosses(t *testing.T, p *prototypes, y [][]float64) [][]float64 {
	t.Helper()
	var c [levels]level
	for l := range levels {
		var err error
		if c[l], err = p.read64(l); err != nil {
			t.Fatal(err)
		}
	}
	parts := make([][]float64, 2*levels-1)
	for _, x := range y {
		parent := -1
		for l := levels - 1; l >= 0; l-- {
			best, largest, all := -1, 0.0, 1e-6
			for k, vector := range c[l] {
				if !p.there[l][k] || parent >= 0 && p.parent[l][k] != parent {
					continue
				}
				e := alikeness(x, vector)
				all += e
				if e > largest {
					best, largest = k, e
				}
			}
			parts[l] = append(parts[l], -math.Log(largest/all))
			parent = best
		}
	}
	for l := range levels - 1 {
		for k, there := range p.there[l] {
			if !there {
				continue
			}
			all := 1e-6
			for up, ok := range p.there[l+1] {
				if ok {
					all += alikeness(c[l][k], c[l+1][up])
				}
			}
			parts[levels+l] = append(parts[levels+l], -math.Log(alikeness(c[l][k], c[l+1][p.parent[l][k]])/all))
		}
	}
	return parts
}

// TestPrototypesMove: a prototype moves a twentieth of the way to the mean of its members.
// At the next level the nearest prototype moves towards its children, and the second nearest
// away from them. Prototypes without members are left out.
func TestPrototypesMove(t *testing.T) {
	c := level{{1, 0}, {0, 1}, {-1, -1}}
	members := make([]int, 3)
	c.move([][]float64{{3, 0.1}, {5, 0.1}, {0, 2}}, members)
	for p, want := range [][]float64{{0.95 + 0.05*4, 0.05 * 0.1}, {0, 0.95 + 0.05*2}, {-1, -1}} {
		near(t, "prototype", c[p], want)
	}
	if !slices.Equal(members, []int{2, 1, 0}) || !slices.Equal(populated(members), []bool{true, true, false}) {
		t.Errorf("members %v, kept %v", members, populated(members))
	}
	if got := populated([]int{0, 4, 9}); !slices.Equal(got, []bool{false, true, true}) {
		t.Errorf("kept %v", got)
	}
	up := level{{1, 0}, {0, 1}, {-5, -5}}
	parents := up.parentsOf(level{{1, 0.2}, {0.1, 1}}, []bool{true, true})
	if !slices.Equal(parents, []int{0, 1}) {
		t.Errorf("parents %v, want 0 and 1", parents)
	}
	one := level{{2, 0}, {1, 0}}
	for range startRounds { // the same by hand
		one[0][0], one[1][0] = 0.95*one[0][0]+0.05*3, 1.05*one[1][0]-0.05*3
	}
	again := level{{2, 0}, {1, 0}}
	again.parentsOf(level{{3, 0}}, []bool{true})
	near(t, "winner", again[0], one[0])
	near(t, "second", again[1], one[1])
}

// TestSecondStage: after the first epoch there are prototypes, and the moments begin anew.
func TestSecondStage(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	l := first300(t)
	o := quick(GraphLoG, 0)
	o.Epochs = 2
	s, err := pretrain(t.Context(), o, l, t.TempDir(), silent{})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(s.Before.Parts); n != 2 {
		t.Errorf("%d parts before the first step, want 2", n)
	}
	if n := len(s.After.Parts); n != 2+2*levels-1 {
		t.Errorf("%d parts in the end, want %d", n, 2+2*levels-1)
	}
}
