package egnn

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/harness/opstest"
	"pacia/ops"
)

// edgesCase describes queries of tasks with n support molecules of width d.
type edgesCase struct {
	labels, answers []uint8
	task            []int32
	n, d, w, layers int
	training        bool
}

var edgesCases = map[string]edgesCase{
	"training":         {[]uint8{0, 1, 1, 0}, []uint8{1, 0, 1}, []int32{0, 0, 0}, 4, 3, 2, 2, true},
	"training, tasks":  {[]uint8{0, 1, 0, 1, 1, 0}, []uint8{1, 0, 1, 0}, []int32{1, 0, 1, 1}, 3, 3, 2, 2, true},
	"running averages": {[]uint8{0, 1, 0, 1, 1, 0}, []uint8{1, 0, 1, 0}, []int32{1, 0, 1, 1}, 3, 3, 2, 2, false},
	"one layer":        {[]uint8{0, 1}, []uint8{1, 0}, []int32{0, 0}, 2, 1, 1, 1, true},
}

// widths returns the widths of the inputs and outputs of the layers of a node and of a pair.
func (c edgesCase) widths(layer int) (node, pair [][2]int) {
	d := c.w
	if layer == 0 {
		d = c.d
	}
	w := c.w
	return [][2]int{{3 * d, 2 * w}, {2 * w, w}}, [][2]int{{w, 2 * w}, {2 * w, 2 * w}, {2 * w, w}, {w, w}}
}

func (c edgesCase) graphs(l *opstest.Lab) *edgeGraphs {
	g := &edgeGraphs{width: c.w}
	for i := range c.layers {
		var e edgeLayer
		node, pair := c.widths(i)
		for k, s := range node {
			e.node[k] = l.Normed(fmt.Sprintf("%d.node.%d", i, k), s[0], s[1])
		}
		for k, s := range pair {
			e.pair[k] = l.Normed(fmt.Sprintf("%d.pair.%d", i, k), s[0], s[1])
		}
		e.last = ops.Linear{W: l.Leaf(fmt.Sprintf("%d.last.w", i), 0, 1, 1, int64(c.w)), B: l.Leaf(fmt.Sprintf("%d.last.b", i), 0, 1, 1)}
		g.layers = append(g.layers, e)
	}
	return g
}

func (c edgesCase) run(l *opstest.Lab) *ts.Tensor {
	support, x := l.Leaf("support", 0, 1, int64(len(c.labels)), int64(c.d)), l.Leaf("x", 0, 1, int64(len(c.task)), int64(c.d))
	out, err := c.graphs(l).of(x, support, l.Bytes(c.labels...), l.Ints(c.task...), l.Bytes(c.answers...), c.n, c.training)
	if err != nil {
		l.Fatal(err)
	}
	l.Made = append(l.Made, out.loss, out.nodes, out.edges)
	l.Extra["loss"] = out.loss
	return l.Must(out.logits, nil)
}

// leaky returns LeakyReLU.
func leakyOf(v float64) float64 {
	if v < 0 {
		return 0.01 * v
	}
	return v
}

// block returns LReLU(BN(Wx)) of the rows x of a task's graphs.
func (c edgesCase) block(l *opstest.Lab, name string, rows opstest.Matrix, in int) (out opstest.Matrix) {
	w, gamma, beta := opstest.Rows(l.Values[name+".w"], in), l.Values[name+".gamma"], l.Values[name+".beta"]
	mean, variance := make([]float64, len(w)), make([]float64, len(w))
	for _, x := range rows {
		z := make([]float64, len(w))
		for i := range w {
			z[i] = opstest.Dot(w[i], x)
			mean[i] += z[i] / float64(len(rows))
		}
		out = append(out, z)
	}
	for i := range w {
		for _, z := range out {
			variance[i] += (z[i] - mean[i]) * (z[i] - mean[i]) / float64(len(rows))
		}
		if !c.training {
			mean[i], variance[i] = 0.1*float64(i+1), 1+0.5*float64(i)
		}
		for _, z := range out {
			z[i] = leakyOf(gamma[i]*(z[i]-mean[i])/math.Sqrt(variance[i]+1e-5) + beta[i])
		}
	}
	return out
}

