package ops

import (
	"math"
	"testing"

	"github.com/sugarme/gotch/ts"
)

// processCase describes tasks with n support molecules of width d. With twins, two molecules
// of a class are equal.
type processCase struct {
	labels, asked []uint8
	task          []int32
	n, d          int
	twins         bool
}

var processCases = map[string]processCase{
	"one task":                   {[]uint8{0, 0, 0, 1, 1, 1}, []uint8{0, 1, 1}, []int32{0, 0, 0}, 6, 3, false},
	"tasks of different queries": {[]uint8{0, 1, 0, 1, 1, 0, 1, 1}, []uint8{1, 0, 0}, []int32{0, 1, 1}, 4, 2, false},
	"a task without queries":     {[]uint8{0, 1, 0, 1, 1, 0, 1, 1}, []uint8{1}, []int32{1}, 4, 2, false},
	"one of each class":          {[]uint8{1, 0}, []uint8{0, 1}, []int32{0, 0}, 2, 3, false},
	"equal molecules":            {[]uint8{0, 1, 0, 1}, []uint8{0, 1}, []int32{0, 0}, 4, 3, true},
}

func (c processCase) run(order ProcessOrder) calculation {
	return func(l *lab) *ts.Tensor {
		support, x := l.leaf("support", 0, 1, int64(len(c.labels)), int64(c.d)), l.leaf("query", 0, 1, int64(len(c.asked)), int64(c.d))
		if c.twins {
			values := l.values["support"]
			copy(values[2*c.d:3*c.d], values)
			support = l.tensor(values, true, int64(len(c.labels)), int64(c.d))
		}
		return l.must(ProcessLoss(ProcessTasks{
			Support: support, Query: x, SupportLabel: l.bytes(c.labels...), QueryLabel: l.bytes(c.asked...), QueryTask: l.ints(c.task...), N: c.n,
		}, order))
	}
}

// mean returns the logits of queries at a given point.
func (c processCase) mean(l *lab) *ts.Tensor {
	p := &Process{Numbers: l.leaf("numbers", 0, 1, 3), Weights: l.leaf("weights", 0, 1, int64(len(c.labels)))}
	return l.must(p.Logits(l.leaf("support", 0, 1, int64(len(c.labels)), int64(c.d)), l.leaf("query", 0, 1, int64(len(c.asked)), int64(c.d))))
}

// process returns the fit of a lab's support set at a point, or at the minimum for nil.
func (l *lab) process(c processCase, point []float64) *Process {
	l.Helper()
	var at *ts.Tensor
	if point != nil {
		at = l.must(Vector(point, where))
	}
	p, err := FitProcess(l.leaf("support", 0, 1, int64(c.n), int64(c.d)), l.bytes(c.labels[:c.n]...), at)
	if err != nil {
		l.Fatal(err)
	}
	l.made = append(l.made, p.Numbers, p.Weights, p.Loss, p.Gradient, p.Hessian, p.Kernel)
	return p
}

// numbers returns the numbers η of a fit, which have no gradient.
func (c processCase) numbers(l *lab) *ts.Tensor { return l.process(c, nil).Numbers }

// TestProcessDerivatives compares the gradient and the Hessian of a support's loss by
// the three numbers with differences, at points where L is convex and where it is not.
func TestProcessDerivatives(t *testing.T) {
	locked(t, 2)
	const step = 1e-5
	for name, c := range processCases {
		for _, point := range [][]float64{{-2, 0, 1}, {0.5, -1.5, -1}, {-6, 3, 0.2}} {
			at := func(k int, far float64) (loss float64, gradient []float64) {
				l := newLab(t, 3, true)
				defer l.drop()
				moved := append([]float64{}, point...)
				moved[k] += far
				p := l.process(c, moved)
				return l.read(p.Loss)[0], l.read(p.Gradient)
			}
			l := newLab(t, 3, true)
			p := l.process(c, point)
			gradient, hessian := l.read(p.Gradient), l.read(p.Hessian)
			for k := range 3 {
				up, gradientUp := at(k, step)
				down, gradientDown := at(k, -step)
				near(t, name+": slope", []float64{gradient[k]}, []float64{(up - down) / (2 * step)}, 1e-7)
				near(t, name+": row of the Hessian", hessian[3*k:3*k+3], times(1/(2*step), sum(gradientUp, times(-1, gradientDown))), 1e-6)
			}
			l.drop()
		}
	}
}

