package pintuning

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/harness/opstest"
	"pacia/ops"
)

// adapterCase describes a layer followed by an adapter, on molecules in two groups, with or without a context.
type adapterCase struct {
	context, relu bool
	mode          ops.Mode
}

const adapterWidth, adapterInner = 4, 3

var adapterCases = []adapterCase{
	{true, true, ops.Mode{Training: true, Key: 3}},
	{true, false, ops.Mode{}},
	{false, true, ops.Mode{}},
	{true, true, ops.Mode{Training: true, Key: 3, Dropout: 0.3}},
}

func (c adapterCase) String() string {
	return fmt.Sprintf("context %t, training %t, dropout %v", c.context, c.mode.Training, c.mode.Dropout)
}

func newLayers(l *opstest.Lab, name string) bottleneck {
	return bottleneck{down: l.Leaf(name+".D", 0, 1, adapterInner, adapterWidth), bias: l.Leaf(name+".b", 0, 1, adapterInner),
		up: l.Leaf(name+".U", 0, 1, adapterWidth, adapterInner)}
}

func (c adapterCase) host(l *opstest.Lab) ops.HostGraph {
	return opstest.Molecules(l.Rand, [][]int{{3, 2}, {4, 1}})
}

func (c adapterCase) run(l *opstest.Lab) *ts.Tensor {
	g, d := l.Graph(c.host(l)), int64(adapterWidth)
	a := adapter{bottleneck: newLayers(l, "adapter"), offset: l.Leaf("offset", 0, 1, d), layer: ops.LayerNorm{Gamma: l.Leaf("layer γ",
		1, 0.3, d), Beta: l.Leaf("layer β", 0, 0.3, d)}}
	a.norm = l.Norm("norm", adapterWidth)
	var context *ts.Tensor
	if c.context {
		context = l.Must(adapterContext(l.Leaf("states", 0, 1, 4, 2*d), newLayers(l, "molecule"), newLayers(l, "target")))
	}
	return l.Must(a.next(l.Leaf("z", 0, 1, 10, d), context, g, c.relu, c.mode))
}

// through returns U ReLU(D x + b).
func through(l *opstest.Lab, name string, x []float64) []float64 {
	h := opstest.Affine(l.Values[name+".D"], l.Values[name+".b"], x)
	for i := range h {
		h[i] = max(0, h[i])
	}
	return opstest.Affine(l.Values[name+".U"], make([]float64, adapterWidth), h)
}

func (c adapterCase) byHand(l *opstest.Lab) []float64 {
	const d = adapterWidth
	var rows opstest.Matrix
	molecule := []int{0, 0, 0, 1, 1, 2, 2, 2, 2, 3}
	for v, z := range opstest.Rows(l.Values["z"], d) {
		y := opstest.Sum(z, through(l, "adapter", z), l.Values["offset"])
		if c.context {
			state := opstest.Rows(l.Values["states"], 2*d)[molecule[v]]
			y = opstest.Sum(y, through(l, "molecule", state[:d]), through(l, "target", state[d:]))
		}
		mean, square := 0.0, 0.0
		for _, x := range y {
			mean += x / d
		}
		for _, x := range y {
			square += (x - mean) * (x - mean) / d
		}
		for i := range y {
			y[i] = (y[i]-mean)/math.Sqrt(square+1e-5)*l.Values["layer γ"][i] + l.Values["layer β"][i]
		}
		rows = append(rows, y)
	}
	var mean, variance []float64 // of lab.norm
	for i := range d {
		mean, variance = append(mean, 0.1*float64(i+1)), append(variance, 1+0.5*float64(i))
	}
	for _, group := range []opstest.Matrix{rows[:5], rows[5:]} {
		opstest.NormByHand(group, l.Values["norm.gamma"], l.Values["norm.beta"], mean, variance, c.relu, c.mode.Training)
	}
	return slices.Concat(rows...)
}

// TestAdapterByHand compares values with a calculation by hand, and gradients with differences.
func TestAdapterByHand(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, c := range adapterCases {
		opstest.RunBoth(t, c.String(), func(t *testing.T) {
			opstest.CheckGradients(t, 2, c.run)
			if c.mode.Dropout == 0 {
				opstest.CheckAgainst(t, 2, c.run, c.byHand)
			}
		})
	}
}

// TestOperations checks the forms of the operations.
func TestOperations(t *testing.T) {
	all := opstest.Examples{}
	for i, c := range adapterCases {
		all.Add("adapter layer", c.String(), i+1, true, c.run)
		if c.context {
			all.Add("adapter context", c.String(), i+1, true, c.run)
		}
	}
	all.Check(t)
}