// byHand goes through all n² pairs of each graph, task by task.
func (c edgesCase) byHand(l *opstest.Lab) []float64 {
	support, x := opstest.Rows(l.Values["support"], c.d), opstest.Rows(l.Values["x"], c.d)
	logits, n := make(opstest.Matrix, len(c.task)), c.n+1
	for task := range int32(len(c.labels) / c.n) {
		labels := c.labels[int(task)*c.n : int(task+1)*c.n]
		var h opstest.Matrix // of the task's graphs, n after n
		var edges []float64  // e_0, n² after n²
		var queries []int
		for q, of := range c.task {
			if of != task {
				continue
			}
			queries = append(queries, q)
			h = append(append(h, support[int(task)*c.n:int(task+1)*c.n]...), x[q])
			for i := range n * n {
				e := 0.5
				if i/n < c.n && i%n < c.n {
					e = 0
					if labels[i/n] == labels[i%n] {
						e = 1
					}
				}
				edges = append(edges, e)
			}
		}
		for layer := range c.layers {
			h, edges = c.layer(l, layer, h, edges)
		}
		for g, q := range queries {
			var count, vote [2]float64
			for s, y := range labels {
				count[y], vote[y] = count[y]+1, vote[y]+edges[(g*n+c.n)*n+s]
			}
			logits[q] = []float64{math.Log(vote[0] / count[0]), math.Log(vote[1] / count[1])}
		}
	}
	return slices.Concat(logits...)
}

func (c edgesCase) layer(l *opstest.Lab, layer int, h opstest.Matrix, edges []float64) (opstest.Matrix, []float64) {
	n := c.n + 1
	node, pair := c.widths(layer)
	channel := func(k, row, j int) float64 { // without the diagonal
		e := edges[row*n+j]
		switch {
		case row%n == j:
			return 0
		case k == 1:
			return 1 - e
		}
		return e
	}
	var z opstest.Matrix
	for row := range h {
		z = append(z, slices.Clone(h[row]))
		for k := range 2 {
			total, sums := 0.0, make([]float64, len(h[row]))
			for j := range n {
				e := channel(k, row, j)
				total, sums = total+e, opstest.Sum(sums, opstest.Times(e, h[row-row%n+j]))
			}
			z[row] = append(z[row], opstest.Times(1/max(total, 1e-12), sums)...)
		}
	}
	for k, s := range node {
		z = c.block(l, fmt.Sprintf("%d.node.%d", layer, k), z, s[0])
	}
	var apart opstest.Matrix
	for row := range z {
		for j := range n {
			d := opstest.Sum(z[row], opstest.Times(-1, z[row-row%n+j]))
			for i := range d {
				d[i] = math.Abs(d[i])
			}
			apart = append(apart, d)
		}
	}
	for k, s := range pair {
		apart = c.block(l, fmt.Sprintf("%d.pair.%d", layer, k), apart, s[0])
	}
	next := make([]float64, len(edges))
	for row := range z {
		var updated [2][]float64
		for k := range 2 {
			before, after := 0.0, 0.0
			for j := range n {
				s := opstest.Dot(apart[row*n+j], l.Values[fmt.Sprintf("%d.last.w", layer)]) + l.Values[fmt.Sprintf("%d.last.b", layer)][0]
				s = 1 / (1 + math.Exp(-s))
				if k == 1 {
					s = 1 - s
				}
				before, after = before+channel(k, row, j), after+s*channel(k, row, j)
				updated[k] = append(updated[k], s*channel(k, row, j))
			}
			updated[k] = opstest.Times(before/max(after, 1e-12), updated[k])
		}
		for j := range n {
			e0, e1 := updated[0][j]+1e-6, updated[1][j]+1e-6
			if j == row%n {
				e0++
			}
			next[row*n+j] = e0 / (e0 + e1)
		}
	}
	return z, next
}

