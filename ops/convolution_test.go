package ops_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/sugarme/gotch"
	"github.com/sugarme/gotch/ts"

	"pacia/data/category"
	"pacia/harness/opstest"
	"pacia/ops"
)

// convolutionCase describes a batch and a layer of GCN, GraphSAGE or GAT that runs
// on it.
type convolutionCase struct {
	kind      string  // gcn, sage or gat
	groups    [][]int // atoms of the molecules of each group
	in, width int
	heads     int
	relu      bool
	mode      ops.Mode
}

func (c convolutionCase) String() string {
	return fmt.Sprintf("%s, %d of %d to %d, training %v, dropout %v", c.kind, c.groups, c.in, c.width, c.mode.Training, c.mode.Dropout)
}

// Above 16384 elements, rows are divided among threads.
func convolutionCases() (cases []convolutionCase) {
	three := [][]int{{3, 1, 6, 2}, {5, 4}, {2, 7, 1, 1}, {8}}
	training := ops.Mode{Training: true}
	dropout := ops.Mode{Training: true, Dropout: 0.4, Key: 0xfedcba9876543210}
	large := opstest.New(nil, 9, true).Rand
	many := [][]int{opstest.Sizes(large, 60), opstest.Sizes(large, 50)}
	for _, kind := range []string{"gcn", "sage", "gat"} {
		cases = append(cases,
			convolutionCase{kind, three, 4, 5, 2, true, ops.Mode{}},
			convolutionCase{kind, three, 5, 5, 1, false, training},
			convolutionCase{kind, three, 7, 4, 3, true, dropout},
			convolutionCase{kind, [][]int{{}, {3, 4}, {1}, {}}, 3, 6, 2, true, training},
			convolutionCase{kind, [][]int{{1, 1, 1}, {1, 1}}, 4, 4, 2, false, training}, // no bonds
			convolutionCase{kind, many, 33, 70, 2, true, dropout})
	}
	return cases
}

// layer makes the leaves of the case's layer, and returns a function that runs it.
func (c convolutionCase) layer(l *opstest.Lab) (func(h *ts.Tensor, v *ops.Level) (*ts.Tensor, error), ops.BatchNorm) {
	d := int64(c.width)
	n := ops.BatchNorm{Gamma: l.Leaf("γ", 1, 0.3, d), Beta: l.Leaf("β", 0, 0.3, d), Mean: l.Tensor(l.Draw(c.width), false, d)}
	variance := l.Draw(c.width)
	for i := range variance {
		variance[i] = 0.5 + variance[i]*variance[i]
	}
	n.Var = l.Tensor(variance, false, d)
	l.Extra["running mean"], l.Extra["running variance"] = n.Mean, n.Var
	if c.kind == "gat" {
		wide := c.heads * c.width
		linear := l.Linear("z", c.in, wide, true, 0)
		a := &ops.Attention{W: linear.W, B: linear.B, A: l.Leaf("a", 0, 1, int64(c.heads), 2*d), C: l.Leaf("c", 0, 1, d),
			E1: l.Leaf("E1", 0, 1, category.BondTypes, int64(wide)), E2: l.Leaf("E2", 0, 1, category.BondDirections, int64(wide))}
		return func(h *ts.Tensor, v *ops.Level) (*ts.Tensor, error) {
			return (&ops.Convolution{Of: a, Norm: n}).Layer(h, v, c.relu, c.mode)
		}, n
	}
	linear := l.Linear("z", c.in, c.width, true, 0)
	m := &ops.Mean{W: linear.W, B: linear.B, E1: l.Leaf("E1", 0, 1, category.BondTypes, d), E2: l.Leaf("E2", 0, 1, category.BondDirections, d)}
	if c.kind == "sage" {
		m.Form = ops.MeanSage
	}
	return func(h *ts.Tensor, v *ops.Level) (*ts.Tensor, error) {
		return (&ops.Convolution{Of: m, Norm: n}).Layer(h, v, c.relu, c.mode)
	}, n
}

func (c convolutionCase) host(l *opstest.Lab) ops.HostGraph {
	return opstest.Molecules(l.Rand, c.groups)
}

func (c convolutionCase) run(l *opstest.Lab) *ts.Tensor {
	l.Helper()
	host := c.host(l)
	layer, _ := c.layer(l)
	out, err := layer(l.Leaf("h", 0, 1, int64(opstest.Atoms(&host)), int64(c.in)), l.Graph(host).Level(0))
	return l.Must(out, err)
}

