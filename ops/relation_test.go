package ops_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/harness/opstest"
	"pacia/ops"
)

// relationCase describes one layer of the relation graph.
type relationCase struct {
	name    string
	queries []int // of each task
	n, k    int   // support molecules, neighbours kept
	d       int
	hidden  [2]int  // of the pair network
	bias    bool    // of its hidden layers
	node    []int   // widths of the node update
	shared  bool    // the queries of a task share its support
	apart   float64 // later layers: size of the differences between the graphs of a task; 0: unrelated graphs
}

func relationCases() []relationCase {
	cases := []relationCase{
		{"first layer", []int{2, 3}, 8, 4, 6, [2]int{9, 5}, false, []int{6}, true, 0},
		{"first layer, biases, two node layers", []int{1, 4, 2}, 8, 3, 5, [2]int{7, 4}, true, []int{8, 5}, true, 0},
		{"first layer, a task without queries", []int{2, 0, 1}, 4, 2, 3, [2]int{4, 4}, false, []int{3}, true, 0},
		{"first layer, one support molecule", []int{1, 2}, 1, 1, 3, [2]int{4, 4}, false, []int{3}, true, 0},
		{"later layer", []int{4}, 8, 4, 6, [2]int{9, 5}, false, []int{6}, false, 0},
		{"later layer, biases, two node layers", []int{3}, 8, 8, 4, [2]int{6, 5}, true, []int{7, 4}, false, 0},
		{"width 1", []int{2}, 2, 1, 1, [2]int{1, 1}, false, []int{1}, false, 0},
		{"more neighbours asked for than there are", []int{2}, 3, 10, 4, [2]int{5, 4}, false, []int{4}, true, 0},
		{"many molecules", []int{2, 1}, 33, 16, 12, [2]int{20, 10}, false, []int{12}, true, 0},
		{"many molecules later", []int{3}, 33, 7, 12, [2]int{20, 10}, true, []int{12}, false, 0},
		{"several chunks of pairs", []int{4, 5}, 20, 10, 16, [2]int{32, 16}, false, []int{32, 16}, false, 0},
		{"several chunks of pairs, first layer", []int{30, 20}, 20, 10, 16, [2]int{32, 16}, false, []int{16}, true, 0},
	}
	// Inputs like those of layers after the first: the supports of a task's graphs differ
	// little, in some cases more. Anchors are near, beside, or too far.
	for i, apart := range []float64{1e-3, 0.01, 0.03, 0.1, 0.3} {
		cases = append(cases,
			relationCase{fmt.Sprintf("graphs %g apart", apart), []int{5, 3, 8}, 5, 3, 6, [2]int{9, 5}, i%2 == 0, []int{6}, false, apart},
			relationCase{fmt.Sprintf("many graphs %g apart", apart), []int{70}, 4, 2, 9, [2]int{40, 36}, i%2 == 1, []int{7}, false, apart})
	}
	// Tasks with so many graphs that anchors have axes, and more units than a run.
	for i, apart := range []float64{0.02, 0.2} {
		cases = append(cases,
			relationCase{fmt.Sprintf("anchors with axes, %g apart", apart), []int{64, 90}, 6, 3, 20, [2]int{70, 40}, i == 0, []int{8}, false, apart},
			relationCase{fmt.Sprintf("axes for one of two tasks, %g apart", apart), []int{63, 64}, 4, 2, 18, [2]int{70, 66}, i == 1, []int{8},
				false, apart})
	}
	for k := 1; k <= 5; k++ {
		cases = append(cases, relationCase{fmt.Sprintf("K = %d of 5", k), []int{2, 1}, 5, k, 4, [2]int{6, 4}, k%2 == 0, []int{4}, k < 4, 0})
	}
	for _, n := range []int{2, 8, 20} {
		cases = append(cases, relationCase{fmt.Sprintf("N = %d", n), []int{1, 2}, n, n / 2, 8, [2]int{12, 8}, false, []int{8}, n != 8, 0})
	}
	// Widths that 32 threads do not divide evenly.
	for _, d := range []int{31, 32, 37} {
		cases = append(cases, relationCase{fmt.Sprintf("width %d", d), []int{1, 2}, 3, 2, d, [2]int{d + 8, 2*d + 1}, d == 37, []int{d - 4},
			d != 32, 0})
	}
	return append(cases,
		relationCase{"one query, one support molecule", []int{1}, 1, 3, 4, [2]int{5, 4}, true, []int{4}, true, 0},
		relationCase{"one graph of two nodes", []int{1}, 1, 3, 4, [2]int{5, 4}, true, []int{4}, false, 0})
}