// TestProcessMinimum: at the minimum the gradient vanishes and the Hessian is positive
// definite. The fit also ends for a support with labels that do not depend on its vectors.
func TestProcessMinimum(t *testing.T) {
	locked(t, 2)
	for seed := range uint64(40) {
		for name, c := range processCases {
			l := newLab(t, seed, true)
			p := l.process(c, nil)
			numbers, gradient, h := l.read(p.Numbers), l.read(p.Gradient), l.read(p.Hessian)
			if numbers[1] > -10 && math.Abs(gradient[1]) > 1e-9 || numbers[1] <= -10 && gradient[1] < 0 ||
				math.Abs(gradient[0]) > 1e-9 || math.Abs(gradient[2]) > 1e-9 {
				t.Errorf("%s, seed %d: at %v the gradient is %v", name, seed, numbers, gradient)
			}
			minor := h[0]*h[8] - h[2]*h[6] // of ν and ℓ alone: s² may be at its lower end
			if !(h[0] > 0 && minor > 0) {
				t.Errorf("%s, seed %d: the Hessian is %v", name, seed, h)
			}
			l.drop()
		}
	}
}

// TestProcessGradients compares the full gradient of the outer loss, which goes through the
// minimum, and the gradient of the mean with differences.
func TestProcessGradients(t *testing.T) {
	for name, c := range processCases {
		run(t, name, func(t *testing.T) {
			if c.twins || len(c.task) == 1 {
				t.Skip("a leaf's rows are equal, or have no gradient to compare")
			}
			checkGradients(t, 2, c.run(ProcessFull))
			checkGradients(t, 2, c.mean)
		})
	}
}

// TestProcessMean: at a molecule of the support the mean is K_SS α, and far from all
// of them it is 0.
func TestProcessMean(t *testing.T) {
	c := processCases["one task"]
	run(t, "mean", func(t *testing.T) {
		l := newLab(t, 4, true)
		defer l.drop()
		p := l.process(c, nil)
		kernel, weights := matrixOf(l.read(p.Kernel), c.n), l.read(p.Weights)
		x := append(append([]float64{}, l.values["support"]...), 1e6, 0, 0)
		got := l.read(l.must(p.Logits(l.leaves["support"], l.tensor(x, false, int64(c.n+1), int64(c.d)))))
		for i := range kernel {
			mean := dot(kernel[i], weights)
			near(t, "logits", got[2*i:2*i+2], []float64{-mean / 2, mean / 2}, 1e-12)
		}
		near(t, "logits far away", got[2*c.n:], []float64{0, 0}, 1e-12)
	})
}

// TestErrorsOfProcess breaks one input at a time.
func TestErrorsOfProcess(t *testing.T) {
	refused(t, "gaussian process loss", map[string]misshapen{
		"no support molecules":                       {[]int64{1, 3}, []int64{2, 3}, []uint8{0, 1}, []int32{0}, 0},
		"support has shape [2, 4], not [2, 3]":       {[]int64{1, 3}, []int64{2, 4}, []uint8{0, 1}, []int32{0}, 2},
		"support has shape [3, 3], not [2, 3]":       {[]int64{1, 3}, []int64{3, 3}, []uint8{0, 1, 1}, []int32{0}, 2},
		"labels of the support has shape [3]":        {[]int64{1, 3}, []int64{2, 3}, []uint8{0, 1, 1}, []int32{0}, 2},
		"queries are not in the order of their task": {[]int64{2, 3}, []int64{4, 3}, []uint8{0, 1, 0, 1}, []int32{1, 0}, 2},
		"queries are not in the order":               {[]int64{1, 3}, []int64{2, 3}, []uint8{0, 1}, []int32{1}, 2},
	}, func(l *lab, x, support, labels, task *ts.Tensor, c misshapen) error {
		_, err := ProcessLoss(ProcessTasks{
			Support: support, Query: x, SupportLabel: labels, QueryLabel: l.bytes(make([]uint8, len(c.task))...), QueryTask: task, N: c.n,
		}, ProcessHeld)
		return err
	})
	l := newLab(t, 1, true)
	defer l.drop()
	_, err := FitProcess(l.tensor([]float64{1, math.NaN()}, false, 2, 1), l.bytes(0, 1), nil)
	fails(t, err, "gaussian process fit: ", "not finite numbers")
}
