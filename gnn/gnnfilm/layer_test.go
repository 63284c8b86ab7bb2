package gnnfilm

import (
	"math"
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/gnn"
	"pacia/harness/opstest"
	"pacia/ops"
)

// gnnFiLMCase describes a batch and the form of a layer.
type gnnFiLMCase struct {
	atoms          []int // of each molecule
	width          int
	activation     gnn.Activation
	between, dense bool
	mode           ops.Mode
}

var gnnFiLMCases = map[string]gnnFiLMCase{
	"elu":                 {[]int{3, 1, 6, 2}, 5, gnn.ActivationELU, false, false, ops.Mode{Dropout: 0.5}},
	"relu, dense":         {[]int{3, 1, 6, 2}, 5, gnn.ActivationReLU, false, true, ops.Mode{Training: true}},
	"tanh, between":       {[]int{5, 4}, 4, gnn.ActivationTanh, true, false, ops.Mode{}},
	"dropout, all":        {[]int{5, 2}, 3, gnn.ActivationELU, true, true, ops.Mode{Training: true, Dropout: 0.4, Key: 0xfedcba9876543210}},
	"atoms without bonds": {[]int{1, 1}, 4, gnn.ActivationELU, true, false, ops.Mode{}},
	"many": {opstest.Sizes(opstest.New(nil, 9, true).Rand, 60), 70, gnn.ActivationELU, true, true, ops.Mode{Training: true,
		Dropout: 0.3, Key: 7}},
}

// newLayer makes the leaves of a layer.
func newLayer(l *opstest.Lab, c gnnFiLMCase) *filmLayer {
	d := int64(c.width)
	norm := func(name string) ops.LayerNorm {
		return ops.LayerNorm{Gamma: l.Leaf("γ "+name, 1, 0.3, d), Beta: l.Leaf("β "+name, 0, 0.3, d)}
	}
	layer := &filmLayer{activation: c.activation,
		messages:   l.Leaf("W", 0, 0.5, 4, d, d),
		modulation: l.Leaf("F", 0, 0.5, 4, 2*d, d),
		norm:       norm("norm"),
	}
	if c.between {
		layer.between = norm("between")
	}
	if c.dense {
		layer.dense = l.Leaf("D", 0, 0.5, d, d)
	}
	return layer
}

func (c gnnFiLMCase) run(l *opstest.Lab) *ts.Tensor {
	host := opstest.Molecules(l.Rand, [][]int{c.atoms})
	g := l.Features(host)
	h := l.Leaf("h", 0, 1, int64(opstest.Atoms(&host)), int64(c.width))
	return l.Must(newLayer(l, c).layer(h, g, c.mode))
}

// TestGNNFiLMByHand calculates the layers in plain Go, bond by bond.
func TestGNNFiLMByHand(t *testing.T) {
	for name, c := range gnnFiLMCases {
		if c.mode.Training && c.mode.Dropout > 0 {
			continue
		}
		opstest.RunBoth(t, name, func(t *testing.T) {
			l := opstest.New(t, 3, true)
			defer l.Drop()
			host := opstest.Molecules(l.Rand, [][]int{c.atoms})
			g := l.Features(host)
			h := l.Leaf("h", 0, 1, int64(opstest.Atoms(&host)), int64(c.width))
			out := l.Must(newLayer(l, c).layer(h, g, c.mode))
			opstest.Near(t, "output", l.Read(out), c.byHand(l, host), 1e-11)
		})
	}
}

// byHand computes the layer from the leaves of l.
func (c gnnFiLMCase) byHand(l *opstest.Lab, host ops.HostGraph) (out []float64) {
	d, h := c.width, l.Values["h"]
	row := func(v int) []float64 { return h[v*d : (v+1)*d] }
	product := func(name string, kind, out int, x []float64) []float64 {
		y, w := make([]float64, out), l.Values[name][kind*out*d:]
		for i := range y {
			for j := range d {
				y[i] += w[i*d+j] * x[j]
			}
		}
		return y
	}
	for v := range opstest.Atoms(&host) {
		sum := make([]float64, d)
		message := func(u, kind int) {
			x, by := product("W", kind, d, row(u)), product("F", kind, 2*d, row(v))
			for i := range sum {
				sum[i] += c.active(by[i]*x[i] + by[d+i])
			}
		}
		for k := host.RowPtr[v]; k < host.RowPtr[v+1]; k++ {
			message(int(host.Col[k]), int(host.Bond[2*k])%3)
		}
		message(v, 3)
		y := normed(sum, l.Values["γ norm"], l.Values["β norm"])
		if c.between {
			y = normed(y, l.Values["γ between"], l.Values["β between"])
		}
		if c.dense {
			y = product("D", 0, d, y)
			for i := range y {
				y[i] = math.Tanh(y[i])
			}
		}
		out = append(out, y...)
	}
	return out
}

