package mat

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/harness/opstest"
	"pacia/ops"
)

// matCase describes a batch of molecules and the size of a layer.
type matCase struct {
	nodes        []int // of each molecule
	width, heads int
	last         bool
}

var matCases = map[string]matCase{
	"two heads":        {[]int{3, 5, 2, 4, 5}, 6, 2, false},
	"last layer":       {[]int{4, 3}, 6, 3, true},
	"one head":         {[]int{2, 6}, 4, 1, false},
	"lone dummies":     {[]int{1, 1, 2}, 4, 2, true},
	"different blocks": {[]int{2, 12, 3, 11, 1}, 4, 2, false},
}

// space makes a graph with random distances and bonds. The first node of a molecule is a
// dummy, far from all others and without bonds, also to itself.
func space(l *opstest.Lab, nodes []int, features int) (spaceGraph, *ops.Graph) {
	l.Helper()
	h := spaceGraph{molPtr: []int32{0}, group: []int32{0}}
	for _, s := range nodes {
		adjacency, distance := make([]float64, s*s), make([]float64, s*s)
		for i := range s {
			for j := range i + 1 {
				d, a := 0.5+3*l.Rand.Float64(), float64(l.Rand.IntN(2))
				switch {
				case j == 0:
					d, a = 1e6, 0
				case i == j:
					d, a = 0, 1
				}
				distance[i*s+j], distance[j*s+i], adjacency[i*s+j], adjacency[j*s+i] = d, d, a, a
			}
		}
		h.fixed = appendFixed(h.fixed, adjacency, distance, s)
		h.molPtr = append(h.molPtr, h.molPtr[len(h.molPtr)-1]+int32(s))
	}
	all := h.molPtr[len(nodes)]
	h.group = append(h.group, 0, all)
	for range int(all) * features {
		h.features = append(h.features, float32(l.Rand.NormFloat64()))
	}
	g, err := newSpaceGraph(h, opstest.Device)
	if err != nil {
		l.Fatal(err)
	}
	l.Graphs = append(l.Graphs, g)
	return h, g
}

func newLayer(l *opstest.Lab, d, heads int, last bool) *attentionLayer {
	norm := func(name string) ops.LayerNorm {
		return ops.LayerNorm{Gamma: l.Leaf(name+".γ", 1, 0.3, int64(d)), Beta: l.Leaf(name+".β", 0, 0.3, int64(d))}
	}
	m := &attentionLayer{heads: heads, before: norm("before"), qkv: l.Linear("qkv", d, 3*d, true, 0), out: l.Linear("out", d, d, true, 0),
		between: norm("between"), dense: l.Linear("dense", d, d, true, 0)}
	if last {
		m.after = norm("after")
	}
	return m
}

func (c matCase) run(l *opstest.Lab) *ts.Tensor {
	h, g := space(l, c.nodes, 1)
	x := l.Leaf("h", 0, 1, int64(h.molPtr[len(c.nodes)]), int64(c.width))
	return l.Must(newLayer(l, c.width, c.heads, c.last).layer(x, g))
}

// byHand computes the layer node by node.
func (c matCase) byHand(l *opstest.Lab) (out []float64) {
	again := opstest.New(l.T, 0, true)
	again.Rand = opstest.New(nil, 6, true).Rand // the seed of run
	defer again.Drop()
	h, _ := space(again, c.nodes, 1)
	x, d := opstest.Rows(l.Values["h"], c.width), c.width
	norm := func(name string, x []float64) []float64 {
		mean, square := 0.0, 0.0
		for _, v := range x {
			mean += v / float64(d)
		}
		for _, v := range x {
			square += (v - mean) * (v - mean) / float64(d-1)
		}
		y := make([]float64, d)
		for i := range y {
			y[i] = l.Values[name+".γ"][i]*(x[i]-mean)/(math.Sqrt(square)+1e-6) + l.Values[name+".β"][i]
		}
		return y
	}
	dense := func(name string, x []float64) []float64 {
		return opstest.Affine(l.Values[name+".W"], l.Values[name+".b"], x)
	}
	fixed := h.fixed
	for m, s := range c.nodes {
		states := x[h.molPtr[m]:h.molPtr[m+1]]
		qkv := make(opstest.Matrix, s)
		for i := range qkv {
			qkv[i] = dense("qkv", norm("before", states[i]))
		}
		for i := range states {
			y := opstest.Sum(states[i], dense("out", c.taken(qkv, fixed, i)))
			z := dense("dense", norm("between", y))
			for k := range z {
				y[k] += max(z[k], 0.1*z[k])
			}
			if c.last {
				y = norm("after", y)
			}
			out = append(out, y...)
		}
		fixed = fixed[s*s:]
	}
	return out
}

// taken returns the weighted sum over all nodes for node i, with the heads concatenated.
func (c matCase) taken(qkv opstest.Matrix, fixed []float64, i int) (out []float64) {
	d, w, s := c.width, c.width/c.heads, len(qkv)
	for head := range c.heads {
		at := head * w
		p, all := make([]float64, s), 0.0
		for j := range p {
			p[j] = math.Exp(opstest.Dot(qkv[i][at:at+w], qkv[j][d+at:d+at+w]) / math.Sqrt(float64(w)))
			all += p[j]
		}
		o := make([]float64, w)
		for j := range p {
			o = opstest.Sum(o, opstest.Times(0.33*p[j]/all+fixed[i*s+j], qkv[j][2*d+at:2*d+at+w]))
		}
		out = append(out, o...)
	}
	return out
}