// TestConvolutionsByHand calculates the layers in plain Go by their definition.
func TestConvolutionsByHand(t *testing.T) {
	for i, c := range convolutionCases() {
		if c.mode.Dropout > 0 {
			continue
		}
		opstest.RunBoth(t, c.String(), func(t *testing.T) {
			l := opstest.New(t, uint64(i), true)
			defer l.Drop()
			host := c.host(l)
			layer, n := c.layer(l)
			mean, variance := l.Read(n.Mean), l.Read(n.Var)
			out, err := layer(l.Leaf("h", 0, 1, int64(opstest.Atoms(&host)), int64(c.in)), l.Graph(host).Level(0))
			m := c.byHand(l, host)
			for k := 0; k+1 < len(host.Group); k++ {
				opstest.NormByHand(m[host.Group[k]:host.Group[k+1]], l.Values["γ"], l.Values["β"], mean, variance, c.relu, c.mode.Training)
			}
			opstest.Near(t, "output", l.Read(l.Must(out, err)), slices.Concat(m...), 1e-11)
			opstest.Near(t, "running mean", l.Read(n.Mean), mean, 1e-12)
			opstest.Near(t, "running variance", l.Read(n.Var), variance, 1e-12)
		})
	}
}

// edge goes from atom u to atom v.
type edge struct {
	u, v int
	e    []float64 // embedding of its bond
}

// byHand returns m of every atom.
func (c convolutionCase) byHand(l *opstest.Lab, g ops.HostGraph) opstest.Matrix {
	wide := c.width * max(1, map[string]int{"gat": c.heads}[c.kind])
	e1, e2 := opstest.Rows(l.Values["E1"], wide), opstest.Rows(l.Values["E2"], wide)
	var edges []edge
	degree := make([]float64, opstest.Atoms(&g))
	var z opstest.Matrix
	for v, h := range opstest.Rows(l.Values["h"], c.in) {
		z = append(z, opstest.Affine(l.Values["z.W"], l.Values["z.b"], h))
		edges = append(edges, edge{v, v, opstest.Sum(e1[4], e2[0])})
		for k := g.RowPtr[v]; k < g.RowPtr[v+1]; k++ {
			edges = append(edges, edge{int(g.Col[k]), v, opstest.Sum(e1[g.Bond[2*k]], e2[g.Bond[2*k+1]])})
		}
		degree[v] = float64(1 + g.RowPtr[v+1] - g.RowPtr[v])
	}
	if c.kind == "gat" {
		return c.attentionByHand(l, z, edges)
	}
	m := make(opstest.Matrix, len(z))
	for v := range m {
		m[v] = make([]float64, c.width)
	}
	for _, e := range edges {
		weight := 1 / math.Sqrt(degree[e.u]*degree[e.v])
		if c.kind == "sage" {
			weight = 1 / degree[e.v]
		}
		m[e.v] = opstest.Sum(m[e.v], opstest.Times(weight, opstest.Sum(z[e.u], e.e)))
	}
	if c.kind == "sage" {
		for v := range m {
			m[v] = opstest.Times(1/math.Sqrt(opstest.Dot(m[v], m[v])), m[v])
		}
	}
	return m
}

func (c convolutionCase) attentionByHand(l *opstest.Lab, z opstest.Matrix, edges []edge) opstest.Matrix {
	m := make(opstest.Matrix, len(z))
	for v := range m {
		m[v] = slices.Clone(l.Values["c"])
	}
	for h, a := range opstest.Rows(l.Values["a"], 2*c.width) {
		part := func(x []float64) []float64 { return x[h*c.width : (h+1)*c.width] }
		power, total := make([]float64, len(edges)), make([]float64, len(z))
		for i, e := range edges {
			score := opstest.Dot(a[:c.width], part(z[e.v])) + opstest.Dot(a[c.width:], opstest.Sum(part(z[e.u]), part(e.e)))
			power[i] = math.Exp(max(score, 0.2*score))
			total[e.u] += power[i]
		}
		for i, e := range edges {
			m[e.v] = opstest.Sum(m[e.v], opstest.Times(power[i]/total[e.u]/float64(c.heads), opstest.Sum(part(z[e.u]), part(e.e))))
		}
	}
	return m
}

