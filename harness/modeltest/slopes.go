package modeltest

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pacia/data"
	"pacia/model"
	"pacia/ops"
)

// slopeStep is the step of differences. In float64 they then have rounding errors of
// 1e-10, and a second-order error of 1e-12.
const slopeStep = 1e-6

// Slope returns the slope of a step's loss in a random direction, computed from the
// gradients and from a difference of losses.
func Slope(t testing.TB, m *model.Model, r *rand.Rand, grads map[string][]float64, b *data.Batch) (slope, difference float64) {
	t.Helper()
	was, move := map[string][]float64{}, map[string][]float64{}
	for _, p := range m.Parameters() {
		was[p.Name] = Values(t, p)
		for i := range p.Size() {
			v := r.NormFloat64() / math.Sqrt(float64(p.Size()))
			move[p.Name] = append(move[p.Name], v)
			slope += v * grads[p.Name][i]
		}
	}
	shift := func(far float64) {
		for _, p := range m.Parameters() {
			v := slices.Clone(was[p.Name])
			for i := range v {
				v[i] += far * move[p.Name][i]
			}
			write(t, p, v)
		}
	}
	at := func(far float64) float64 {
		shift(far)
		return from(m.Backward(b, 1)).or(t)
	}
	difference = (at(slopeStep) - at(-slopeStep)) / (2 * slopeStep)
	shift(0)
	return slope, difference
}

// SlopeAt returns the slope of the loss of a step with the dropout key by entry i
// of a parameter, from a difference of losses.
func SlopeAt(t testing.TB, m *model.Model, p model.Parameter, i int, b *data.Batch, key uint64) float64 {
	t.Helper()
	v := Values(t, p)
	was := v[i]
	at := func(x float64) float64 {
		v[i] = x
		write(t, p, v)
		return from(m.Backward(b, key)).or(t)
	}
	difference := at(was+slopeStep) - at(was-slopeStep)
	v[i] = was
	write(t, p, v)
	return difference / (2 * slopeStep)
}

func write(t testing.TB, p model.Parameter, v []float64) {
	t.Helper()
	if err := ops.Write(p.Tensor, v); err != nil {
		t.Fatal(err)
	}
}
