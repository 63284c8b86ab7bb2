package proto

import (
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/harness/opstest"
)

// metricCase describes queries of tasks with n support molecules of width d.
type metricCase struct {
	labels []uint8
	task   []int32
	n, d   int
	metric string
	ofOne  bool
}

var metricCases = map[string]metricCase{
	"inner products":                {[]uint8{0, 1, 0, 0, 0, 1, 1, 1, 0, 1}, []int32{1, 0, 1}, 5, 4, dot, false},
	"Mahalanobis, one task":         {[]uint8{0, 0, 1, 1}, []int32{0, 0, 0}, 4, 5, mahalanobis, false},
	"Mahalanobis, different sizes":  {[]uint8{0, 1, 0, 0, 0, 1, 1, 1, 0, 1}, []int32{1, 0, 1}, 5, 4, mahalanobis, false},
	"Mahalanobis, one of each":      {[]uint8{1, 0, 0, 1, 0, 1}, []int32{2, 0, 1, 0}, 2, 3, mahalanobis, false},
	"Mahalanobis, one as published": {[]uint8{1, 0, 0, 1, 0, 1}, []int32{2, 0, 1, 0}, 2, 3, mahalanobis, true},
}

func (c metricCase) run(l *opstest.Lab) *ts.Tensor {
	support, x := l.Leaf("support", 0, 1, int64(len(c.labels)), int64(c.d)), l.Leaf("x", 0, 1, int64(len(c.task)), int64(c.d))
	return l.Must(metricLogits(c.metric, x, support, l.Bytes(c.labels...), l.Ints(c.task...), c.n, c.ofOne))
}

// byHand inverts by elimination, and uses the covariance 0 for a class of one.
func (c metricCase) byHand(l *opstest.Lab) (logits []float64) {
	support, x := opstest.Rows(l.Values["support"], c.d), opstest.Rows(l.Values["x"], c.d)
	for q, task := range c.task {
		whole := support[int(task)*c.n : int(task+1)*c.n]
		for class := range uint8(2) {
			var of opstest.Matrix
			for s, row := range whole {
				if c.labels[int(task)*c.n+s] == class {
					of = append(of, row)
				}
			}
			mean := meanOf(of)
			if c.metric == dot {
				logits = append(logits, opstest.Dot(x[q], mean))
				continue
			}
			a := covariance(whole, 0.9)
			for i, row := range covariance(of, 0.1) {
				a[i] = opstest.Sum(a[i], row)
				a[i][i] += 0.1
			}
			u := opstest.Sum(x[q], opstest.Times(-1, mean))
			logits = append(logits, -opstest.Dot(u, solved(a, u)))
		}
	}
	return logits
}

func meanOf(rows opstest.Matrix) []float64 {
	mean := make([]float64, len(rows[0]))
	for _, row := range rows {
		mean = opstest.Sum(mean, opstest.Times(1/float64(len(rows)), row))
	}
	return mean
}

// covariance returns the unbiased covariance of rows, times a factor.
func covariance(rows opstest.Matrix, factor float64) opstest.Matrix {
	mean, a := meanOf(rows), make(opstest.Matrix, len(rows[0]))
	for i := range a {
		a[i] = make([]float64, len(a))
		for _, row := range rows {
			apart := opstest.Sum(row, opstest.Times(-1, mean))
			if len(rows) > 1 {
				a[i] = opstest.Sum(a[i], opstest.Times(factor*apart[i]/float64(len(rows)-1), apart))
			}
		}
	}
	return a
}

// solved returns A⁻¹b of a positive definite A, by elimination.
func solved(a opstest.Matrix, b []float64) []float64 {
	var m opstest.Matrix
	for i, row := range a {
		m = append(m, append(append([]float64{}, row...), b[i]))
	}
	for c := range m {
		m[c] = opstest.Times(1/m[c][c], m[c])
		for r := range m {
			if r != c {
				m[r] = opstest.Sum(m[r], opstest.Times(-m[r][c], m[c]))
			}
		}
	}
	var x []float64
	for _, row := range m {
		x = append(x, row[len(row)-1])
	}
	return x
}

func TestMetricsByHand(t *testing.T) {
	for name, c := range metricCases {
		if !c.ofOne {
			opstest.Run(t, name, func(t *testing.T) { opstest.CheckAgainst(t, 6, c.run, c.byHand) })
		}
	}
}

// TestErrorsOfMetrics breaks one input at a time.
func TestErrorsOfMetrics(t *testing.T) {
	opstest.Refused(t, "metric of class means", map[string]opstest.Misshapen{
		"no support molecules": {Query: []int64{1, 3}, Support: []int64{2, 3}, Labels: []uint8{0, 1}, Task: []int32{0},
			Shots: 0},
		"queries has shape [1, 3], not [2, any]": {Query: []int64{1, 3}, Support: []int64{2, 3}, Labels: []uint8{0, 1}, Task: []int32{0, 0},
			Shots: 2},
		"support has shape [2, 4], not [any, 3]": {Query: []int64{1, 3}, Support: []int64{2, 4}, Labels: []uint8{0, 1}, Task: []int32{0},
			Shots: 2},
		"labels has shape [3], not [2]": {Query: []int64{1, 3}, Support: []int64{2, 3}, Labels: []uint8{0, 1, 1}, Task: []int32{0},
			Shots: 2},
	}, func(_ *opstest.Lab, x, support, labels, task *ts.Tensor, c opstest.Misshapen) error {
		_, err := metricLogits(mahalanobis, x, support, labels, task, c.Shots, false)
		return err
	})
}

// TestOperations checks the forms of the operations.
func TestOperations(t *testing.T) {
	all := opstest.Examples{}
	for name, c := range metricCases {
		all.Add("metric of class means", name, 6, true, c.run)
	}
	all.Check(t)
}
