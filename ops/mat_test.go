package ops

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/sugarme/gotch/ts"
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
func (l *lab) space(nodes []int, features int) (SpaceGraph, *Graph) {
	l.Helper()
	h := SpaceGraph{MolPtr: []int32{0}, Group: []int32{0}}
	for _, s := range nodes {
		adjacency, distance := make([]float64, s*s), make([]float64, s*s)
		for i := range s {
			for j := range i + 1 {
				d, a := 0.5+3*l.r.Float64(), float64(l.r.IntN(2))
				switch {
				case j == 0:
					d, a = 1e6, 0
				case i == j:
					d, a = 0, 1
				}
				distance[i*s+j], distance[j*s+i], adjacency[i*s+j], adjacency[j*s+i] = d, d, a, a
			}
		}
		h.Fixed = AppendFixed(h.Fixed, adjacency, distance, s)
		h.MolPtr = append(h.MolPtr, h.MolPtr[len(h.MolPtr)-1]+int32(s))
	}
	all := h.MolPtr[len(nodes)]
	h.Group = append(h.Group, 0, all)
	for range int(all) * features {
		h.Features = append(h.Features, float32(l.r.NormFloat64()))
	}
	g, err := NewSpaceGraph(h, where)
	if err != nil {
		l.Fatal(err)
	}
	l.made = append(l.made, g.owned...)
	return h, g
}

func (l *lab) mat(d, heads int, last bool) *MAT {
	norm := func(name string) LayerNorm {
		return LayerNorm{l.leaf(name+".γ", 1, 0.3, int64(d)), l.leaf(name+".β", 0, 0.3, int64(d))}
	}
	m := &MAT{Heads: heads, Before: norm("before"), QKV: l.linear("qkv", d, 3*d, true, 0), Out: l.linear("out", d, d, true, 0),
		Between: norm("between"), Dense: l.linear("dense", d, d, true, 0)}
	if last {
		m.After = norm("after")
	}
	return m
}

func (c matCase) run(l *lab) *ts.Tensor {
	h, g := l.space(c.nodes, 1)
	x := l.leaf("h", 0, 1, int64(h.MolPtr[len(c.nodes)]), int64(c.width))
	return l.must(l.mat(c.width, c.heads, c.last).Layer(x, g))
}

