package ops

import (
	"testing"

	"github.com/sugarme/gotch/ts"
)

// metricCase describes queries of tasks with n support molecules of width d.
type metricCase struct {
	distanceCase
	metric Metric
	ofOne  bool
}

var metricCases = map[string]metricCase{
	"inner products":                {distanceCases["classes of different sizes"], Dot, false},
	"Mahalanobis, one task":         {distanceCases["one task"], Mahalanobis, false},
	"Mahalanobis, different sizes":  {distanceCases["classes of different sizes"], Mahalanobis, false},
	"Mahalanobis, one of each":      {distanceCases["one of each class"], Mahalanobis, false},
	"Mahalanobis, one as published": {distanceCases["one of each class"], Mahalanobis, true},
}

func (c metricCase) run(l *lab) *ts.Tensor {
	support, x := l.leaf("support", 0, 1, int64(len(c.labels)), int64(c.d)), l.leaf("x", 0, 1, int64(len(c.task)), int64(c.d))
	return l.must(c.metric.Logits(x, support, l.bytes(c.labels...), l.ints(c.task...), c.n, c.ofOne))
}

// byHand inverts by elimination, and uses the covariance 0 for a class of one.
func (c metricCase) byHand(l *lab) (logits []float64) {
	support, x := matrixOf(l.values["support"], c.d), matrixOf(l.values["x"], c.d)
	for q, task := range c.task {
		whole := support[int(task)*c.n : int(task+1)*c.n]
		for class := range uint8(2) {
			var of matrix
			for s, row := range whole {
				if c.labels[int(task)*c.n+s] == class {
					of = append(of, row)
				}
			}
			mean := meanOf(of)
			if c.metric == Dot {
				logits = append(logits, dot(x[q], mean))
				continue
			}
			a := covariance(whole, 0.9)
			for i, row := range covariance(of, 0.1) {
				a[i] = sum(a[i], row)
				a[i][i] += 0.1
			}
			u := sum(x[q], times(-1, mean))
			logits = append(logits, -dot(u, solved(a, u)))
		}
	}
	return logits
}

func meanOf(rows matrix) []float64 {
	mean := make([]float64, len(rows[0]))
	for _, row := range rows {
		mean = sum(mean, times(1/float64(len(rows)), row))
	}
	return mean
}

// covariance returns the unbiased covariance of rows, times a factor.
func covariance(rows matrix, factor float64) matrix {
	mean, a := meanOf(rows), make(matrix, len(rows[0]))
	for i := range a {
		a[i] = make([]float64, len(a))
		for _, row := range rows {
			apart := sum(row, times(-1, mean))
			if len(rows) > 1 {
				a[i] = sum(a[i], times(factor*apart[i]/float64(len(rows)-1), apart))
			}
		}
	}
	return a
}

// solved returns A⁻¹b of a positive definite A, by elimination.
func solved(a matrix, b []float64) []float64 {
	var m matrix
	for i, row := range a {
		m = append(m, append(append([]float64{}, row...), b[i]))
	}
	for c := range m {
		m[c] = times(1/m[c][c], m[c])
		for r := range m {
			if r != c {
				m[r] = sum(m[r], times(-m[r][c], m[c]))
			}
		}
	}
	var x []float64
	for _, row := range m {
		x = append(x, row[len(row)-1])
	}
	return x
}

func TestMetrics(t *testing.T) {
	for name, c := range metricCases {
		if !c.ofOne {
			run(t, name, func(t *testing.T) { checkAgainst(t, 6, c.run, c.byHand) })
		}
	}
}

// TestErrorsOfMetrics breaks one input at a time.
func TestErrorsOfMetrics(t *testing.T) {
	refused(t, "metric of class means", map[string]misshapen{
		"no support molecules":                   {[]int64{1, 3}, []int64{2, 3}, []uint8{0, 1}, []int32{0}, 0},
		"queries has shape [1, 3], not [2, any]": {[]int64{1, 3}, []int64{2, 3}, []uint8{0, 1}, []int32{0, 0}, 2},
		"support has shape [2, 4], not [any, 3]": {[]int64{1, 3}, []int64{2, 4}, []uint8{0, 1}, []int32{0}, 2},
		"labels has shape [3], not [2]":          {[]int64{1, 3}, []int64{2, 3}, []uint8{0, 1, 1}, []int32{0}, 2},
	}, func(_ *lab, x, support, labels, task *ts.Tensor, c misshapen) error {
		_, err := Mahalanobis.Logits(x, support, labels, task, c.n, false)
		return err
	})
}