func TestEdges(t *testing.T) {
	for name, c := range edgesCases {
		opstest.Run(t, name, func(t *testing.T) { opstest.CheckAgainst(t, 6, c.run, c.byHand) })
	}
}

// TestAveragesOfEdges checks the averages of the first batch norm, for one task and weights
// with known values: momentum 0.1 and an unbiased variance.
func TestAveragesOfEdges(t *testing.T) {
	opstest.Locked(t, 2)
	l := opstest.New(t, 1, true)
	defer l.Drop()
	c := edgesCase{n: 2, d: 1, w: 1, layers: 1}
	g := c.graphs(l)
	b := g.layers[0].node[0]
	if err := ops.Write(b.W, []float64{1, 0, 0, 2, 0, 0}); err != nil {
		t.Fatal(err)
	}
	support, x := l.Must(ops.New([]float64{1, 2}, []int64{2, 1}, opstest.Device)), l.Must(ops.New([]float64{6}, []int64{1, 1}, opstest.Device))
	out, err := g.of(x, support, l.Bytes(0, 1), l.Ints(0), l.Bytes(1), 2, true)
	if err != nil {
		t.Fatal(err)
	}
	defer out.drop()
	// The nodes' first entries are 1, 2 and 6, with mean 3 and variance 7. The second ones are twice these.
	for _, a := range []struct {
		tensor *ts.Tensor
		want   []float64
	}{{b.Mean, []float64{0.9*0.1 + 0.1*3, 0.9*0.2 + 0.1*6}}, {b.Var, []float64{0.9*1 + 0.1*7, 0.9*1.5 + 0.1*28}}} {
		got, err := ops.ReadAs[float64](a.tensor)
		if err != nil {
			t.Fatal(err)
		}
		for i := range got {
			if math.Abs(got[i]-a.want[i]) > 1e-12 {
				t.Errorf("average %d is %v, want %v", i, got[i], a.want[i])
			}
		}
	}
}

// TestErrorsOfEdges breaks one input at a time.
func TestErrorsOfEdges(t *testing.T) {
	opstest.Locked(t, 2)
	for words, c := range map[string]struct {
		x       int64
		labels  []uint8
		answers []uint8
		n       int
		width   int
	}{
		"no support molecules":                         {1, []uint8{0, 1}, []uint8{1}, 0, 1},
		"queries has shape [2, 1], not [1, any]":       {2, []uint8{0, 1}, []uint8{1}, 2, 1},
		"labels has shape [3], not [2]":                {1, []uint8{0, 1, 1}, []uint8{1}, 2, 1},
		"labels of the queries has shape [2], not [1]": {1, []uint8{0, 1}, []uint8{1, 1}, 2, 1},
		"W has shape [2, 3], not [4, 3]":               {1, []uint8{0, 1}, []uint8{1}, 2, 2},
	} {
		l := opstest.New(t, 1, true)
		g := edgesCase{n: 2, d: 1, w: 1, layers: 1}.graphs(l)
		g.width = c.width
		_, err := g.loss(l.Leaf("x", 0, 1, c.x, 1), l.Leaf("support", 0, 1, 2, 1), l.Bytes(c.labels...), l.Ints(0), l.Bytes(c.answers...), c.n,
			true)
		opstest.Fails(t, err, "edge graph: ", words)
		l.Drop()
	}
}

// TestOperations checks the forms of the operations.
func TestOperations(t *testing.T) {
	all := opstest.Examples{}
	for name, c := range edgesCases {
		all.Add("edge graph", name, 6, true, c.run)
	}
	all.Check(t)
}