func TestMAT(t *testing.T) {
	for name, c := range matCases {
		opstest.Run(t, name, func(t *testing.T) { opstest.CheckAgainst(t, 6, c.run, c.byHand) })
	}
}

// TestFixed: bonds are divided by their number, and distances are not.
func TestFixed(t *testing.T) {
	got := appendFixed([]float64{7}, []float64{0, 0, 0, 0, 1, 1, 0, 1, 1}, []float64{1e6, 1e6, 1e6, 1e6, 0, 1.5, 1e6, 1.5, 0}, 3)
	bond := 0.34 / 2.000001
	near1 := 0.33*math.Exp(-1.5) + bond
	opstest.Near(t, "F", got, []float64{7, 0, 0, 0, 0, 0.33 + bond, near1, 0, near1, 0.33 + bond}, 1e-15)
}

// TestMoleculeAlone: the vectors of a molecule's nodes do not depend on the other
// molecules of its batch.
func TestMoleculeAlone(t *testing.T) {
	opstest.Locked(t, 2)
	const d = 4
	l := opstest.New(t, 3, true)
	defer l.Drop()
	h, all := space(l, []int{3, 30, 7}, 2)
	layer, embed := newLayer(l, d, 2, true), l.Linear("embed", 2, d, true, 0)
	states := func(g *ops.Graph) []float64 {
		return l.Read(l.Must(layer.layer(l.Must(embedNodes(g, embed)), g)))
	}
	together := states(all)
	pairs := h.fixed
	for m := range 3 {
		first, last := h.molPtr[m], h.molPtr[m+1]
		s := int(last - first)
		alone, err := newSpaceGraph(spaceGraph{features: h.features[2*first : 2*last], molPtr: []int32{0, last - first},
			fixed: pairs[:s*s]}, opstest.Device)
		if err != nil {
			t.Fatal(err)
		}
		opstest.Near(t, fmt.Sprint("molecule ", m), states(alone), together[d*first:d*last], 1e-12)
		alone.Drop()
		pairs = pairs[s*s:]
	}
}

// TestBlocks: every molecule is in one block, and no molecule of a block is smaller than 4/5 of the largest.
func TestBlocks(t *testing.T) {
	l := opstest.New(t, 1, true)
	h := spaceGraph{molPtr: []int32{0}}
	for range 3000 {
		h.molPtr = append(h.molPtr, h.molPtr[len(h.molPtr)-1]+1+int32(l.Rand.IntN(120)))
	}
	seen := make([]int, 3000)
	for _, block := range h.blocks() {
		largest := h.size(block[0])
		if n := len(block); n > 1 && n*largest*largest > blockPairs {
			t.Errorf("a block of %d molecules of %d nodes", n, largest)
		}
		for _, m := range block {
			seen[m]++
			if s := h.size(m); s > largest || 5*s < 4*largest {
				t.Errorf("%d nodes beside %d", s, largest)
			}
		}
	}
	if slices.Max(seen) != 1 || slices.Min(seen) != 1 {
		t.Error("a molecule is in no block or in two")
	}
}

func TestErrorsOfMAT(t *testing.T) {
	opstest.Locked(t, 2)
	for words, spoil := range map[string]func(l *opstest.Lab, m *attentionLayer, h **ts.Tensor){
		"a width of 6 is not a multiple of 4 heads": func(_ *opstest.Lab, m *attentionLayer, _ **ts.Tensor) { m.heads = 4 },
		"places has shape [5], not [6]": func(l *opstest.Lab, _ *attentionLayer, h **ts.Tensor) {
			*h = l.Leaf("x", 0, 1,
				6, 6)
		},
		"W of queries, keys and values has shape [6, 6], not [18, 6]": func(_ *opstest.Lab, m *attentionLayer, _ **ts.Tensor) { m.qkv = m.out },
		"W of the heads has shape [18, 6], not [6, 6]":                func(_ *opstest.Lab, m *attentionLayer, _ **ts.Tensor) { m.out = m.qkv },
		"W of the dense layer has shape [18, 6], not [6, 6]":          func(_ *opstest.Lab, m *attentionLayer, _ **ts.Tensor) { m.dense = m.qkv },
	} {
		l := opstest.New(t, 1, true)
		_, g := space(l, []int{2, 3}, 1)
		m, h := newLayer(l, 6, 2, false), l.Leaf("h", 0, 1, 5, 6)
		spoil(l, m, &h)
		_, err := m.layer(h, g)
		opstest.Fails(t, err, "molecule attention layer: ", words)
		l.Drop()
	}
}

// TestOperations checks the forms of the operations.
func TestOperations(t *testing.T) {
	all := opstest.Examples{}
	all.Add("embed nodes", "two features", 1, true, func(l *opstest.Lab) *ts.Tensor {
		_, g := space(l, []int{2, 3}, 2)
		return l.Must(embedNodes(g, l.Linear("embed", 2, 4, true, 0)))
	})
	for name, c := range matCases {
		all.Add("molecule attention layer", name, 6, true, c.run)
	}
	all.Check(t)
}
