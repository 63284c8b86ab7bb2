package pretrain

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"pacia/data/molecule"
	"pacia/ops"
)

var noLayer ops.Linear

// some molecules with rings, charges, chirality and all types of bonds.
var some = []string{
	"CC(=O)Oc1ccccc1C(=O)O", "CN1C=NC2=C1C(=O)N(C)C(=O)N2C", "C[C@H](N)C(=O)O", "CCCCCCCC#N", "OCC1OC(O)C(O)C(O)C1O",
	"c1ccc2ccccc2c1CCCl", "CC(C)Cc1ccc(cc1)[C@@H](C)C(=O)O", "C/C=C/CBr", "FC(F)(F)c1cccc(c1)CCCS",
}

func storeOf(t *testing.T, smiles []string) (*molecule.Store, []int32) {
	t.Helper()
	s, rows, errs := molecule.ParseSMILES(context.Background(), smiles, 1)
	for i, err := range errs {
		if err != nil {
			t.Fatalf("%s: %v", smiles[i], err)
		}
	}
	return s, rows
}

// asked returns a small network in float64 with a question.
func asked(t *testing.T, o Options) (*network, question) {
	t.Helper()
	runtime.LockOSThread()
	t.Cleanup(runtime.UnlockOSThread)
	l := labelled(t)
	n, err := newNetwork(o, l, ops.CPU, true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.drop)
	if g, ok := n.task.(*graphLoG); ok {
		grow(t, n, g, l.rows)
	}
	return n, n.ask(l.rows, pcg(5))
}

func small(task, encoder string) Options {
	o := Default()
	o.Task, o.Encoder, o.Layers, o.Width, o.Seed = task, encoder, 2, 6, 3
	o.Bonds = task == Masking
	return o
}

// cases returns options for all tasks, the first with every encoder, mgssl in both orders.
func cases() (list []Options) {
	deep := small(MGSSL, "gin")
	deep.Order, deep.Rare = DepthFirst, 2
	all := small(MGSSL, "gin")
	all.Levels = true
	list = append(list, deep, all)
	for _, task := range everyTask {
		for _, encoder := range []string{"gin", "gcn", "graphsage", "gat"} {
			if task == Masking || encoder == "gin" {
				list = append(list, small(task, encoder))
			}
		}
	}
	return list
}

