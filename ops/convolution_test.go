package ops

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/sugarme/gotch"
	"github.com/sugarme/gotch/ts"

	"pacia/data/category"
)

// convolutionCase describes a batch and a layer of GCN, GraphSAGE or GAT that runs
// on it.
type convolutionCase struct {
	kind      string  // gcn, sage or gat
	groups    [][]int // atoms of the molecules of each group
	in, width int
	heads     int
	relu      bool
	mode      Mode
}

func (c convolutionCase) String() string {
	return fmt.Sprintf("%s, %d of %d to %d, training %v, dropout %v", c.kind, c.groups, c.in, c.width, c.mode.Training, c.mode.Dropout)
}

// Above 16384 elements, rows are divided among threads.
func convolutionCases() (cases []convolutionCase) {
	three := [][]int{{3, 1, 6, 2}, {5, 4}, {2, 7, 1, 1}, {8}}
	training := Mode{Training: true}
	dropout := Mode{Training: true, Dropout: 0.4, Key: 0xfedcba9876543210}
	large := newLab(nil, 9, true).r
	many := [][]int{sizes(large, 60), sizes(large, 50)}
	for _, kind := range []string{"gcn", "sage", "gat"} {
		cases = append(cases,
			convolutionCase{kind, three, 4, 5, 2, true, Mode{}},
			convolutionCase{kind, three, 5, 5, 1, false, training},
			convolutionCase{kind, three, 7, 4, 3, true, dropout},
			convolutionCase{kind, [][]int{{}, {3, 4}, {1}, {}}, 3, 6, 2, true, training},
			convolutionCase{kind, [][]int{{1, 1, 1}, {1, 1}}, 4, 4, 2, false, training}, // no bonds
			convolutionCase{kind, many, 33, 70, 2, true, dropout})
	}
	return cases
}

// layer makes the leaves of the case's layer, and returns a function that runs it.
func (c convolutionCase) layer(l *lab) (func(h *ts.Tensor, v *Level) (*ts.Tensor, error), BatchNorm) {
	d := int64(c.width)
	n := BatchNorm{Gamma: l.leaf("γ", 1, 0.3, d), Beta: l.leaf("β", 0, 0.3, d), Mean: l.tensor(l.draw(c.width), false, d)}
	variance := l.draw(c.width)
	for i := range variance {
		variance[i] = 0.5 + variance[i]*variance[i]
	}
	n.Var = l.tensor(variance, false, d)
	l.extra["running mean"], l.extra["running variance"] = n.Mean, n.Var
	if c.kind == "gat" {
		wide := c.heads * c.width
		linear := l.linear("z", c.in, wide, true, 0)
		a := &Attention{W: linear.W, B: linear.B, A: l.leaf("a", 0, 1, int64(c.heads), 2*d), C: l.leaf("c", 0, 1, d),
			E1: l.leaf("E1", 0, 1, category.BondTypes, int64(wide)), E2: l.leaf("E2", 0, 1, category.BondDirections, int64(wide))}
		return func(h *ts.Tensor, v *Level) (*ts.Tensor, error) {
			return (&Convolution{a, n}).Layer(h, v, c.relu, c.mode)
		}, n
	}
	linear := l.linear("z", c.in, c.width, true, 0)
	m := &Mean{W: linear.W, B: linear.B, E1: l.leaf("E1", 0, 1, category.BondTypes, d), E2: l.leaf("E2", 0, 1, category.BondDirections, d)}
	if c.kind == "sage" {
		m.Form = MeanSage
	}
	return func(h *ts.Tensor, v *Level) (*ts.Tensor, error) {
		return (&Convolution{m, n}).Layer(h, v, c.relu, c.mode)
	}, n
}

func (c convolutionCase) host(l *lab) HostGraph { return molecules(l.r, c.groups) }

