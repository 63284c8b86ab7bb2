package ops_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/harness/opstest"
	"pacia/ops"
)

// readoutAtoms returns the numbers of atoms of the molecules of batches to pool.
func readoutAtoms() [][]int {
	r := opstest.New(nil, 3, true).Rand
	return [][]int{{3, 1, 4}, {1}, {30}, opstest.Sizes(r, 40), opstest.Sizes(r, 200)}
}

var poolForms = []struct {
	name string
	form ops.PoolForm
}{{"mean", ops.PoolMean}, {"sum", ops.PoolSum}, {"max", ops.PoolMax}}

// pooled returns a pooling of molecules with the given numbers of atoms.
func pooled(atoms []int, d int64, form ops.PoolForm) opstest.Calculation {
	return func(l *opstest.Lab) *ts.Tensor {
		host := opstest.Molecules(l.Rand, [][]int{atoms})
		return l.Must(ops.Pool(l.Leaf("h", 0, 1, int64(opstest.Atoms(&host)), d), l.Features(host), form))
	}
}

func TestPool(t *testing.T) {
	for i, atoms := range readoutAtoms() {
		for _, f := range poolForms {
			opstest.Run(t, fmt.Sprintf("%s of %d", f.name, len(atoms)), func(t *testing.T) {
				opstest.CheckAgainst(t, uint64(i), pooled(atoms, 19, f.form),
					func(l *opstest.Lab) []float64 { return poolByHand(opstest.Rows(l.Values["h"], 19), atoms, f.form) })
			})
		}
	}
}

func poolByHand(h opstest.Matrix, atoms []int, form ops.PoolForm) (all []float64) {
	for _, n := range atoms {
		y := slices.Clone(h[0])
		for _, row := range h[1:n] {
			for i := range y {
				if form == ops.PoolMax {
					y[i] = max(y[i], row[i])
				} else {
					y[i] += row[i]
				}
			}
		}
		if form == ops.PoolMean {
			y = opstest.Times(1/float64(n), y)
		}
		all, h = append(all, y...), h[n:]
	}
	return all
}

// TestPoolOfEqualAtoms: atoms that share the maximum also share the gradient.
func TestPoolOfEqualAtoms(t *testing.T) {
	opstest.Run(t, "max", func(t *testing.T) {
		l := opstest.New(t, 1, true)
		defer l.Drop()
		l.Edit = func(_ string, v []float64) { copy(v, []float64{2, 1, 2}) }
		y := l.Must(ops.Pool(l.Leaf("h", 0, 1, 3, 1), l.Features(opstest.Molecules(l.Rand, [][]int{{3}})), ops.PoolMax))
		if err := ops.Backward(y); err != nil {
			t.Fatal(err)
		}
		g, err := ops.Gradient(l.Leaves["h"])
		if err != nil || !slices.Equal(g, []float64{0.5, 0, 0.5}) {
			t.Errorf("gradient %v, error %v; want a half for each of the two largest", g, err)
		}
	})
}

func TestJump(t *testing.T) {
	const n, d, layers = 3, 2, 4
	for form, byHand := range map[ops.JumpForm]func(states []opstest.Matrix, v int) []float64{
		ops.JumpLast: func(states []opstest.Matrix, v int) []float64 { return states[layers-1][v] },
		ops.JumpSum: func(states []opstest.Matrix, v int) []float64 {
			return opstest.Sum(states[0][v], states[1][v], states[2][v], states[3][v])
		},
		ops.JumpMax: func(states []opstest.Matrix, v int) []float64 {
			y := slices.Clone(states[0][v])
			for i := range y {
				for _, s := range states {
					y[i] = max(y[i], s[v][i])
				}
			}
			return y
		},
		ops.JumpConcat: func(states []opstest.Matrix, v int) (y []float64) {
			for _, s := range states {
				y = append(y, s[v]...)
			}
			return y
		},
	} {
		opstest.Run(t, fmt.Sprint(form), func(t *testing.T) {
			calculate := func(l *opstest.Lab) *ts.Tensor {
				var states []*ts.Tensor
				for i := range layers {
					states = append(states, l.Leaf(fmt.Sprint(i), 0, 1, n, d))
				}
				return l.Must(ops.Jump(states, form, nil))
			}
			opstest.CheckAgainst(t, 1, calculate, func(l *opstest.Lab) (y []float64) {
				var states []opstest.Matrix
				for i := range layers {
					states = append(states, opstest.Rows(l.Values[fmt.Sprint(i)], d))
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

func (c combinedCase) run(l *opstest.Lab) *ts.Tensor {
	host := opstest.Molecules(l.Rand, [][]int{c.atoms})
	pooler := func(name string) ops.Pooler {
		return ops.Pooler{
			Scores:      [2]ops.Linear{l.Linear(name+"s1", c.width, c.q, true, 0), l.Linear(name+"s2", c.q, c.heads, true, 0)},
			Values:      [2]ops.Linear{l.Linear(name+"v1", c.width, c.q, true, 0), l.Linear(name+"v2", c.q, c.heads*c.head, true, 0)},
			Combination: l.Linear(name+"c", c.heads*c.head, c.each, false, 0).W,
		}
	}
	r := ops.Combined{Mean: pooler("mean."), Sum: pooler("sum."),
		Max: l.Linear("max", c.width, c.each, false, 0).W, Out: l.Linear("out", 3*c.each, c.each, false, 0).W}
	rows, like := int64(opstest.Atoms(&host)), (*ops.Representatives)(nil)
	if c.share {
		like, rows = l.Representatives(opstest.Atoms(&host))
	}
	x := l.Leaf("x", 0, 1, rows, int64(c.width))
	return l.Must(r.Readout(x, l.Features(host), like))
}

func TestErrorsOfReadout(t *testing.T) {
	opstest.Run(t, "sizes", func(t *testing.T) {
		l := opstest.New(t, 1, true)
		defer l.Drop()
		g := l.Features(opstest.Molecules(l.Rand, [][]int{{3, 1}}))
		x := l.Leaf("x", 0, 1, 5, 2)
		_, err := ops.Pool(x, g, ops.PoolSum)
		opstest.Fails(t, err, "pool: molecules end at row 4 of 5")
		_, err = ops.Jump([]*ts.Tensor{x, l.Leaf("y", 0, 1, 5, 3)}, ops.JumpSum, nil)
		opstest.Fails(t, err, "jumping knowledge: state has shape [5, 3], not [5, 2]")
		_, err = (&ops.Combined{Max: x, Out: x}).Readout(l.Leaf("z", 0, 1, 4, 2), g, nil)
		opstest.Fails(t, err, "combined readout: ", "C of the maximum has shape [5, 2], not [0, 2]")
	})
}
