package classifiers

import (
	"errors"
	"fmt"

	"github.com/sugarme/gotch/ts"

	"pacia/data"
	"pacia/model"
	"pacia/ops"
)

// Legend: T tasks, n labelled molecules of a batch, m selected molecules, d width of a
// molecule's vector.

// Prefix starts the names of the parameters, which prediction does not need.
const Prefix = "multitask."

// Classifiers are linear classifiers of T tasks: the logit for "active" of a molecule
// with the vector x in task t is ⟨x, W_t⟩ + b_t.
type Classifiers struct {
	body  *model.Body
	name  string        // prefix of the names of the parameters
	all   ops.Linear    // [T, d], [T]; with pairs [2T, d], [2T]
	pairs bool          // a row for each class
	scale *ts.Tensor    // [1], or nil
	place map[int32]int // of a task by its number; nil: one classifier for all tasks
	adam  *ops.Adam     // optimiser that defers updates of W; nil: none are deferred
}

// New lays out the classifiers of the training tasks with the given numbers, for vectors of
// width d.
func New(b *model.Body, d int, tasks []int) *Classifiers { return Named(b, "", d, tasks) }

// Named is like New, with names of the parameters that begin with Prefix and name.
func Named(b *model.Body, name string, d int, tasks []int) *Classifiers {
	c := layOut(b, name, d, len(tasks))
	c.number(tasks)
	return c
}

// Pairs is like New, with an output for each class of a task, and logits ⟨x, W⟩ + b of both.
func Pairs(b *model.Body, d int, tasks []int) *Classifiers {
	c := layOut(b, "", d, 2*len(tasks))
	c.number(tasks)
	c.pairs = true
	return c
}

// Pair lays out the classifier of a single task of any number.
func Pair(b *model.Body, d int) *Classifiers {
	c := layOut(b, "", d, 2)
	c.pairs = true
	return c
}

// One is like Pair, with one output.
func One(b *model.Body, d int) *Classifiers { return layOut(b, "", d, 1) }

// Shared is a Pair from which all tasks start, with names of parameters that begin with name.
func Shared(b *model.Body, name string, d int) *Classifiers {
	return &Classifiers{body: b, name: name, all: b.Set.Linear(name, d, 2, true, 0), pairs: true}
}

func layOut(b *model.Body, name string, d, outputs int) *Classifiers {
	b.Set.Part("classifiers of tasks")
	return &Classifiers{body: b, name: Prefix + name, all: b.Set.Linear(Prefix+name+"classifiers", d, outputs, true, 0)}
}

func (c *Classifiers) number(tasks []int) {
	c.place = make(map[int32]int, len(tasks))
	for i, number := range tasks {
		c.place[int32(number)] = i
	}
}

// Angles makes the classifiers read only the directions of vectors: x is scaled to length 1,
// and logits have a common factor, which is also trained.
func (c *Classifiers) Angles() {
	c.scale = c.body.Set.Constant(c.name+"factor", factor, 1)
}

// factor is its initial value. Adam changes all weights by equal steps. With a large factor
// the classifiers learn faster than the encoder, although each has few molecules in a batch.
const factor = 40

// LazyRows makes adam defer the updates of the weights of tasks that have no molecules in a
// batch. Before all weights are read, adam must be flushed.
func (c *Classifiers) LazyRows(adam *ops.Adam) error {
	c.adam = adam
	return adam.LazyRows(c.all.W)
}

// Check returns an error for a missing input of Loss, or if c is nil (no classifiers).
func (c *Classifiers) Check(h *data.Batch) error {
	n := len(h.SupportMol) + len(h.QueryMol)
	switch {
	case c == nil:
		return errors.New("training step: the tasks have no classifiers")
	case h.Support == 0 || len(h.MolPtr) != n+1 || len(h.SupportLabel)+len(h.QueryLabel) != n ||
		len(h.QueryTask) != len(h.QueryMol) || len(h.TaskNumber) != h.Tasks:
		return fmt.Errorf("training step: %d tasks with %d numbers, %d molecules, %d of them in a support set of %d or queries, %d labels; all molecules must have one",
			h.Tasks, len(h.TaskNumber), len(h.MolPtr)-1, n, h.Support, len(h.SupportLabel)+len(h.QueryLabel))
	}
	return nil
}