func (c convolutionCase) run(l *lab) *ts.Tensor {
	l.Helper()
	host := c.host(l)
	layer, _ := c.layer(l)
	out, err := layer(l.leaf("h", 0, 1, int64(host.atoms()), int64(c.in)), l.graph(host).Level(0))
	return l.must(out, err)
}

// TestConvolutionsByHand calculates the layers in plain Go by their definition.
func TestConvolutionsByHand(t *testing.T) {
	for i, c := range convolutionCases() {
		if c.mode.Dropout > 0 {
			continue
		}
		runBoth(t, c.String(), func(t *testing.T) {
			l := newLab(t, uint64(i), true)
			defer l.drop()
			host := c.host(l)
			layer, n := c.layer(l)
			mean, variance := l.read(n.Mean), l.read(n.Var)
			out, err := layer(l.leaf("h", 0, 1, int64(host.atoms()), int64(c.in)), l.graph(host).Level(0))
			m := c.byHand(l, host)
			for k := 0; k+1 < len(host.Group); k++ {
				normByHand(m[host.Group[k]:host.Group[k+1]], l.values["γ"], l.values["β"], mean, variance,
					ginCase{relu: c.relu, mode: c.mode})
			}
			near(t, "output", l.read(l.must(out, err)), slices.Concat(m...), 1e-11)
			near(t, "running mean", l.read(n.Mean), mean, 1e-12)
			near(t, "running variance", l.read(n.Var), variance, 1e-12)
		})
	}
}

// edge goes from atom u to atom v.
type edge struct {
	u, v int
	e    []float64 // embedding of its bond
}

// byHand returns m of every atom.
func (c convolutionCase) byHand(l *lab, g HostGraph) matrix {
	wide := c.width * max(1, map[string]int{"gat": c.heads}[c.kind])
	e1, e2 := matrixOf(l.values["E1"], wide), matrixOf(l.values["E2"], wide)
	var edges []edge
	degree := make([]float64, g.atoms())
	var z matrix
	for v, h := range matrixOf(l.values["h"], c.in) {
		z = append(z, affine(l.values["z.W"], l.values["z.b"], h))
		edges = append(edges, edge{v, v, sum(e1[4], e2[0])})
		for k := g.RowPtr[v]; k < g.RowPtr[v+1]; k++ {
			edges = append(edges, edge{int(g.Col[k]), v, sum(e1[g.Bond[2*k]], e2[g.Bond[2*k+1]])})
		}
		degree[v] = float64(1 + g.RowPtr[v+1] - g.RowPtr[v])
	}
	if c.kind == "gat" {
		return c.attentionByHand(l, z, edges)
	}
	m := make(matrix, len(z))
	for v := range m {
		m[v] = make([]float64, c.width)
	}
	for _, e := range edges {
		weight := 1 / math.Sqrt(degree[e.u]*degree[e.v])
		if c.kind == "sage" {
			weight = 1 / degree[e.v]
		}
		m[e.v] = sum(m[e.v], times(weight, sum(z[e.u], e.e)))
	}
	if c.kind == "sage" {
		for v := range m {
			m[v] = times(1/math.Sqrt(dot(m[v], m[v])), m[v])
		}
	}
	return m
}

func (c convolutionCase) attentionByHand(l *lab, z matrix, edges []edge) matrix {
	m := make(matrix, len(z))
	for v := range m {
		m[v] = slices.Clone(l.values["c"])
	}
	for h, a := range matrixOf(l.values["a"], 2*c.width) {
		part := func(x []float64) []float64 { return x[h*c.width : (h+1)*c.width] }
		power, total := make([]float64, len(edges)), make([]float64, len(z))
		for i, e := range edges {
			score := dot(a[:c.width], part(z[e.v])) + dot(a[c.width:], sum(part(z[e.u]), part(e.e)))
			power[i] = math.Exp(max(score, 0.2*score))
			total[e.u] += power[i]
		}
		for i, e := range edges {
			m[e.v] = sum(m[e.v], times(power[i]/total[e.u]/float64(c.heads), sum(part(z[e.u]), part(e.e))))
		}
	}
	return m
}