// byHand computes the layer node by node.
func (c matCase) byHand(l *lab) (out []float64) {
	again := newLab(l.T, 0, true)
	again.r = newLab(nil, 6, true).r // the seed of run
	defer again.drop()
	h, _ := again.space(c.nodes, 1)
	x, d := matrixOf(l.values["h"], c.width), c.width
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
			y[i] = l.values[name+".γ"][i]*(x[i]-mean)/(math.Sqrt(square)+1e-6) + l.values[name+".β"][i]
		}
		return y
	}
	dense := func(name string, x []float64) []float64 { return affine(l.values[name+".W"], l.values[name+".b"], x) }
	fixed := h.Fixed
	for m, s := range c.nodes {
		states := x[h.MolPtr[m]:h.MolPtr[m+1]]
		qkv := make(matrix, s)
		for i := range qkv {
			qkv[i] = dense("qkv", norm("before", states[i]))
		}
		for i := range states {
			y := sum(states[i], dense("out", c.taken(qkv, fixed, i)))
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
func (c matCase) taken(qkv matrix, fixed []float64, i int) (out []float64) {
	d, w, s := c.width, c.width/c.heads, len(qkv)
	for head := range c.heads {
		at := head * w
		p, all := make([]float64, s), 0.0
		for j := range p {
			p[j] = math.Exp(dot(qkv[i][at:at+w], qkv[j][d+at:d+at+w]) / math.Sqrt(float64(w)))
			all += p[j]
		}
		o := make([]float64, w)
		for j := range p {
			o = sum(o, times(0.33*p[j]/all+fixed[i*s+j], qkv[j][2*d+at:2*d+at+w]))
		}
		out = append(out, o...)
	}
	return out
}

func TestMAT(t *testing.T) {
	for name, c := range matCases {
		run(t, name, func(t *testing.T) { checkAgainst(t, 6, c.run, c.byHand) })
	}
}

// TestFixed: bonds are divided by their number, and distances are not.
func TestFixed(t *testing.T) {
	got := AppendFixed([]float64{7}, []float64{0, 0, 0, 0, 1, 1, 0, 1, 1}, []float64{1e6, 1e6, 1e6, 1e6, 0, 1.5, 1e6, 1.5, 0}, 3)
	bond := 0.34 / 2.000001
	near1 := 0.33*math.Exp(-1.5) + bond
	near(t, "F", got, []float64{7, 0, 0, 0, 0, 0.33 + bond, near1, 0, near1, 0.33 + bond}, 1e-15)
}

// TestMoleculeAlone: the vectors of a molecule's nodes do not depend on the other
// molecules of its batch.
func TestMoleculeAlone(t *testing.T) {
	locked(t, 2)
	const d = 4
	l := newLab(t, 3, true)
	defer l.drop()
	h, all := l.space([]int{3, 30, 7}, 2)
	layer, embed := l.mat(d, 2, true), l.linear("embed", 2, d, true, 0)
	states := func(g *Graph) []float64 {
		return l.read(l.must(layer.Layer(l.must(EmbedNodes(g, embed)), g)))
	}
	together := states(all)
	pairs := h.Fixed
	for m := range 3 {
		first, last := h.MolPtr[m], h.MolPtr[m+1]
		s := int(last - first)
		alone, err := NewSpaceGraph(SpaceGraph{Features: h.Features[2*first : 2*last], MolPtr: []int32{0, last - first}, Fixed: pairs[:s*s]}, where)
		if err != nil {
			t.Fatal(err)
		}
		near(t, fmt.Sprint("molecule ", m), states(alone), together[d*first:d*last], 1e-12)
		alone.Drop()
		pairs = pairs[s*s:]
	}
}

// TestBlocks: every molecule is in one block, and no molecule of a block is smaller than 4/5 of the largest.
func TestBlocks(t *testing.T) {
	l := newLab(t, 1, true)
	h := SpaceGraph{MolPtr: []int32{0}}
	for range 3000 {
		h.MolPtr = append(h.MolPtr, h.MolPtr[len(h.MolPtr)-1]+1+int32(l.r.IntN(120)))
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
	locked(t, 2)
	for words, spoil := range map[string]func(l *lab, m *MAT, h **ts.Tensor){
		"a width of 6 is not a multiple of 4 heads":                   func(_ *lab, m *MAT, _ **ts.Tensor) { m.Heads = 4 },
		"places has shape [5], not [6]":                               func(l *lab, _ *MAT, h **ts.Tensor) { *h = l.leaf("x", 0, 1, 6, 6) },
		"W of queries, keys and values has shape [6, 6], not [18, 6]": func(_ *lab, m *MAT, _ **ts.Tensor) { m.QKV = m.Out },
		"W of the heads has shape [18, 6], not [6, 6]":                func(_ *lab, m *MAT, _ **ts.Tensor) { m.Out = m.QKV },
		"W of the dense layer has shape [18, 6], not [6, 6]":          func(_ *lab, m *MAT, _ **ts.Tensor) { m.Dense = m.QKV },
	} {
		l := newLab(t, 1, true)
		_, g := l.space([]int{2, 3}, 1)
		m, h := l.mat(6, 2, false), l.leaf("h", 0, 1, 5, 6)
		spoil(l, m, &h)
		_, err := m.Layer(h, g)
		fails(t, err, "molecule attention layer: ", words)
		l.drop()
	}
	for words, h := range map[string]SpaceGraph{
		"a batch without molecules":          {MolPtr: []int32{0}},
		"3 features do not go with 2 nodes":  {MolPtr: []int32{0, 2}, Features: make([]float32, 3), Fixed: make([]float64, 4)},
		"molecule 1 has no nodes":            {MolPtr: []int32{0, 2, 2}, Features: make([]float32, 2), Fixed: make([]float64, 4)},
		"3 numbers for 4 pairs of nodes":     {MolPtr: []int32{0, 2}, Features: make([]float32, 2), Fixed: make([]float64, 3)},
		"Group does not ascend from 0 to 2":  {MolPtr: []int32{0, 2}, Group: []int32{0, 1}, Features: make([]float32, 2), Fixed: make([]float64, 4)},
		"MolPtr does not ascend from 0 to 2": {MolPtr: []int32{0, 3, 2}, Features: make([]float32, 2), Fixed: make([]float64, 4)},
	} {
		_, err := NewSpaceGraph(h, where)
		fails(t, err, "graph: ", words)
	}
}