// examples are all labelled molecules of a batch, support and queries, in the order
// of the batch and with equal weights.
type examples struct {
	which, label, task *ts.Tensor // [n]
	weight             *ts.Tensor // [n] 1/n
	rows               []int32    // [n] task, in Go's memory
}

func (c *Classifiers) examples(h *data.Batch, s *ops.Scope) examples {
	n := len(h.SupportMol) + len(h.QueryMol)
	which, tasks := make([]int32, n), make([]int32, n)
	labels, weights := make([]uint8, n), make([]float64, n)
	put := func(molecule, task int, label uint8) {
		at, known := c.place[h.TaskNumber[task]]
		if c.place != nil && !known {
			s.Check(fmt.Errorf("training step: task %d has no classifier", h.TaskNumber[task]))
		}
		which[molecule], tasks[molecule] = int32(molecule), int32(at)
		labels[molecule], weights[molecule] = label, 1/float64(n)
	}
	for i, molecule := range h.SupportMol {
		put(int(molecule), i/h.Support, h.SupportLabel[i])
	}
	for i, molecule := range h.QueryMol {
		put(int(molecule), int(h.QueryTask[i]), h.QueryLabel[i])
	}
	d := c.body.Set.Device
	return examples{
		which: s.Keep(ops.Vector(which, d)), label: s.Keep(ops.Vector(labels, d)), task: s.Keep(ops.Vector(tasks, d)),
		weight: c.body.Vector(weights, s),
		rows:   tasks,
	}
}

// Loss returns the mean cross entropy of all labelled molecules of the batch, with the
// classifiers of their tasks. vectors returns the vectors [n, d] of the molecules which.
func (c *Classifiers) Loss(b *model.Batch, vectors func(which *ts.Tensor) *ts.Tensor, s *ops.Scope) *ts.Tensor {
	e := c.examples(b.Host, s)
	if c.adam != nil {
		s.Check(c.adam.Current(c.all.W, c.rowsOf(e.rows)))
	}
	logits := c.Logits(vectors(e.which), e.task, s)
	return s.KeepLoss(ops.Loss(logits, e.label, e.weight, nil, ops.LossLast, b.Host.Tasks)).Loss
}

func (c *Classifiers) rowsOf(tasks []int32) []int32 {
	if !c.pairs {
		return tasks
	}
	rows := make([]int32, 0, 2*len(tasks))
	for _, t := range tasks {
		rows = append(rows, 2*t, 2*t+1)
	}
	return rows
}

// Logits returns the logits [m, 1, 2] of vectors x [m, d] with the classifiers task [m].
func (c *Classifiers) Logits(x, task *ts.Tensor, s *ops.Scope) *ts.Tensor {
	return s.Keep(ops.TaskLogits(x, c.all.W, c.all.B, task, c.scale, c.pairs, c.adam != nil))
}

// Common sets into [d] to the mean of the weights W_t of all classifiers, with the factor
// of [Classifiers.Angles]. ⟨x, common⟩ is the mean over all tasks of a molecule's logit
// without its bias. It has no gradient, and W must have all its updates.
func (c *Classifiers) Common(into *ts.Tensor, s *ops.Scope) {
	w := c.all.W
	mean := s.Call("mean", func() (*ts.Tensor, error) { return w.MeanDim([]int64{0}, false, w.DType(), false) })
	if c.scale != nil {
		mean = s.Call("product", func() (*ts.Tensor, error) { return mean.Mul(c.scale, false) })
	}
	s.Check(ops.List{into}.Copy(ops.List{mean}))
}