// lossOf answers a question in training. It returns the loss, and the loss that grade
// computes from the same answers in plain Go.
func lossOf(t *testing.T, q question) (loss, byHand float64) {
	t.Helper()
	err := ops.WithoutGrad(func() error {
		a, err := q.answer(ops.Mode{Training: true})
		if err != nil {
			return err
		}
		defer a.drop()
		if loss, err = ops.Number(a.loss); err != nil {
			return err
		}
		marks, err := grade(q, a)
		byHand = figures(marks...).Loss
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return loss, byHand
}

// TestLossIsThatOfTheFigures: the training loss is the reported loss. The
// rounding of some hundred float64 is 1e-14.
func TestLossIsThatOfTheFigures(t *testing.T) {
	for _, o := range cases() {
		t.Run(fmt.Sprint(o.Task, " ", o.Encoder, " ", o.Order, " ", o.Levels), func(t *testing.T) {
			_, q := asked(t, o)
			if loss, want := lossOf(t, q); math.Abs(loss-want) > 1e-12 {
				t.Errorf("loss %.15g, by the figures %.15g", loss, want)
			}
		})
	}
}

// TestGradients compares the gradient of every parameter with central
// differences, along itself with a random direction added. With a step of 1e-5
// the rounding is 1e-11 and the error of third order 1e-10. If the one-sided
// differences disagree, the step crossed a kink of a ReLU, which is accepted for a
// tenth of all directions.
func TestGradients(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, o := range cases() {
		t.Run(fmt.Sprint(o.Task, " ", o.Encoder, " ", o.Order, " ", o.Levels), func(t *testing.T) { checkGradients(t, o) })
	}
}

func checkGradients(t *testing.T, o Options) {
	const step, tolerance = 1e-5, 1e-6
	n, q := asked(t, o)
	a, err := q.answer(ops.Mode{Training: true})
	if err != nil {
		t.Fatal(err)
	}
	defer a.drop()
	if err := ops.Backward(a.loss); err != nil {
		t.Fatal(err)
	}
	at, _ := lossOf(t, q)
	r := rand.New(rand.NewPCG(1, 1))
	tried, skipped := 0, 0
	for _, set := range n.sets {
		for _, p := range set.Trained() {
			g, err := ops.Gradient(p.Tensor)
			if err != nil {
				t.Fatal(err)
			}
			if g == nil {
				t.Errorf("%s has no gradient", p.Name)
				continue
			}
			before, err := ops.ReadAs[float64](p.Tensor)
			if err != nil {
				t.Fatal(err)
			}
			u := make([]float64, len(g))
			for i := range u {
				u[i] = r.NormFloat64() / math.Sqrt(float64(len(g)))
			}
			if long := math.Sqrt(dot(g, g)); long > 1e-6 { // a bias before a batch norm has none
				for i := range u {
					u[i] += g[i] / long
				}
			}
			size := math.Sqrt(dot(u, u))
			shifted := func(by float64) float64 {
				v := slices.Clone(before)
				for i := range v {
					v[i] += by * u[i] / size
				}
				if err := ops.Write(p.Tensor, v); err != nil {
					t.Fatal(err)
				}
				loss, _ := lossOf(t, q)
				return loss
			}
			up, down := shifted(step), shifted(-step)
			if err := ops.Write(p.Tensor, before); err != nil {
				t.Fatal(err)
			}
			tried++
			got, want := dot(g, u)/size, (up-down)/(2*step)
			if math.Abs(up-2*at+down)/step > 1e-3*(1+math.Abs(want)) {
				skipped++
			} else if math.Abs(got-want) > tolerance*(1+math.Abs(want)) {
				t.Errorf("%s: gradient %.10g, by differences %.10g", p.Name, got, want)
			}
		}
	}
	if 10*skipped > tried {
		t.Errorf("%d of %d directions cross a kink; choose another seed", skipped, tried)
	}
}

func dot(x, y []float64) (s float64) {
	for i := range x {
		s += x[i] * y[i]
	}
	return s
}

// TestKernels: the emulated kernels for a GPU give the same loss and gradients as the
// loops for the CPU, with dropout. In float64 the order of sums changes an addition by
// 1e-16.
func TestKernels(t *testing.T) {
	for _, o := range cases() {
		o.Dropout = 0.3
		t.Run(fmt.Sprint(o.Task, " ", o.Encoder, " ", o.Order, " ", o.Levels), func(t *testing.T) {
			loss, gradients := outcome(t, o)
			ops.Emulate(true)
			defer ops.Emulate(false)
			got, other := outcome(t, o)
			if math.Abs(got-loss) > 1e-10*loss {
				t.Errorf("loss %.15g by kernels, %.15g by loops", got, loss)
			}
			largest := 0.0
			for _, g := range gradients {
				largest = max(largest, math.Abs(g))
			}
			for i, g := range gradients {
				if math.Abs(other[i]-g) > 1e-10*largest {
					t.Fatalf("gradient %d is %.15g by kernels, %.15g by loops", i, other[i], g)
				}
			}
		})
	}
}

// outcome returns the loss of a training step, and all its gradients.
func outcome(t *testing.T, o Options) (loss float64, gradients []float64) {
	t.Helper()
	n, q := asked(t, o)
	a, err := q.answer(ops.Mode{Training: true, Key: 9})
	if err != nil {
		t.Fatal(err)
	}
	defer a.drop()
	if loss, err = ops.Number(a.loss); err == nil {
		err = ops.Backward(a.loss)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range n.trained() {
		g, err := ops.Gradient(p)
		if err != nil {
			t.Fatal(err)
		}
		gradients = append(gradients, g...)
	}
	return loss, gradients
}
