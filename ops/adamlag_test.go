package ops_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/harness/opstest"
	"pacia/ops"
)

// lagging holds two classifiers of R tasks with the same weights. The second one defers updates.
type lagging struct {
	*opstest.Lab
	w, b [2]*ts.Tensor
	adam [2]*ops.Adam
}

func newLagging(t *testing.T, double bool, o ops.AdamOptions, rows, d int64) *lagging {
	t.Helper()
	l := &lagging{Lab: opstest.New(t, 5, double)}
	w := l.Draw(int(rows * d))
	for i := range l.w {
		l.w[i], l.b[i] = l.Tensor(w, true, rows, d), l.Tensor(make([]float64, rows), true, rows)
		var err error
		if l.adam[i], err = ops.NewAdam([]*ts.Tensor{l.w[i], l.b[i]}, o); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.adam[1].LazyRows(l.w[1]); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.adam[0].Drop(); l.adam[1].Drop(); l.Drop() })
	return l
}

// step trains both on molecules of the given tasks.
func (l *lagging) step(d int64, tasks []int32, pairs bool) {
	l.Helper()
	n := int64(len(tasks))
	x, c := l.Draw(int(n*d)), l.Draw(int(2*n))
	rows := slices.Clone(tasks)
	if pairs {
		rows = rows[:0]
		for _, t := range tasks {
			rows = append(rows, 2*t, 2*t+1)
		}
	}
	for i, adam := range l.adam {
		lags := i == 1
		if lags {
			if err := adam.Current(l.w[i], rows); err != nil {
				l.Fatal(err)
			}
		}
		z := l.Must(ops.TaskLogits(l.Tensor(x, false, n, d), l.w[i], l.b[i], l.Ints(tasks...), nil, pairs, lags))
		y := l.Must(l.Must(z.Mul(l.Tensor(c, false, n, 1, 2), false)).Sum(z.DType(), false))
		if err := ops.Backward(y); err != nil {
			l.Fatal(err)
		}
		if _, err := adam.Step(); err != nil {
			l.Fatal(err)
		}
	}
}

// TestLaggingRowsAreThoseOfDenseGradients makes steps with few of the rows each, and
// compares weights and moments bit for bit. It leaves out optimisers that clip
// these gradients, because their norm is summed in another order.
func TestLaggingRowsAreThoseOfDenseGradients(t *testing.T) {
	for name, o := range optimisers {
		if o.ClipNorm > 0 && name != "norm below the clip" {
			continue
		}
		for _, p := range []opstest.Precision{{Name: "float64", Double: true, Tolerance: 0}, {Name: "float32", Double: false, Tolerance: 0}} {
			for _, pairs := range []bool{false, true} {
				opstest.Run(t, fmt.Sprintf("%s, %s, pairs %v", name, p.Name, pairs), func(t *testing.T) {
					const tasks, d, steps = 40, 17, 25
					rows := int64(tasks)
					if pairs {
						rows *= 2
					}
					l := newLagging(t, p.Double, o, rows, d)
					random := rand.New(rand.NewPCG(3, 4))
					for step := range steps {
						few := []int32{random.Int32N(tasks), random.Int32N(tasks), 7, 7}
						l.step(d, few, pairs)
						if step == steps/2 {
							if err := l.adam[1].Flush(); err != nil {
								t.Fatal(err)
							}
						}
					}
					if slices.Equal(l.Read(l.w[0]), l.Read(l.w[1])) {
						t.Error("no row has deferred updates before Flush, or none is updated")
					}
					if err := l.adam[1].Flush(); err != nil {
						t.Fatal(err)
					}
					m0, v0 := l.adam[0].State()
					m1, v1 := l.adam[1].State()
					for what, pair := range map[string][2]*ts.Tensor{"weights": {l.w[0], l.w[1]}, "first moments": {m0[0], m1[0]},
						"second moments": {v0[0], v1[0]}, "offsets": {l.b[0], l.b[1]}} {
						if want, got := l.Read(pair[0]), l.Read(pair[1]); !slices.Equal(want, got) {
							t.Errorf("%s with deferred updates are %v, without %v", what, got[:4], want[:4])
						}
					}
				})
			}
		}
	}
}
