package kernel

import (
	"fmt"
	"math"

	"github.com/sugarme/gotch/ts"

	"pacia/data"
	"pacia/metrics"
	"pacia/model"
	"pacia/model/classifiers"
	"pacia/model/counts"
	"pacia/ops"
)

// Legend: N support molecules of a task, Q queries, m molecules, d width of a
// molecule's vector.

// Spec is the method's line in the table of methods.
var Spec = model.Spec{
	Name: "kernel", Title: "Learnt kernel",
	Source:   "docs/model.md; multi-task teaching as in Formont et al. 2024, arXiv 2404.02314, and ridge regression on what it learns",
	Traits:   model.Traits{Compares: true, ReadsHost: true, TrainingOnly: classifiers.Prefix},
	Settings: ForPreset,
	New: func(b *model.Body, c model.Config, tasks []int) (model.Method, error) {
		return newKernel(b, c.Own.(Settings), tasks)
	},
}

// kernel is the method with its parameters.
type kernel struct {
	Settings
	members []member
	body    *model.Body
	memory  memory
}

// member is an encoder with the classifiers that teach it, nil where it is not taught.
type member struct {
	*model.Body
	teacher *classifiers.Classifiers
}

func newKernel(b *model.Body, s Settings, tasks []int) (*kernel, error) {
	k := &kernel{Settings: s, body: b}
	for i := range s.Members {
		own, err := memberOf(b, i)
		if err != nil {
			return nil, err
		}
		k.members = append(k.members, member{Body: own})
	}
	if tasks == nil {
		return k, b.Set.Err()
	}
	for i := range k.members {
		m := &k.members[i]
		// What only training needs has the names of the trait, members' as well.
		m.teacher = classifiers.Named(m.Body, fmt.Sprintf("%d.", i), m.Readout.Width(), tasks)
		m.teacher.Angles()
	}
	return k, b.Set.Err()
}

// memberOf lays out member i; the first one is b itself.
func memberOf(b *model.Body, i int) (*model.Body, error) {
	if i == 0 {
		return b, b.AddAll()
	}
	return b.Member(fmt.Sprintf("member.%d.", i))
}

// Adaptive is 0: what a task's regression has is no parameter of the model.
func (k *kernel) Adaptive() int { return 0 }

// Check says what a batch lacks for a training step.
func (k *kernel) Check(h *data.Batch) error { return k.members[0].teacher.Check(h) }

// Loss is the sum over members of the cross entropy of all labelled molecules of the
// batch, by the classifiers of their tasks.
func (k *kernel) Loss(b *model.Batch, mode ops.Mode, s *ops.Scope) *ts.Tensor {
	var losses []*ts.Tensor
	for i, m := range k.members {
		read, _ := m.Encode(b, mode.Site(siteMember+uint64(i)), nil, s)
		losses = append(losses, m.teacher.Loss(b, func(which *ts.Tensor) *ts.Tensor { return read.Of(which, s) }, s))
	}
	return s.Keep(ops.Total(losses...))
}

// siteMember is where the keys of the members' dropout begin.
const siteMember = 5000

// Fingerprints and vectors of molecules, in Go's memory.
type molecules struct {
	counts []counts.Vector // [m]
	known  [][]entry       // [m] labels in training tasks, nil where there are too few
	units  [][]float32     // of each member [m, d], of length 1; nil where no molecule is known
}

// read encodes a batch and returns those of its molecules which.
func (k *kernel) read(b *model.Batch, which *ts.Tensor, numbers []int32, s *ops.Scope) (m molecules) {
	var err error
	m.counts, err = counts.Of(b.Host, numbers)
	s.Check(err)
	recognised := false
	for _, v := range m.counts {
		known := k.memory.of(v)
		m.known, recognised = append(m.known, known), recognised || known != nil
	}
	if !recognised {
		return m // no pair is compared by what the encoders learnt
	}
	for _, member := range k.members {
		read, _ := member.Encode(b, ops.Mode{}, nil, s)
		x, err := ops.Read(read.Of(which, s))
		s.Check(err)
		shorten(x, len(numbers))
		m.units = append(m.units, x)
	}
	return m
}

// shorten gives each of n rows length 1.
func shorten(x []float32, n int) {
	d := len(x) / max(1, n)
	for ; len(x) > 0; x = x[d:] {
		sum := 0.0
		for _, v := range x[:d] {
			sum += float64(v) * float64(v)
		}
		inverse := float32(1 / math.Max(math.Sqrt(sum), 1e-8))
		for i := range x[:d] {
			x[i] *= inverse
		}
	}
}

// task is the regression of a support set on the kernel of similarity.go.
type task struct {
	*kernel
	index    *counts.Index
	labels   profile
	known    []bool    // [N]
	alpha    []float64 // [N]
	learnt   []float64 // of the members [members · d]: Σ α_i x̂_i over the known support molecules
	tanimoto []float64 // [N] room for one query's
	cosines  []float64 // [N]
	prior    float64   // log-odds of the support set's labels
}

func (k *kernel) Adapt(support *model.Batch, s *ops.Scope) model.Task {
	s.Check(k.memory.read())
	m := k.read(support, support.SupportMol, support.Host.SupportMol, s)
	n := len(m.counts)
	t := &task{
		kernel: k, index: counts.NewIndex(m.counts), labels: k.profile(m.known),
		known: make([]bool, n), tanimoto: make([]float64, n), cosines: make([]float64, n),
	}
	for i := range t.known {
		t.known[i] = m.known[i] != nil
	}
	var err error
	t.alpha, err = regression(t.joined(m), support.Host.SupportLabel, k.Noise)
	s.Check(err)
	t.fold(m)
	t.prior = metrics.Prior(support.Host.SupportLabel)
	return t
}

// Score gives the queries their logits: 0, and the score, calibrated.
func (t *task) Score(queries *model.Batch, s *ops.Scope) model.Scores {
	m := t.read(queries, queries.QueryMol, queries.Host.QueryMol, s)
	room := *t // queries are scored side by side
	room.tanimoto, room.cosines = make([]float64, len(t.alpha)), make([]float64, len(t.alpha))
	logits := make([]float64, 0, 2*len(m.counts))
	for q := range m.counts {
		logits = append(logits, 0, t.Slope*room.score(m, q)+t.Offset+t.prior)
	}
	return model.Scores{Logits: t.body.Placed(logits, s), Layers: 1}
}

func dot(x, y []float32) (sum float64) {
	for i, v := range x {
		sum += float64(v) * float64(y[i])
	}
	return sum
}
