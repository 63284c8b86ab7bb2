package ops

import (
	"fmt"
	"slices"
	"testing"

	"github.com/sugarme/gotch/ts"
)

// readoutAtoms returns the numbers of atoms of the molecules of batches to pool.
func readoutAtoms() [][]int {
	r := newLab(nil, 3, true).r
	return [][]int{{3, 1, 4}, {1}, {30}, sizes(r, 40), sizes(r, 200)}
}

var poolForms = []struct {
	name string
	form PoolForm
}{{"mean", PoolMean}, {"sum", PoolSum}, {"max", PoolMax}}

// pooled returns a pooling of molecules with the given numbers of atoms.
func pooled(atoms []int, d int64, form PoolForm) calculation {
	return func(l *lab) *ts.Tensor {
		host := molecules(l.r, [][]int{atoms})
		return l.must(Pool(l.leaf("h", 0, 1, int64(host.atoms()), d), l.features(host), form))
	}
}

func TestPool(t *testing.T) {
	for i, atoms := range readoutAtoms() {
		for _, f := range poolForms {
			run(t, fmt.Sprintf("%s of %d", f.name, len(atoms)), func(t *testing.T) {
				checkAgainst(t, uint64(i), pooled(atoms, 19, f.form),
					func(l *lab) []float64 { return poolByHand(matrixOf(l.values["h"], 19), atoms, f.form) })
			})
		}
	}
}

func poolByHand(h matrix, atoms []int, form PoolForm) (all []float64) {
	for _, n := range atoms {
		y := slices.Clone(h[0])
		for _, row := range h[1:n] {
			for i := range y {
				if form == PoolMax {
					y[i] = max(y[i], row[i])
				} else {
					y[i] += row[i]
				}
			}
		}
		if form == PoolMean {
			y = times(1/float64(n), y)
		}
		all, h = append(all, y...), h[n:]
	}
	return all
}

// TestPoolOfEqualAtoms: atoms that share the maximum also share the gradient.
func TestPoolOfEqualAtoms(t *testing.T) {
	run(t, "max", func(t *testing.T) {
		l := newLab(t, 1, true)
		defer l.drop()
		l.edit = func(_ string, v []float64) { copy(v, []float64{2, 1, 2}) }
		y := l.must(Pool(l.leaf("h", 0, 1, 3, 1), l.features(molecules(l.r, [][]int{{3}})), PoolMax))
		if err := Backward(y); err != nil {
			t.Fatal(err)
		}
		g, err := Gradient(l.leaves["h"])
		if err != nil || !slices.Equal(g, []float64{0.5, 0, 0.5}) {
			t.Errorf("gradient %v, error %v; want a half for each of the two largest", g, err)
		}
	})
}

func TestJump(t *testing.T) {
	const n, d, layers = 3, 2, 4
	for form, byHand := range map[JumpForm]func(states []matrix, v int) []float64{
		JumpLast: func(states []matrix, v int) []float64 { return states[layers-1][v] },
		JumpSum: func(states []matrix, v int) []float64 {
			return sum(states[0][v], states[1][v], states[2][v], states[3][v])
		},
		JumpMax: func(states []matrix, v int) []float64 {
			y := slices.Clone(states[0][v])
			for i := range y {
				for _, s := range states {
					y[i] = max(y[i], s[v][i])
				}
			}
			return y
		},
		JumpConcat: func(states []matrix, v int) (y []float64) {
			for _, s := range states {
				y = append(y, s[v]...)
			}
			return y
		},
	} {
		run(t, fmt.Sprint(form), func(t *testing.T) {
			calculate := func(l *lab) *ts.Tensor {
				var states []*ts.Tensor
				for i := range layers {
					states = append(states, l.leaf(fmt.Sprint(i), 0, 1, n, d))
				}
				return l.must(Jump(states, form, nil))
			}
			checkAgainst(t, 1, calculate, func(l *lab) (y []float64) {
				var states []matrix
				for i := range layers {
					states = append(states, matrixOf(l.values[fmt.Sprint(i)], d))
				}
				for v := range n {
					y = append(y, byHand(states, v)...)
				}
				return y
			})
		})
	}
}

// combinedCase holds the sizes of a readout.
type combinedCase struct {
	atoms                       []int
	width, heads, head, q, each int
	share                       bool // atoms share rows
}

func (c combinedCase) run(l *lab) *ts.Tensor {
	host := molecules(l.r, [][]int{c.atoms})
	pooler := func(name string) Pooler {
		return Pooler{
			Scores:      [2]Linear{l.linear(name+"s1", c.width, c.q, true, 0), l.linear(name+"s2", c.q, c.heads, true, 0)},
			Values:      [2]Linear{l.linear(name+"v1", c.width, c.q, true, 0), l.linear(name+"v2", c.q, c.heads*c.head, true, 0)},
			Combination: l.linear(name+"c", c.heads*c.head, c.each, false, 0).W,
		}
	}
	r := Combined{Mean: pooler("mean."), Sum: pooler("sum."),
		Max: l.linear("max", c.width, c.each, false, 0).W, Out: l.linear("out", 3*c.each, c.each, false, 0).W}
	rows, like := int64(host.atoms()), (*Alike)(nil)
	if c.share {
		like, rows = l.alike(host.atoms())
	}
	x := l.leaf("x", 0, 1, rows, int64(c.width))
	return l.must(r.Readout(x, l.features(host), like))
}

func TestErrorsOfReadout(t *testing.T) {
	run(t, "sizes", func(t *testing.T) {
		l := newLab(t, 1, true)
		defer l.drop()
		g := l.features(molecules(l.r, [][]int{{3, 1}}))
		x := l.leaf("x", 0, 1, 5, 2)
		_, err := Pool(x, g, PoolSum)
		fails(t, err, "pool: molecules end at row 4 of 5")
		_, err = Jump([]*ts.Tensor{x, l.leaf("y", 0, 1, 5, 3)}, JumpSum, nil)
		fails(t, err, "jumping knowledge: state has shape [5, 3], not [5, 2]")
		_, err = (&Combined{Max: x, Out: x}).Readout(l.leaf("z", 0, 1, 4, 2), g, nil)
		fails(t, err, "combined readout: ", "C of the maximum has shape [5, 2], not [0, 2]")
	})
}
