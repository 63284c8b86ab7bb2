package adkf

import (
	"math"
	"testing"

	"github.com/sugarme/gotch/ts"

	"pacia/harness/opstest"
	"pacia/ops"
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

func (c processCase) run(order processOrder) opstest.Calculation {
	return func(l *opstest.Lab) *ts.Tensor {
		support, x := l.Leaf("support", 0, 1, int64(len(c.labels)), int64(c.d)), l.Leaf("query", 0, 1, int64(len(c.asked)), int64(c.d))
		if c.twins {
			values := l.Values["support"]
			copy(values[2*c.d:3*c.d], values)
			support = l.Tensor(values, true, int64(len(c.labels)), int64(c.d))
		}
		return l.Must(processLoss(processTasks{
			support: support, query: x, supportLabel: l.Bytes(c.labels...), queryLabel: l.Bytes(c.asked...), queryTask: l.Ints(c.task...), n: c.n,
		}, order))
	}
}

// mean returns the logits of queries at a given point.
func (c processCase) mean(l *opstest.Lab) *ts.Tensor {
	p := &process{numbers: l.Leaf("numbers", 0, 1, 3), weights: l.Leaf("weights", 0, 1, int64(len(c.labels)))}
	return l.Must(p.logits(l.Leaf("support", 0, 1, int64(len(c.labels)), int64(c.d)), l.Leaf("query", 0, 1, int64(len(c.asked)), int64(c.d))))
}

// process returns the fit of a lab's support set at a point, or at the minimum for nil.
func fitted(l *opstest.Lab, c processCase, point []float64) *process {
	l.Helper()
	var at *ts.Tensor
	if point != nil {
		at = l.Must(ops.Vector(point, opstest.Device))
	}
	p, err := fitProcess(l.Leaf("support", 0, 1, int64(c.n), int64(c.d)), l.Bytes(c.labels[:c.n]...), at)
	if err != nil {
		l.Fatal(err)
	}
	l.Made = append(l.Made, p.numbers, p.weights, p.loss, p.gradient, p.hessian, p.kernel)
	return p
}

// numbers returns the numbers η of a fit, which have no gradient.
func (c processCase) numbers(l *opstest.Lab) *ts.Tensor { return fitted(l, c, nil).numbers }

// TestProcessDerivatives compares the gradient and the Hessian of a support's loss by
// the three numbers with differences, at points where L is convex and where it is not.
func TestProcessDerivatives(t *testing.T) {
	opstest.Locked(t, 2)
	const step = 1e-5
	for name, c := range processCases {
		for _, point := range [][]float64{{-2, 0, 1}, {0.5, -1.5, -1}, {-6, 3, 0.2}} {
			at := func(k int, far float64) (loss float64, gradient []float64) {
				l := opstest.New(t, 3, true)
				defer l.Drop()
				moved := append([]float64{}, point...)
				moved[k] += far
				p := fitted(l, c, moved)
				return l.Read(p.loss)[0], l.Read(p.gradient)
			}
			l := opstest.New(t, 3, true)
			p := fitted(l, c, point)
			gradient, hessian := l.Read(p.gradient), l.Read(p.hessian)
			for k := range 3 {
				up, gradientUp := at(k, step)
				down, gradientDown := at(k, -step)
				opstest.Near(t, name+": slope", []float64{gradient[k]}, []float64{(up - down) / (2 * step)}, 1e-7)
				opstest.Near(t, name+": row of the Hessian", hessian[3*k:3*k+3], opstest.Times(1/(2*step), opstest.Sum(gradientUp, opstest.Times(-1,
					gradientDown))), 1e-6)
			}
			l.Drop()
		}
	}
}

// TestProcessMinimum: at the minimum the gradient vanishes and the Hessian is positive
// definite. The fit also ends for a support with labels that do not depend on its vectors.
func TestProcessMinimum(t *testing.T) {
	opstest.Locked(t, 2)
	for seed := range uint64(40) {
		for name, c := range processCases {
			l := opstest.New(t, seed, true)
			p := fitted(l, c, nil)
			numbers, gradient, h := l.Read(p.numbers), l.Read(p.gradient), l.Read(p.hessian)
			if numbers[1] > -10 && math.Abs(gradient[1]) > 1e-9 || numbers[1] <= -10 && gradient[1] < 0 ||
				math.Abs(gradient[0]) > 1e-9 || math.Abs(gradient[2]) > 1e-9 {
				t.Errorf("%s, seed %d: at %v the gradient is %v", name, seed, numbers, gradient)
			}
			minor := h[0]*h[8] - h[2]*h[6] // of ν and ℓ alone: s² may be at its lower end
			if !(h[0] > 0 && minor > 0) {
				t.Errorf("%s, seed %d: the Hessian is %v", name, seed, h)
			}
			l.Drop()
		}
	}
}

// TestProcessGradients compares the full gradient of the outer loss, which goes through the
// minimum, and the gradient of the mean with differences.
func TestProcessGradients(t *testing.T) {
	for name, c := range processCases {
		opstest.Run(t, name, func(t *testing.T) {
			if c.twins || len(c.task) == 1 {
				t.Skip("a leaf's rows are equal, or have no gradient to compare")
			}
			opstest.CheckGradients(t, 2, c.run(processFull))
			opstest.CheckGradients(t, 2, c.mean)
		})
	}
}

// TestProcessMean: at a molecule of the support the mean is K_SS α, and far from all
// of them it is 0.
func TestProcessMean(t *testing.T) {
	c := processCases["one task"]
	opstest.Run(t, "mean", func(t *testing.T) {
		l := opstest.New(t, 4, true)
		defer l.Drop()
		p := fitted(l, c, nil)
		kernel, weights := opstest.Rows(l.Read(p.kernel), c.n), l.Read(p.weights)
		x := append(append([]float64{}, l.Values["support"]...), 1e6, 0, 0)
		got := l.Read(l.Must(p.logits(l.Leaves["support"], l.Tensor(x, false, int64(c.n+1), int64(c.d)))))
		for i := range kernel {
			mean := opstest.Dot(kernel[i], weights)
			opstest.Near(t, "logits", got[2*i:2*i+2], []float64{-mean / 2, mean / 2}, 1e-12)
		}
		opstest.Near(t, "logits far away", got[2*c.n:], []float64{0, 0}, 1e-12)
	})
}

// TestErrorsOfProcess breaks one input at a time.
func TestErrorsOfProcess(t *testing.T) {
	opstest.Refused(t, "gaussian process loss", map[string]opstest.Misshapen{
		"no support molecules": {Query: []int64{1, 3}, Support: []int64{2, 3}, Labels: []uint8{0, 1}, Task: []int32{0},
			Shots: 0},
		"support has shape [2, 4], not [2, 3]": {Query: []int64{1, 3}, Support: []int64{2, 4}, Labels: []uint8{0, 1}, Task: []int32{0},
			Shots: 2},
		"support has shape [3, 3], not [2, 3]": {Query: []int64{1, 3}, Support: []int64{3, 3}, Labels: []uint8{0, 1, 1}, Task: []int32{0},
			Shots: 2},
		"labels of the support has shape [3]": {Query: []int64{1, 3}, Support: []int64{2, 3}, Labels: []uint8{0, 1, 1}, Task: []int32{0},
			Shots: 2},
		"queries are not in the order of their task": {Query: []int64{2, 3}, Support: []int64{4, 3}, Labels: []uint8{0, 1, 0, 1},
			Task: []int32{1, 0}, Shots: 2},
		"queries are not in the order": {Query: []int64{1, 3}, Support: []int64{2, 3}, Labels: []uint8{0, 1}, Task: []int32{1},
			Shots: 2},
	}, func(l *opstest.Lab, x, support, labels, task *ts.Tensor, c opstest.Misshapen) error {
		_, err := processLoss(processTasks{
			support: support, query: x, supportLabel: labels, queryLabel: l.Bytes(make([]uint8, len(c.Task))...), queryTask: task, n: c.Shots,
		}, processHeld)
		return err
	})
	l := opstest.New(t, 1, true)
	defer l.Drop()
	_, err := fitProcess(l.Tensor([]float64{1, math.NaN()}, false, 2, 1), l.Bytes(0, 1), nil)
	opstest.Fails(t, err, "gaussian process fit: ", "not finite numbers")
}

// TestOperations checks the forms of the operations.
func TestOperations(t *testing.T) {
	all := opstest.Examples{}
	for name, c := range processCases {
		// The effects of the fit are compared with differences in TestProcessGradients.
		all.Add("gaussian process loss", name, 2, false, c.run(processHeld))
		all.Add("gaussian process fit", name, 2, false, c.numbers)
		all.Add("gaussian process mean", name, 2, true, c.mean)
	}
	all.Check(t)
}