// tasksOf returns the task of each query, given the number of queries of each task.
func tasksOf(queries []int) (task []int32) {
	for t, n := range queries {
		task = append(task, slices.Repeat([]int32{int32(t)}, n)...)
	}
	return task
}

// run calculates the nodes; l.extra keeps the adjacency.
func (c relationCase) run(l *opstest.Lab) *ts.Tensor {
	l.Helper()
	b, d := int64(len(c.queries)), int64(c.d)
	task := tasksOf(c.queries)
	q := int64(len(task))
	x := ops.Nodes{Task: l.Ints(task...)}
	if c.shared {
		x.Support, x.Query = l.Leaf("support", 0, 1, b*int64(c.n), d), l.Leaf("query", 0, 1, q, d)
	} else {
		before := l.Edit
		l.Edit = func(name string, v []float64) {
			if name == "graphs" {
				c.draw(v)
			}
			if before != nil {
				before(name, v)
			}
		}
		x.Graphs = l.Leaf("graphs", 0, 1, q, int64(c.n)+1, d)
		l.Edit = before
	}
	layer := ops.Relation{Similarity: [3]ops.Linear{
		l.Linear("pair.0", c.d, c.hidden[0], c.bias, 0),
		l.Linear("pair.1", c.hidden[0], c.hidden[1], c.bias, 0),
		l.Linear("pair.2", c.hidden[1], 1, true, 0),
	}}
	in := 2 * c.d
	for i, width := range c.node {
		layer.Node = append(layer.Node, l.Linear(fmt.Sprintf("node.%d", i), in, width, c.bias, 0))
		in = width
	}
	nodes, adjacency, err := layer.Layer(x, c.n, c.k, true)
	l.Extra["adjacency"] = l.Must(adjacency, err)
	return l.Must(nodes, err)
}

// droppedGraphs returns the graphs of tasks with these numbers of queries, n support molecules and width d.
func droppedGraphs(l *opstest.Lab, queries []int, n, d int, rate float64) *ts.Tensor {
	l.Helper()
	task := tasksOf(queries)
	x := ops.Nodes{
		Support: l.Leaf("support", 0, 1, int64(len(queries)*n), int64(d)),
		Query:   l.Leaf("query", 0, 1, int64(len(task)), int64(d)),
		Task:    l.Ints(task...),
	}
	return l.Must(x.Dropped(n, ops.Mode{Training: rate > 0, Dropout: rate, Key: 7}))
}

// TestDroppedGraphs compares each entry with that of its molecule: 0, or divided by 1−p. Without dropout it is
// that of the molecule itself.
func TestDroppedGraphs(t *testing.T) { opstest.RunBoth(t, "entries", testDroppedGraphs) }

func testDroppedGraphs(t *testing.T) {
	const n, d = 3, 40
	task := []int{0, 0, 2, 2, 2}
	for _, rate := range []float64{0, 0.5} {
		l := opstest.New(t, 1, true)
		got := l.Read(droppedGraphs(l, []int{2, 0, 3}, n, d, rate))
		dropped := map[int]bool{}
		for i, v := range got {
			q, node, k := i/(d*(n+1)), i/d%(n+1), i%d
			want := l.Values["query"][q*d+k]
			if node < n {
				want = l.Values["support"][(task[q]*n+node)*d+k]
			}
			if want /= 1 - rate; rate > 0 && v == 0 {
				dropped[i] = true
			} else if v != want {
				t.Fatalf("rate %v, query %d, node %d, entry %d: %v, want %v", rate, q, node, k, v, want)
			}
		}
		if share := float64(len(dropped)) / float64(len(got)); math.Abs(share-rate) > 0.1 {
			t.Errorf("rate %v: %v of the entries are dropped", rate, share)
		}
		same := 0
		for i := range n * d {
			if dropped[i] == dropped[i+(n+1)*d] {
				same++
			}
		}
		if rate > 0 && same > n*d*2/3 {
			t.Errorf("%d of %d entries of the support are dropped alike for two queries", same, n*d)
		}
		l.Drop()
	}
}

// draw sets the supports in the graphs [Q, n, d] of a task to the support in its first graph plus
// apart times their drawn values.
func (c relationCase) draw(v []float64) {
	if c.apart == 0 {
		return
	}
	graph, support := (c.n+1)*c.d, c.n*c.d
	for _, n := range c.queries {
		for q := 1; q < n; q++ {
			for i := range support {
				v[q*graph+i] = v[i] + c.apart*v[q*graph+i]
			}
		}
		v = v[n*graph:]
	}
}

