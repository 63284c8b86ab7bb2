package ops

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/sugarme/gotch/ts"
)

// adapterCase describes a layer followed by an adapter, on molecules in two groups, with or without a context.
type adapterCase struct {
	context, relu bool
	mode          Mode
}

const adapterWidth, adapterInner = 4, 3

var adapterCases = []adapterCase{
	{true, true, trainingMode},
	{true, false, Mode{}},
	{false, true, Mode{}},
	{true, true, Mode{Training: true, Key: 3, Dropout: 0.3}},
}

func (c adapterCase) String() string {
	return fmt.Sprintf("context %t, training %t, dropout %v", c.context, c.mode.Training, c.mode.Dropout)
}

func (l *lab) bottleneck(name string) Bottleneck {
	return Bottleneck{l.leaf(name+".D", 0, 1, adapterInner, adapterWidth), l.leaf(name+".b", 0, 1, adapterInner), l.leaf(name+".U", 0, 1, adapterWidth, adapterInner)}
}

func (c adapterCase) host(l *lab) HostGraph { return molecules(l.r, [][]int{{3, 2}, {4, 1}}) }

func (c adapterCase) run(l *lab) *ts.Tensor {
	g, d := l.graph(c.host(l)), int64(adapterWidth)
	a := Adapter{Bottleneck: l.bottleneck("adapter"), Offset: l.leaf("offset", 0, 1, d), Layer: LayerNorm{l.leaf("layer γ", 1, 0.3, d), l.leaf("layer β", 0, 0.3, d)}}
	n := l.norm("norm", adapterWidth)
	a.Norm = BatchNorm(n)
	var context *ts.Tensor
	if c.context {
		context = l.must(AdapterContext(l.leaf("states", 0, 1, 4, 2*d), l.bottleneck("molecule"), l.bottleneck("target")))
	}
	return l.must(a.Next(l.leaf("z", 0, 1, 10, d), context, g, c.relu, c.mode))
}

// through returns U ReLU(D x + b).
func (l *lab) through(name string, x []float64) []float64 {
	h := affine(l.values[name+".D"], l.values[name+".b"], x)
	for i := range h {
		h[i] = max(0, h[i])
	}
	return affine(l.values[name+".U"], make([]float64, adapterWidth), h)
}

func (c adapterCase) byHand(l *lab) []float64 {
	const d = adapterWidth
	var rows matrix
	molecule := []int{0, 0, 0, 1, 1, 2, 2, 2, 2, 3}
	for v, z := range matrixOf(l.values["z"], d) {
		y := sum(z, l.through("adapter", z), l.values["offset"])
		if c.context {
			state := matrixOf(l.values["states"], 2*d)[molecule[v]]
			y = sum(y, l.through("molecule", state[:d]), l.through("target", state[d:]))
		}
		mean, square := 0.0, 0.0
		for _, x := range y {
			mean += x / d
		}
		for _, x := range y {
			square += (x - mean) * (x - mean) / d
		}
		for i := range y {
			y[i] = (y[i]-mean)/math.Sqrt(square+1e-5)*l.values["layer γ"][i] + l.values["layer β"][i]
		}
		rows = append(rows, y)
	}
	var mean, variance []float64 // of lab.norm
	for i := range d {
		mean, variance = append(mean, 0.1*float64(i+1)), append(variance, 1+0.5*float64(i))
	}
	for _, group := range []matrix{rows[:5], rows[5:]} {
		normByHand(group, l.values["norm.gamma"], l.values["norm.beta"], mean, variance, ginCase{relu: c.relu, mode: c.mode})
	}
	return slices.Concat(rows...)
}

// TestAdapter compares values with a calculation by hand, and gradients with differences.
func TestAdapter(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, c := range adapterCases {
		runBoth(t, c.String(), func(t *testing.T) {
			checkGradients(t, 2, c.run)
			if c.mode.Dropout == 0 {
				checkAgainst(t, 2, c.run, c.byHand)
			}
		})
	}
}