// TestConvolutionsOfPaddedGraphs: atoms and bonds that belong to no group, as in a
// training step on a GPU, change nothing. (Graphs for the loops have none.)
func TestConvolutionsOfPaddedGraphs(t *testing.T) {
	for _, kind := range []string{"gcn", "sage", "gat"} {
		c := convolutionCase{kind, [][]int{{3, 1}, {5, 4}}, 4, 5, 2, true, Mode{Training: true}}
		run(t, kind, func(t *testing.T) {
			emulated(t)
			for _, p := range precisions {
				got, want := c.padded(t, p.double, 7, 9), c.padded(t, p.double, 0, 0)
				for name, w := range want {
					g := got[name]
					if name == "output" || name == "h" {
						g = g[:len(w)]
					}
					near(t, p.name+": "+name, g, w, p.tolerance)
				}
				for _, v := range got["output"][len(want["output"]):] {
					if v != 0 {
						t.Errorf("%s: a row of padding is %v, not 0", p.name, v)
					}
				}
			}
		})
	}
}

// padded returns output and gradients with the given numbers of padding atoms and bonds.
func (c convolutionCase) padded(t *testing.T, double bool, atoms, bonds int) map[string][]float64 {
	t.Helper()
	l := newLab(t, 3, double)
	defer l.drop()
	host := c.host(l)
	layer, _ := c.layer(l)
	rows := host.atoms() + atoms
	h := l.leaf("h", 0, 1, int64(rows), int64(c.in)) // the last, so that all before are the same
	code := make([]uint8, len(host.Col)+bonds)
	for i := range host.Col {
		code[i] = category.BondCode(host.Bond[2*i], host.Bond[2*i+1])
	}
	end := int32(len(host.Col))
	v := &Level{
		rowptr: l.ints(append(host.RowPtr, slices.Repeat([]int32{end}, atoms)...)...),
		col:    l.ints(append(host.Col, make([]int32, bonds)...)...),
		code:   l.bytes(code...), group: l.ints(host.Group...), before: rows,
	}
	out, err := layer(h, v)
	y := l.must(out, err)
	kind := gotch.Float
	if double {
		kind = gotch.Double
	}
	cube := l.must(l.must(y.Mul(y, false)).Mul(y, false)) // 0 for padding
	if err := Backward(l.must(cube.Sum(kind, false))); err != nil {
		t.Fatal(err)
	}
	found := map[string][]float64{"output": l.read(y)}
	for _, name := range l.names {
		if found[name], err = Gradient(l.leaves[name]); err != nil {
			t.Fatal(err)
		}
	}
	return found
}

func TestErrorsOfConvolutions(t *testing.T) {
	locked(t, 2)
	l := newLab(t, 1, true)
	defer l.drop()
	host := molecules(l.r, [][]int{{3, 1}, {5}})
	g := l.graph(host)
	c := convolutionCase{kind: "gat", in: 4, width: 5, heads: 2}
	gat, n := c.layer(l)
	_, err := gat(l.leaf("x", 0, 1, 8, 4), g.Level(0))
	fails(t, err, "attention layer: h has shape [8, 4], not [9, any]")
	n.Var = l.leaf("x", 0, 1, 6)
	m := Convolution{&Mean{W: l.leaf("W", 0, 1, 5, 4), B: l.leaf("b", 0, 1, 5), E1: l.leaf("E1", 0, 1, 6, 5), E2: l.leaf("E2", 0, 1, 3, 5)}, n}
	h := l.leaf("h", 0, 1, 9, 4)
	_, err = m.Layer(h, g.Level(0), true, Mode{})
	fails(t, err, "mean layer: var has shape [6], not [5]")
	host.invent(l.r, []int{4, 5})
	_, err = m.Layer(h, l.graph(host).Level(0), true, Mode{})
	fails(t, err, "mean layer: it runs on atoms")
}
