package ops

import (
	"math"
	"slices"
	"testing"

	"github.com/sugarme/gotch/ts"
)

// distanceCase describes queries of tasks with n support molecules of width d.
type distanceCase struct {
	labels []uint8
	task   []int32
	n, d   int
	angles bool
}

var distanceCases = map[string]distanceCase{
	"one task":                   {[]uint8{0, 0, 1, 1}, []int32{0, 0, 0}, 4, 5, false},
	"classes of different sizes": {[]uint8{0, 1, 0, 0, 0, 1, 1, 1, 0, 1}, []int32{1, 0, 1}, 5, 4, false},
	"one of each class":          {[]uint8{1, 0, 0, 1, 0, 1}, []int32{2, 0, 1, 0}, 2, 3, false},
	"one number":                 {[]uint8{0, 1}, []int32{0}, 2, 1, false},
	"angles":                     {[]uint8{0, 1, 0, 0, 0, 1, 1, 1, 0, 1}, []int32{1, 0, 1}, 5, 4, true},
}

func (c distanceCase) run(l *lab) *ts.Tensor {
	support, x := l.leaf("support", 0, 1, int64(len(c.labels)), int64(c.d)), l.leaf("x", 0, 1, int64(len(c.task)), int64(c.d))
	var factor *ts.Tensor
	if c.angles {
		factor = l.leaf("factor", 3, 1, 1)
	}
	return l.must(Distances(x, support, l.bytes(c.labels...), l.ints(c.task...), factor, c.n))
}

func (c distanceCase) byHand(l *lab) (logits []float64) {
	support, x := matrixOf(l.values["support"], c.d), matrixOf(l.values["x"], c.d)
	factor := 1.0
	if c.angles {
		factor = l.values["factor"][0]
		for _, row := range slices.Concat(support, x) {
			copy(row, times(1/math.Sqrt(dot(row, row)), row))
		}
	}
	for q, task := range c.task {
		for class := range uint8(2) {
			count, mean := 0.0, make([]float64, c.d)
			for s := int(task) * c.n; s < int(task+1)*c.n; s++ {
				if c.labels[s] == class {
					count, mean = count+1, sum(mean, support[s])
				}
			}
			apart := sum(x[q], times(-1/count, mean))
			logits = append(logits, -factor*dot(apart, apart))
		}
	}
	return logits
}

func TestDistances(t *testing.T) {
	for name, c := range distanceCases {
		run(t, name, func(t *testing.T) { checkAgainst(t, 6, c.run, c.byHand) })
	}
}

// TestErrorsOfDistances breaks one input at a time.
func TestErrorsOfDistances(t *testing.T) {
	refused(t, "distances to class means", map[string]misshapen{
		"no support molecules":                   {[]int64{1, 3}, []int64{2, 3}, []uint8{0, 1}, []int32{0}, 0},
		"queries has shape [1, 3], not [2, any]": {[]int64{1, 3}, []int64{2, 3}, []uint8{0, 1}, []int32{0, 0}, 2},
		"support has shape [2, 4], not [any, 3]": {[]int64{1, 3}, []int64{2, 4}, []uint8{0, 1}, []int32{0}, 2},
		"labels has shape [3], not [2]":          {[]int64{1, 3}, []int64{2, 3}, []uint8{0, 1, 1}, []int32{0}, 2},
		"shape '[-1, 3]' is invalid":             {[]int64{1, 3}, []int64{2, 3}, []uint8{0, 1}, []int32{0}, 3},
		"index out of range in self":             {[]int64{1, 3}, []int64{2, 3}, []uint8{0, 1}, []int32{1}, 2},
	}, func(_ *lab, x, support, labels, task *ts.Tensor, c misshapen) error {
		_, err := Distances(x, support, labels, task, nil, c.n)
		return err
	})
}
