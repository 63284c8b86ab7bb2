package matching

import (
	"math"
	"slices"
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/harness/modeltest"
	"pacia/ops"
)

// bench makes tensors in float64, with a gradient for leaves.
type bench struct {
	*testing.T
	s      *ops.Scope
	device ops.Device
}

// on runs f with a bench, on the loops for the CPU and on the kernels for a GPU.
func on(t *testing.T, name string, f func(*bench)) {
	t.Helper()
	modeltest.RunBoth(t, name, func(t *testing.T) {
		var s ops.Scope
		defer s.Drop()
		device, err := ops.ParseDevice(modeltest.Where())
		if err == nil {
			err = s.Run(func() { f(&bench{t, &s, device}) })
		}
		if err != nil {
			t.Fatal(err)
		}
	})
}

// leaf returns a parameter of the given shape, by default a vector.
func (b *bench) leaf(v []float64, shape ...int64) *ts.Tensor {
	return b.s.Keep(ops.NewParameter(v, shape, b.device))
}

func (b *bench) rows(v [][]float64) *ts.Tensor {
	return b.leaf(slices.Concat(v...), int64(len(v)), int64(len(v[0])))
}

func (b *bench) bytes(v []uint8) *ts.Tensor { return b.s.Keep(ops.Vector(v, b.device)) }

func (b *bench) read(x *ts.Tensor) []float64 {
	v, err := ops.ReadAs[float64](x)
	b.s.Check(err)
	return v
}

func (b *bench) gradient(x *ts.Tensor) []float64 {
	v, err := ops.Gradient(x)
	b.s.Check(err)
	return v
}

// loss returns the mean cross entropy of logits, and computes its gradients.
func (b *bench) loss(logits *ts.Tensor, labels []float64) float64 {
	weights := slices.Repeat([]float64{1 / float64(len(labels))}, len(labels))
	l := b.s.KeepLoss(ops.Loss(logits, b.bytes(classes(labels)), b.s.Keep(ops.Vector(weights, b.device)), nil, ops.LossLast, 1)).Loss
	b.s.Check(ops.Backward(l))
	return b.read(l)[0]
}

// active returns P(active) of logits.
func active(logits []float64) (p []float64) {
	for q := range len(logits) / 2 {
		p = append(p, 1/(1+math.Exp(logits[2*q]-logits[2*q+1])))
	}
	return p
}

func classes(labels []float64) []uint8 {
	c := make([]uint8, len(labels))
	for i, y := range labels {
		c[i] = uint8(y)
	}
	return c
}

// flat returns the numbers of nested lists, row-major, and their shape.
func flat(v any) (all []float64, shape []int64) {
	list, ok := v.([]any)
	if !ok {
		return []float64{v.(float64)}, nil
	}
	for _, e := range list {
		part, inner := flat(e)
		all, shape = append(all, part...), inner
	}
	return all, append([]int64{int64(len(list))}, shape...)
}

// transposed returns the numbers of a matrix of the given shape, column by column.
func transposed(v []float64, shape []int64) []float64 {
	t := make([]float64, 0, len(v))
	for c := range shape[1] {
		for r := range shape[0] {
			t = append(t, v[r*shape[1]+c])
		}
	}
	return t
}
