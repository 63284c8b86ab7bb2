package ops_test

import (
	"math"
	"slices"
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/harness/opstest"
	"pacia/ops"
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

func (c distanceCase) run(l *opstest.Lab) *ts.Tensor {
	support, x := l.Leaf("support", 0, 1, int64(len(c.labels)), int64(c.d)), l.Leaf("x", 0, 1, int64(len(c.task)), int64(c.d))
	var factor *ts.Tensor
	if c.angles {
		factor = l.Leaf("factor", 3, 1, 1)
	}
	return l.Must(ops.Distances(x, support, l.Bytes(c.labels...), l.Ints(c.task...), factor, c.n))
}

func (c distanceCase) byHand(l *opstest.Lab) (logits []float64) {
	support, x := opstest.Rows(l.Values["support"], c.d), opstest.Rows(l.Values["x"], c.d)
	factor := 1.0
	if c.angles {
		factor = l.Values["factor"][0]
		for _, row := range slices.Concat(support, x) {
			copy(row, opstest.Times(1/math.Sqrt(opstest.Dot(row, row)), row))
		}
	}
	for q, task := range c.task {
		for class := range uint8(2) {
			count, mean := 0.0, make([]float64, c.d)
			for s := int(task) * c.n; s < int(task+1)*c.n; s++ {
				if c.labels[s] == class {
					count, mean = count+1, opstest.Sum(mean, support[s])
				}
			}
			apart := opstest.Sum(x[q], opstest.Times(-1/count, mean))
			logits = append(logits, -factor*opstest.Dot(apart, apart))
		}
	}
	return logits
}

func TestDistances(t *testing.T) {
	for name, c := range distanceCases {
		opstest.Run(t, name, func(t *testing.T) { opstest.CheckAgainst(t, 6, c.run, c.byHand) })
	}
}

// TestErrorsOfDistances breaks one input at a time.
func TestErrorsOfDistances(t *testing.T) {
	opstest.Refused(t, "distances to class means", map[string]opstest.Misshapen{
		"no support molecules": {Query: []int64{1, 3}, Support: []int64{2, 3}, Labels: []uint8{0, 1}, Task: []int32{0},
			Shots: 0},
		"queries has shape [1, 3], not [2, any]": {Query: []int64{1, 3}, Support: []int64{2, 3}, Labels: []uint8{0, 1}, Task: []int32{0, 0},
			Shots: 2},
		"support has shape [2, 4], not [any, 3]": {Query: []int64{1, 3}, Support: []int64{2, 4}, Labels: []uint8{0, 1}, Task: []int32{0},
			Shots: 2},
		"labels has shape [3], not [2]": {Query: []int64{1, 3}, Support: []int64{2, 3}, Labels: []uint8{0, 1, 1}, Task: []int32{0},
			Shots: 2},
		"shape '[-1, 3]' is invalid": {Query: []int64{1, 3}, Support: []int64{2, 3}, Labels: []uint8{0, 1}, Task: []int32{0},
			Shots: 3},
		"index out of range in self": {Query: []int64{1, 3}, Support: []int64{2, 3}, Labels: []uint8{0, 1}, Task: []int32{1},
			Shots: 2},
	}, func(_ *opstest.Lab, x, support, labels, task *ts.Tensor, c opstest.Misshapen) error {
		_, err := ops.Distances(x, support, labels, task, nil, c.Shots)
		return err
	})
}