// TestConvolutionsOfPaddedGraphs: atoms and bonds that belong to no group, as in a
// training step on a GPU, change nothing. (Graphs for the loops have none.)
func TestConvolutionsOfPaddedGraphs(t *testing.T) {
	for _, kind := range []string{"gcn", "sage", "gat"} {
		c := convolutionCase{kind, [][]int{{3, 1}, {5, 4}}, 4, 5, 2, true, ops.Mode{Training: true}}
		opstest.Run(t, kind, func(t *testing.T) {
			opstest.Emulated(t)
			for _, p := range opstest.Precisions {
				got, want := c.padded(t, p.Double, 7, 9), c.padded(t, p.Double, 0, 0)
				for name, w := range want {
					g := got[name]
					if name == "output" || name == "h" {
						g = g[:len(w)]
					}
					opstest.Near(t, p.Name+": "+name, g, w, p.Tolerance)
				}
				for _, v := range got["output"][len(want["output"]):] {
					if v != 0 {
						t.Errorf("%s: a row of padding is %v, not 0", p.Name, v)
					}
				}
			}
		})
	}
}

// padded returns output and gradients with the given numbers of padding atoms and bonds.
func (c convolutionCase) padded(t *testing.T, double bool, atoms, bonds int) map[string][]float64 {
	t.Helper()
	l := opstest.New(t, 3, double)
	defer l.Drop()
	host := c.host(l)
	layer, _ := c.layer(l)
	rows := opstest.Atoms(&host) + atoms
	h := l.Leaf("h", 0, 1, int64(rows), int64(c.in)) // the last, so that all before are the same
	code := make([]uint8, len(host.Col)+bonds)
	for i := range host.Col {
		code[i] = category.BondCode(host.Bond[2*i], host.Bond[2*i+1])
	}
	end := int32(len(host.Col))
	g, err := ops.GraphOf(ops.GraphParts{
		RowPtr: l.Ints(append(host.RowPtr, slices.Repeat([]int32{end}, atoms)...)...),
		Col:    l.Ints(append(host.Col, make([]int32, bonds)...)...),
		Code:   l.Bytes(code...), Group: l.Ints(host.Group...),
	})
	if err != nil {
		t.Fatal(err)
	}
	out, err := layer(h, g.Level(0))
	y := l.Must(out, err)
	kind := gotch.Float
	if double {
		kind = gotch.Double
	}
	cube := l.Must(l.Must(y.Mul(y, false)).Mul(y, false)) // 0 for padding
	if err := ops.Backward(l.Must(cube.Sum(kind, false))); err != nil {
		t.Fatal(err)
	}
	found := map[string][]float64{"output": l.Read(y)}
	for _, name := range l.Names {
		if found[name], err = ops.Gradient(l.Leaves[name]); err != nil {
			t.Fatal(err)
		}
	}
	return found
}

func TestErrorsOfConvolutions(t *testing.T) {
	opstest.Locked(t, 2)
	l := opstest.New(t, 1, true)
	defer l.Drop()
	host := opstest.Molecules(l.Rand, [][]int{{3, 1}, {5}})
	g := l.Graph(host)
	c := convolutionCase{kind: "gat", in: 4, width: 5, heads: 2}
	gat, n := c.layer(l)
	_, err := gat(l.Leaf("x", 0, 1, 8, 4), g.Level(0))
	opstest.Fails(t, err, "attention layer: h has shape [8, 4], not [9, any]")
	n.Var = l.Leaf("x", 0, 1, 6)
	m := ops.Convolution{Of: &ops.Mean{W: l.Leaf("W", 0, 1, 5, 4), B: l.Leaf("b", 0, 1, 5), E1: l.Leaf("E1", 0, 1, 6, 5), E2: l.Leaf("E2", 0,
		1, 3, 5)}, Norm: n}
	h := l.Leaf("h", 0, 1, 9, 4)
	_, err = m.Layer(h, g.Level(0), true, ops.Mode{})
	opstest.Fails(t, err, "mean layer: var has shape [6], not [5]")
	opstest.Invent(&host, l.Rand, []int{4, 5})
	_, err = m.Layer(h, l.Graph(host).Level(0), true, ops.Mode{})
	opstest.Fails(t, err, "mean layer: it runs on atoms")
}
