package ops_test

import (
	"math"
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/harness/opstest"
	"pacia/ops"
)

// taskLogitsCase describes molecules of width d with the classifiers of several tasks.
type taskLogitsCase struct {
	task     []int32
	tasks, d int
	unit     bool
	pairs    bool
}

var taskLogitsCases = map[string]taskLogitsCase{
	"small":        {[]int32{2, 0, 2, 1}, 4, 5, false, false},
	"of length 1":  {[]int32{2, 0, 2, 1}, 4, 5, true, false},
	"both classes": {[]int32{2, 0, 2, 1}, 3, 5, true, true},
	"one number":   {[]int32{0}, 1, 1, false, false},
	"many":         {manyTasks(700, 9), 9, 70, false, true},
}

func manyTasks(n, tasks int) []int32 {
	task := make([]int32, n)
	for i := range task {
		task[i] = int32(i * i % tasks)
	}
	return task
}

func (c taskLogitsCase) run(l *opstest.Lab) *ts.Tensor {
	x := l.Leaf("x", 0, 1, int64(len(c.task)), int64(c.d))
	var factor *ts.Tensor
	if c.unit {
		factor = l.Leaf("factor", 3, 1, 1)
	}
	rows := int64(c.tasks)
	if c.pairs {
		rows *= 2
	}
	return l.Must(ops.TaskLogits(x, l.Leaf("W", 0, 1, rows, int64(c.d)), l.Leaf("b", 0, 1, rows), l.Ints(c.task...), factor, c.pairs, false))
}

func (c taskLogitsCase) byHand(l *opstest.Lab) (logits []float64) {
	x, w := opstest.Rows(l.Values["x"], c.d), opstest.Rows(l.Values["W"], c.d)
	for i, t := range c.task {
		factor, length := 1.0, 1.0
		if c.unit {
			factor, length = l.Values["factor"][0], math.Sqrt(opstest.Dot(x[i], x[i]))
		}
		of := func(row int32) float64 { return factor * (opstest.Dot(x[i], w[row])/length + l.Values["b"][row]) }
		if c.pairs {
			logits = append(logits, of(2*t), of(2*t+1))
		} else {
			logits = append(logits, 0, of(t))
		}
	}
	return logits
}

func TestTaskLogits(t *testing.T) {
	for name, c := range taskLogitsCases {
		opstest.Run(t, name, func(t *testing.T) { opstest.CheckAgainst(t, 7, c.run, c.byHand) })
	}
}

func TestErrorsOfTaskLogits(t *testing.T) {
	opstest.Locked(t, 2)
	for words, c := range map[string]struct {
		w    []int64
		b    int64
		task []int32
	}{
		"W has shape [4, 2], not [any, 3]": {[]int64{4, 2}, 4, []int32{0, 1}},
		"b has shape [3], not [4]":         {[]int64{4, 3}, 3, []int32{0, 1}},
		"tasks has shape [1], not [2]":     {[]int64{4, 3}, 4, []int32{0}},
		"4":                                {[]int64{4, 3}, 4, []int32{0, 4}},
	} {
		l := opstest.New(t, 1, true)
		_, err := ops.TaskLogits(l.Leaf("x", 0, 1, 2, 3), l.Leaf("W", 0, 1, c.w...), l.Leaf("b", 0, 1, c.b), l.Ints(c.task...), nil, false, false)
		opstest.Fails(t, err, "logits of tasks: ", words)
		l.Drop()
	}
}
