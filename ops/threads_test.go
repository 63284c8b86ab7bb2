package ops

import (
	"math"
	"slices"
	"testing"

	"github.com/sugarme/gotch/ts"
)

// wide runs every operation with its own loops, one after the other, at sizes at which rows,
// groups and pairs are divided among threads.
func wide(l *lab) *ts.Tensor {
	const d = 40
	host := molecules(l.r, [][]int{sizes(l.r, 20), sizes(l.r, 15), sizes(l.r, 20), sizes(l.r, 25)})
	g := l.graph(host)
	h := l.leaf("h", 0, 1, int64(host.atoms()), d)
	h = l.must(l.gin(d, 2*d).Layer(h, g.Level(0), true, Mode{Training: true, Dropout: 0.5, Key: 8}))
	h = l.must(FiLM(h, g.Level(0), l.leaf("w", 0, 1, 2, d), l.leaf("b", 0, 1, 2, d), FilmUnit))
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
	x := Nodes{Support: l.must(SegmentMean(h, g, l.ints(support...))), Query: l.must(SegmentMean(h, g, l.ints(query...))),
		Task: l.ints(task...)}
	for _, name := range []string{"first", "second"} {
		layer := Relation{Similarity: [3]Linear{l.linear(name+".0", d, 2*d, false, 0), l.linear(name+".1", 2*d, d, false, 0),
			l.linear(name+".2", d, 1, true, 0)}, Node: []Linear{l.linear(name+".node", 2*d, d, false, 0)}}
		nodes, _, err := layer.Layer(x, 20, 10, false)
		x = Nodes{Graphs: l.must(nodes, err)}
	}
	return x.Graphs
}

// TestThreadsAgree: another number of threads splits sums differently, which changes an
// addition in float32 by 6e-8. The tolerance is 1e-5 of the largest entry, for some hundred
// additions.
func TestThreadsAgree(t *testing.T) {
	locked(t, 1)
	want := outcomeOf(t, 21, false, wide)
	for _, n := range []int{2, 3} {
		SetThreads(n)
		if Threads() != n {
			t.Fatalf("%d threads are set, Threads returns %d", n, Threads())
		}
		got := outcomeOf(t, 21, false, wide)
		for _, name := range want.names {
			near(t, name, got.stages[name], want.stages[name], 1e-5)
		}
	}
}

// TestRunsRepeat: two runs on the same number of threads are equal bit for bit.
func TestRunsRepeat(t *testing.T) {
	locked(t, 2)
	want := outcomeOf(t, 22, false, wide)
	for range 5 {
		got := outcomeOf(t, 22, false, wide)
		for _, name := range want.names {
			if !slices.Equal(got.stages[name], want.stages[name]) {
				t.Errorf("%s differs between two runs", name)
			}
		}
	}
}

// TestNotANumberPassesThrough: nodes that are NaN, from weights that diverged, make the
// layer's result NaN and have no other effect. The order of the K largest is then undefined.
func TestNotANumberPassesThrough(t *testing.T) {
	locked(t, 2)
	for _, c := range []relationCase{
		{"", []int{3, 2}, 20, 10, 8, [2]int{12, 8}, false, []int{8}, true, 0},
		{"", []int{4}, 33, 5, 8, [2]int{12, 8}, false, []int{8}, false, 0},
	} {
		for _, share := range []uint64{1, 2, 7, 50} {
			l := newLab(t, share, false)
			l.edit = func(name string, v []float64) {
				for i := range v {
					if (name == "support" || name == "graphs") && l.r.Uint64N(share) == 0 {
						v[i] = math.NaN()
					}
				}
			}
			y := c.run(l)
			if err := Backward(l.project(y)); err != nil {
				t.Fatal(err)
			}
			if !slices.ContainsFunc(l.read(y), math.IsNaN) {
				t.Errorf("one in %d entries is NaN, and no entry of the result", share)
			}
			l.drop()
		}
	}
}
