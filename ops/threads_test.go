package ops_test

import (
	"math"
	"slices"
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/harness/opstest"
	"pacia/ops"
)

// wide runs every operation with its own loops, one after the other, at sizes at which rows,
// groups and pairs are divided among threads.
func wide(l *opstest.Lab) *ts.Tensor {
	const d = 40
	host := opstest.Molecules(l.Rand, [][]int{opstest.Sizes(l.Rand, 20), opstest.Sizes(l.Rand, 15), opstest.Sizes(l.Rand, 20),
		opstest.Sizes(l.Rand, 25)})
	g := l.Graph(host)
	h := l.Leaf("h", 0, 1, int64(opstest.Atoms(&host)), d)
	h = l.Must(gin(l, d, 2*d).Layer(h, g.Level(0), true, ops.Mode{Training: true, Dropout: 0.5, Key: 8}))
	h = l.Must(ops.FiLM(h, g.Level(0), l.Leaf("w", 0, 1, 2, d), l.Leaf("b", 0, 1, 2, d), ops.FilmUnit))
	var support, query, task []int32
	for m := range int32(80) {
		switch {
		case m < 20 || m >= 35 && m < 55:
			support = append(support, m)
		case m < 35:
			query, task = append(query, m), append(task, 0)
		default:
			query, task = append(query, m), append(task, 1)
		}
	}
	x := ops.Nodes{Support: l.Must(ops.SegmentMean(h, g, l.Ints(support...))), Query: l.Must(ops.SegmentMean(h, g, l.Ints(query...))),
		Task: l.Ints(task...)}
	for _, name := range []string{"first", "second"} {
		layer := ops.Relation{Similarity: [3]ops.Linear{l.Linear(name+".0", d, 2*d, false, 0), l.Linear(name+".1", 2*d, d, false, 0),
			l.Linear(name+".2", d, 1, true, 0)}, Node: []ops.Linear{l.Linear(name+".node", 2*d, d, false, 0)}}
		nodes, _, err := layer.Layer(x, 20, 10, false)
		x = ops.Nodes{Graphs: l.Must(nodes, err)}
	}
	return x.Graphs
}

// TestThreadsAgree: another number of threads splits sums differently, which changes an
// addition in float32 by 6e-8. The tolerance is 1e-5 of the largest entry, for some hundred
// additions.
func TestThreadsAgree(t *testing.T) {
	opstest.Locked(t, 1)
	want := opstest.Computed(t, 21, false, wide)
	for _, n := range []int{2, 3} {
		ops.SetThreads(n)
		if ops.Threads() != n {
			t.Fatalf("%d threads are set, Threads returns %d", n, ops.Threads())
		}
		got := opstest.Computed(t, 21, false, wide)
		for _, name := range want.Names {
			opstest.Near(t, name, got.Stages[name], want.Stages[name], 1e-5)
		}
	}
}

// TestRunsRepeat: two runs on the same number of threads are equal bit for bit.
func TestRunsRepeat(t *testing.T) {
	opstest.Locked(t, 2)
	want := opstest.Computed(t, 22, false, wide)
	for range 5 {
		got := opstest.Computed(t, 22, false, wide)
		for _, name := range want.Names {
			if !slices.Equal(got.Stages[name], want.Stages[name]) {
				t.Errorf("%s differs between two runs", name)
			}
		}
	}
}

// TestNotANumberPassesThrough: nodes that are NaN, from weights that diverged, make the
// layer's result NaN and have no other effect. The order of the K largest is then undefined.
func TestNotANumberPassesThrough(t *testing.T) {
	opstest.Locked(t, 2)
	for _, c := range []relationCase{
		{"", []int{3, 2}, 20, 10, 8, [2]int{12, 8}, false, []int{8}, true, 0},
		{"", []int{4}, 33, 5, 8, [2]int{12, 8}, false, []int{8}, false, 0},
	} {
		for _, share := range []uint64{1, 2, 7, 50} {
			l := opstest.New(t, share, false)
			l.Edit = func(name string, v []float64) {
				for i := range v {
					if (name == "support" || name == "graphs") && l.Rand.Uint64N(share) == 0 {
						v[i] = math.NaN()
					}
				}
			}
			y := c.run(l)
			if err := ops.Backward(l.Project(y)); err != nil {
				t.Fatal(err)
			}
			if !slices.ContainsFunc(l.Read(y), math.IsNaN) {
				t.Errorf("one in %d entries is NaN, and no entry of the result", share)
			}
			l.Drop()
		}
	}
}