func (c gnnFiLMCase) active(z float64) float64 {
	switch c.activation {
	case gnn.ActivationELU:
		return max(z, 0) + math.Expm1(min(z, 0))
	case gnn.ActivationReLU:
		return max(z, 0)
	default:
		return math.Tanh(z)
	}
}

// normed returns the layer norm of x.
func normed(x, gamma, beta []float64) []float64 {
	mean, variance, n := 0.0, 0.0, float64(len(x))
	for _, v := range x {
		mean += v / n
	}
	for _, v := range x {
		variance += (v - mean) * (v - mean) / n
	}
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = (v-mean)/math.Sqrt(variance+1e-12)*gamma[i] + beta[i]
	}
	return y
}

// TestGNNFiLMThreads: gradients are summed in the same order on any number of threads.
func TestGNNFiLMThreads(t *testing.T) {
	opstest.SameOnThreads(t, gnnFiLMCases["many"].run)
}

func TestErrorsOfGNNFiLM(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(l *opstest.Lab, p *filmLayer, h **ts.Tensor)
		words string
	}{
		"atoms":    {func(l *opstest.Lab, _ *filmLayer, h **ts.Tensor) { *h = l.Leaf("x", 0, 1, 8, 3) }, "h has shape [8, 3], not [9, any]"},
		"messages": {func(_ *opstest.Lab, p *filmLayer, _ **ts.Tensor) { p.messages = p.dense }, "W of the messages has shape [3, 3]"},
		"modulation": {func(_ *opstest.Lab, p *filmLayer, _ **ts.Tensor) { p.modulation = p.messages },
			"F of the messages has shape [4, 3, 3], not [4, 6, 3]"},
		"norm":       {func(_ *opstest.Lab, p *filmLayer, _ **ts.Tensor) { p.norm.Beta = p.dense }, "the layer norm has shape [3, 3], not [3]"},
		"between":    {func(_ *opstest.Lab, p *filmLayer, _ **ts.Tensor) { p.between.Beta = nil }, "the layer norm between layers is missing"},
		"dense":      {func(_ *opstest.Lab, p *filmLayer, _ **ts.Tensor) { p.dense = p.norm.Beta }, "D has shape [3], not [3, 3]"},
		"activation": {func(_ *opstest.Lab, p *filmLayer, _ **ts.Tensor) { p.activation = 9 }, "unknown activation"},
		"types": {func(l *opstest.Lab, p *filmLayer, _ **ts.Tensor) {
			p.messages, p.modulation = l.Leaf("w", 0, 1, 1, 3, 3), l.Leaf("f", 0, 1, 1, 6, 3)
		}, "out of range of 0 to -1"},
	} {
		opstest.Run(t, name, func(t *testing.T) {
			l := opstest.New(t, 1, true)
			defer l.Drop()
			g := l.Features(opstest.Molecules(l.Rand, [][]int{{3, 1}, {5}}))
			h, layer := l.Leaf("h", 0, 1, 9, 3), newLayer(l, gnnFiLMCase{width: 3, between: true, dense: true})
			c.spoil(l, layer, &h)
			_, err := layer.layer(h, g, ops.Mode{})
			opstest.Fails(t, err, "gnn-film layer: ", c.words)
		})
	}
}

// TestOperations checks the forms of the operations.
func TestOperations(t *testing.T) {
	all := opstest.Examples{}
	for name, c := range gnnFiLMCases {
		all.Add("gnn-film layer", name, 3, c.width < 10, c.run)
	}
	all.Add("gnn-film embedding", "one feature", 1, true, func(l *opstest.Lab) *ts.Tensor {
		g := l.Features(opstest.Molecules(l.Rand, [][]int{{3, 1, 4}}))
		return l.Must(embed(g, l.Leaf("W", 0, 1, 5, 1), ops.Mode{Training: true, Dropout: 0.3, Key: 4}))
	})
	all.Check(t)
}
