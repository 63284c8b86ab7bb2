package multitask

import (
	"github.com/sugarme/gotch/ts"

	"pacia/model"
	"pacia/model/shared/classifiers"
	"pacia/ops"
)

// Legend: n molecules, d width of their vectors, h of the hidden layer.

// tail holds the classifiers of tasks, and optionally a hidden layer before them that the training
// tasks share.
type tail struct {
	*classifiers.Classifiers
	hidden  []ops.Linear // [h, d] or nothing
	outputs int          // of the classifiers
}

// newTail lays out the classifiers of training tasks or, without tasks, of one test task.
func newTail(b *model.Body, c Settings, d int, tasks []int) *tail {
	t := new(tail)
	if c.Tail > 0 {
		b.Set.Part("hidden layer of the classifiers")
		t.hidden = []ops.Linear{b.Set.Linear(classifiers.Prefix+"hidden", d, c.Tail, true, 0)}
		d = c.Tail
	}
	switch {
	case tasks == nil && c.Tail == 0:
		t.Classifiers, t.outputs = classifiers.Pair(b, d), 2
	case tasks == nil:
		t.Classifiers, t.outputs = classifiers.One(b, d), 1
	case c.Tail == 0:
		t.Classifiers, t.outputs = classifiers.Pairs(b, d, tasks), 2*len(tasks)
	default:
		t.Classifiers, t.outputs = classifiers.New(b, d, tasks), len(tasks)
	}
	return t
}

// read returns the input of the classifiers for vectors x [n, d]: ReLU(W x + b) [n, h], or x.
func (t *tail) read(x *ts.Tensor, s *ops.Scope) *ts.Tensor {
	if t.hidden == nil {
		return x
	}
	return s.Keep(ops.ReLU(s.Keep(ops.MLP(x, t.hidden, ops.Mode{}))))
}
