package pretrain

import (
	"fmt"
	"math"

	"github.com/sugarme/gotch/ts"

	"pacia/data"
	"pacia/ops"
)

// Legend: n molecules, P prototypes of a level, d width, H levels; level 0 is the finest.

const (
	levels        = 3  // H
	perLevel      = 50 // P, before prototypes without members are left out
	localEpochs   = 1  // epochs without prototypes
	startPasses   = 5  // passes over the molecules, to find the finest level
	startRounds   = 20 // rounds over the prototypes below, to find the other levels
	momentum      = 0.95
	fewestMembers = 2 // least members of a prototype of the finest level, over all passes
)

// prototypes are a tree of vectors C^l, with molecules at its leaves. A molecule
// is assigned to the most similar prototype of the coarsest level, then to the most
// similar child, and so on. With the prototypes allowed at each level,
//
//	chosen_l = mean over molecules of −log(e(y, C^l_chosen) / (Σ allowed p e(y, C^l_p) + ε))
//	tree_l   = mean over prototypes p of −log(e(C^l_p, C^(l+1)_parent) / (Σ_q e(C^l_p, C^(l+1)_q) + ε)), l < H−1
//
// are added up. They are made after the first epoch (prototypes_begin.go) and trained from then on.
type prototypes struct {
	body
	vectors [levels]*ts.Tensor // C^l [P, d]
	exists  [levels]*ts.Tensor // [P] 1 for prototypes that exist; all 0 in the first epoch
	parents [levels]*ts.Tensor // [P]

	// The content of the tensors, on the host.
	begun  bool
	there  [levels][]bool
	parent [levels][]int
}

func newPrototypes(b body) *prototypes {
	t := &prototypes{body: b}
	b.set.Part("prototypes")
	for l := range levels {
		name := fmt.Sprintf("prototypes.%d", l)
		random := data.Rand(b.set.Seed, "pretrain "+name, 0)
		t.vectors[l] = b.set.Filled(name, func(int) float64 { return random.Float64() }, perLevel, int64(b.encoder.Width()))
		t.exists[l] = b.set.Buffer(name+".kept", 0, perLevel)
		t.parents[l] = b.set.Buffer(name+".parent", 0, perLevel)
	}
	return t
}

// read copies the content of the tensors to the host, after a run was resumed.
func (t *prototypes) read() error {
	for l := range levels {
		kept, err := ops.ReadAs[float64](t.exists[l])
		if err != nil {
			return err
		}
		parents, err := ops.ReadAs[float64](t.parents[l])
		if err != nil {
			return err
		}
		t.there[l], t.parent[l] = make([]bool, perLevel), make([]int, perLevel)
		for p := range perLevel {
			t.there[l][p], t.parent[l][p] = kept[p] > 0, int(parents[p])
			t.begun = t.begun || t.there[l][p]
		}
	}
	return nil
}

// losses returns chosen_l of all levels, then tree_l, each before its mean, and 1/number of
// choices for each.
func (t *prototypes) losses(y *ts.Tensor, s *ops.Scope) (all []*ts.Tensor, choices [][]float64) {
	above := make([]int, y.MustSize()[0]) // the choice at the level above
	all, choices = make([]*ts.Tensor, levels), make([][]float64, levels)
	for l := levels - 1; l >= 0; l-- {
		e := similar(y, t.vectors[l], s) // [n, P]
		values := ops.Try(ops.ReadAs[float64](e)).In(s)
		var picks selection
		for i, parent := range above {
			picks.row(values[i*perLevel:(i+1)*perLevel], func(p int) bool {
				return t.there[l][p] && (l == levels-1 || t.parent[l][p] == parent)
			})
			above[i] = picks.chosen[i]
		}
		all[l], choices[l] = t.part(e, &picks, s), picks.choices
	}
	for l := range levels - 1 {
		e := similar(t.vectors[l], t.vectors[l+1], s) // [P, P]
		var picks selection
		var rows []int32
		for p, there := range t.there[l] {
			if there {
				rows = append(rows, int32(p))
				picks.fixed(t.parent[l][p], t.there[l+1])
			}
		}
		all, choices = append(all, t.part(t.rows(e, rows, s), &picks, s)), append(choices, picks.choices)
	}
	return all, choices
}

// partName returns the name of the i-th loss.
func partName(i int) string {
	if i < levels {
		return fmt.Sprintf("prototypes of level %d", i+1)
	}
	return fmt.Sprintf("parents of level %d", i-levels+1)
}

func (t *prototypes) part(e *ts.Tensor, picks *selection, s *ops.Scope) *ts.Tensor {
	n := int64(len(picks.chosen))
	of := func(weights []float64) *ts.Tensor {
		return sum(s.Keep(e.Mul(t.numbers(weights, s, n, perLevel), false)), 1, s)
	}
	return ratio(of(picks.one), of(picks.allowed), s)
}

// selection records the prototype chosen for each of n rows, and the choices.
type selection struct {
	chosen  []int     // [n]
	choices []float64 // [n] 1/how many were allowed
	one     []float64 // [n, P] 1 of the chosen
	allowed []float64 // [n, P]
}

// row chooses the largest of the values that are allowed.
func (c *selection) row(values []float64, allowed func(p int) bool) {
	best, largest, there := 0, math.Inf(-1), make([]bool, perLevel)
	for p, x := range values {
		if there[p] = allowed(p); there[p] && x > largest {
			best, largest = p, x
		}
	}
	c.fixed(best, there)
}

func (c *selection) fixed(chosen int, there []bool) {
	one, allowed, n := make([]float64, perLevel), make([]float64, perLevel), 0.0
	one[chosen] = 1
	for p, ok := range there {
		if ok {
			allowed[p] = 1
			n++
		}
	}
	c.chosen, c.choices = append(c.chosen, chosen), append(c.choices, 1/n)
	c.one, c.allowed = append(c.one, one...), append(c.allowed, allowed...)
}