// test is like runBoth. Cases with apart run on the loops only: kernels do not use the
// distance of graphs, and many graphs take long on the emulator.
func (c relationCase) test(t *testing.T, f func(*testing.T)) {
	t.Helper()
	if c.apart == 0 {
		opstest.RunBoth(t, c.name, f)
	} else {
		opstest.Run(t, c.name, f)
	}
}

// TestRelationWithoutGradient: if no gradient is needed, nothing is kept, and the kernels'
// network processes the pairs in chunks.
func TestRelationWithoutGradient(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for i, c := range relationCases() {
		if c.n < 8 {
			continue
		}
		c.test(t, func(t *testing.T) {
			for _, p := range opstest.Precisions {
				var numbers [2][]float64
				for k, call := range []func(func() error) error{ops.WithoutGrad, func(f func() error) error { return f() }} {
					l := opstest.New(t, uint64(i), p.Double)
					if err := call(func() error { numbers[k] = l.Read(c.run(l)); return nil }); err != nil {
						t.Fatal(err)
					}
					l.Drop()
				}
				opstest.Near(t, p.Name, numbers[0], numbers[1], p.Tolerance)
			}
		})
	}
}

// TestRelationByHand calculates nodes and adjacency graph by graph as in Eqs. 4
// and 5.
func TestRelationByHand(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for i, c := range relationCases() {
		c.test(t, func(t *testing.T) {
			for _, p := range opstest.Precisions {
				l := opstest.New(t, uint64(i), p.Double)
				got := l.Read(c.run(l))
				nodes, adjacency := c.byHand(l)
				opstest.Near(t, p.Name+": adjacency", l.Read(l.Extra["adjacency"]), adjacency, p.Tolerance)
				opstest.Near(t, p.Name+": nodes", got, nodes, p.Tolerance)
				l.Drop()
			}
		})
	}
}

func (c relationCase) byHand(l *opstest.Lab) (nodes, adjacency []float64) {
	var graphs []opstest.Matrix
	if c.shared {
		support, query := opstest.Rows(l.Values["support"], c.d), opstest.Rows(l.Values["query"], c.d)
		for t, n := range c.queries {
			for range n {
				graphs = append(graphs, append(slices.Clone(support[t*c.n:(t+1)*c.n]), query[0]))
				query = query[1:]
			}
		}
	} else {
		all := opstest.Rows(l.Values["graphs"], c.d)
		for ; len(all) > 0; all = all[c.n+1:] {
			graphs = append(graphs, all[:c.n+1])
		}
	}
	for _, h := range graphs {
		for i := range h {
			a := c.keptByHand(l, h, i)
			total, mean := 0.0, make([]float64, c.d)
			for j := range h {
				total, mean = total+a[j], opstest.Sum(mean, opstest.Times(a[j], h[j]))
			}
			y := slices.Concat(h[i], opstest.Times(1/total, mean))
			for k := range c.node {
				name := fmt.Sprintf("node.%d.", k)
				y = opstest.Leaky(opstest.Affine(l.Values[name+"W"], l.Values[name+"b"], y))
			}
			adjacency, nodes = append(adjacency, a...), append(nodes, y...)
		}
	}
	return nodes, adjacency
}

// keptByHand returns row i of the adjacency: the K largest similarities.
func (c relationCase) keptByHand(l *opstest.Lab, h opstest.Matrix, i int) []float64 {
	a := make([]float64, len(h))
	for j := range h {
		if j == i {
			continue
		}
		x := make([]float64, c.d)
		for k := range x {
			x[k] = math.Exp(-math.Abs(h[i][k] - h[j][k]))
		}
		x = opstest.Leaky(opstest.Affine(l.Values["pair.0.W"], l.Values["pair.0.b"], x))
		x = opstest.Leaky(opstest.Affine(l.Values["pair.1.W"], l.Values["pair.1.b"], x))
		a[j] = 1 / (1 + math.Exp(-opstest.Affine(l.Values["pair.2.W"], l.Values["pair.2.b"], x)[0]))
	}
	least := slices.Sorted(slices.Values(a))[len(h)-min(c.k, c.n)]
	for j := range a {
		if a[j] < least {
			a[j] = 0
		}
	}
	return a
}
