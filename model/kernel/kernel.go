package kernel

import (
	"errors"
	"fmt"
	"math"

	"github.com/sugarme/gotch/ts"

	"pacia/data"
	"pacia/gnn"
	"pacia/metrics"
	"pacia/model"
	"pacia/model/shared/classifiers"
	"pacia/model/shared/counts"
	"pacia/model/shared/potency"
	"pacia/ops"
)

// Legend: N support molecules of a task, Q queries, m molecules, d width of a
// molecule's vector.

// Spec is the method's line in the table of methods.
var Spec = model.Spec{
	Name: "kernel", Title: "Learnt kernel",
	Source: "multi-task teaching as in Formont et al. 2024, arXiv 2404.02314, and ridge regression on what it learns",
	Traits: model.Traits{
		Compares: true, FixedClasses: true, ReadsHost: true, LazyRows: true, Flushes: true, Memory: true, History: true,
		SeenMolecules: true, ChecksBatches: true, Uncertainty: true, Explains: true, Measures: true, Calibrates: true,
		TrainingOnly: classifiers.Prefix,
	},
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
	memory  *memory
	past    *history // of a user; nil: none
}

// member is an encoder with the classifiers that train it, or nil if it is not trained.
type member struct {
	*model.Body
	teacher *classifiers.Classifiers
	common  *ts.Tensor // [d] the mean of the classifiers at the last Flush
}

func newKernel(b *model.Body, s Settings, tasks []int) (*kernel, error) {
	k := &kernel{Settings: s, body: b, memory: new(memory)}
	for i := range s.Members {
		own, err := memberOf(b, i)
		if err != nil {
			return nil, err
		}
		common := b.Set.Buffer(fmt.Sprintf("common.%d", i), 0, int64(own.Readout.Width()))
		k.members = append(k.members, member{Body: own, common: common})
	}
	if tasks == nil {
		return k, b.Set.Err()
	}
	for i := range k.members {
		m := &k.members[i]
		// Parameters for training only have the prefix of the trait TrainingOnly, in all members.
		m.teacher = classifiers.Named(m.Body, fmt.Sprintf("%d.", i), m.Readout.Width(), tasks)
		m.teacher.Angles()
	}
	return k, b.Set.Err()
}

// memberOf lays out the body of member i. Member 0 has b itself.
func memberOf(b *model.Body, i int) (*model.Body, error) {
	if i == 0 {
		return b, b.AddAll()
	}
	return b.Member(i)
}

// Adaptive is 0: the numbers of a task's regression are not parameters of the model.
func (k *kernel) Adaptive() int { return 0 }

// Check returns an error if a batch lacks data for a training step.
func (k *kernel) Check(h *data.Batch) error { return k.members[0].teacher.Check(h) }

// Loss returns the sum over members of the cross entropy of all labelled molecules of the
// batch, with the classifiers of their tasks.
func (k *kernel) Loss(b *model.Batch, mode ops.Mode, s *ops.Scope) *ts.Tensor {
	var losses []*ts.Tensor
	for i, m := range k.members {
		read, _ := m.Encode(b, mode.Site(siteMember+uint64(i)), nil, s)
		losses = append(losses, m.teacher.Loss(b, func(which *ts.Tensor) *ts.Tensor { return read.Of(which, s) }, s))
	}
	return s.Keep(ops.Total(losses...))
}

// LazyRows defers updates of the members' classifiers for tasks that are not in a batch.
func (k *kernel) LazyRows(adam *ops.Adam) error {
	for _, m := range k.members {
		if err := m.teacher.LazyRows(adam); err != nil {
			return err
		}
	}
	return nil
}

// Flush computes the means of the members' classifiers.
func (k *kernel) Flush(s *ops.Scope) {
	for _, m := range k.members {
		if m.teacher != nil {
			m.teacher.Common(m.common, s)
		}
	}
}

// siteMember is the first key of the members' dropout.
const siteMember = 5000

// molecules holds fingerprints, known labels and vectors of molecules, in Go's memory.
type molecules struct {
	counts []counts.Vector // [m]
	known  []row           // [m] labels in training tasks, empty if there are too few
	past   []row           // [m] labels in past assays of a user; nil: there are none
	units  [][]float32     // of each member [m, d], of length 1
	// vectors [m, W] of the pretrained encoder, or nil if none is used.
	vectors []float32
}

// read encodes a batch and returns its molecules which, with the same numbers on the
// host. For a support set it also returns the statistics of each member, which are
// given for its queries; see [model.Body.States].
func (k *kernel) read(b *model.Batch, which *ts.Tensor, numbers []int32, given [][]*gnn.Stats, s *ops.Scope) (m molecules, stats [][]*gnn.Stats) {
	m.counts = ops.Try(counts.Vectors(b.Host, numbers)).In(s)
	if k.MiniMol {
		m.vectors = b.Host.EmbeddingsOf(numbers)
	}
	for _, v := range m.counts {
		m.known = append(m.known, k.memory.of(v))
	}
	m.past = k.past.rows(m, s)
	for i, member := range k.members {
		var own []*gnn.Stats
		if given != nil {
			own = given[i]
		}
		read, own := member.Encode(b, ops.Mode{}, own, s)
		stats = append(stats, own)
		x := ops.Try(ops.Read(read.Of(which, s))).In(s)
		shorten(x, len(numbers))
		m.units = append(m.units, x)
	}
	return m, stats
}

// shorten scales each of n rows to length 1.
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
	bare *task // the same without vectors of the pretrained encoder, or nil
	// The same without past assays, for queries that these have no labels of; nil: they have none of the support molecules either.
	// The regression on past labels leaves little to structure, which is all that such queries have.
	apartFromPast *task
	regressions
	support                       molecules
	stats                         [][]*gnn.Stats // of the members
	open                          *posterior     // nil: uncertainties are not enabled
	index                         *counts.Index
	labels                        profile
	past                          recollection
	shares                        shares
	learntWeight, structureWeight []float64    // [N] √u a and b
	learnt                        []float64    // of the members [members · d]: Σ α_i √u a_i x̂_i
	common                        [][]float64  // of the members [d]
	structure, plain, cosines     []float64    // [N] buffers for one query; see compare
	pasts                         []float64    // [N] likewise
	near                          []float64    // [Q, 3, N] the terms of scored queries; nil: they are not kept
	prior                         float64      // log-odds of the support set's labels
	fit                           *potency.Fit // of measured values; nil: the task learnt labels
}

func (k *kernel) Adapt(support *model.Batch, s *ops.Scope) model.Task {
	s.Check(k.memory.read())
	m, stats := k.read(support, support.SupportMol, support.Host.SupportMol, nil, s)
	t := k.newTask(m, stats, support.Host, s)
	if len(m.vectors) > 0 {
		m = m.withoutVectors()
		t.bare = k.newTask(m, stats, support.Host, s)
	}
	return t
}

// newTask returns the regression of a support set with molecules m on the kernel.
func (k *kernel) newTask(m molecules, stats [][]*gnn.Stats, support *data.Batch, s *ops.Scope) *task {
	n, labels := len(m.counts), support.SupportLabel
	t := &task{
		kernel: k, stats: stats, index: counts.NewIndex(m.counts), labels: profileOf(m.known, k.memory.tasks), support: m, shares: ofLabels,
		learntWeight: make([]float64, n), structureWeight: make([]float64, n), regressions: regressions{beta: make([]float64, n), share: 1},
	}
	t.apart()
	if len(support.SupportValue) > 0 {
		t.shares = ofValues
	}
	for i, known := range m.known {
		t.learntWeight[i], t.structureWeight[i] = t.weights(known.entries != nil)
	}
	var err error
	for _, member := range k.members {
		common, failed := ops.ReadAs[float64](member.common)
		t.common, err = append(t.common, common), errors.Join(err, failed)
	}
	s.Check(err)
	t.prior = metrics.Prior(labels)
	if len(support.SupportValue) > 0 {
		t.measured(m, support.SupportValue, labels, s)
	} else {
		t.past = k.past.recollect(m.past, balanced(labels))
		whole, alone := t.joined(m)
		alike := len(m.vectors) > 0 && len(t.past.roots) == 0
		s.Check(t.learn(whole, alone, t.allExpected(m), labels, k.Noise, alike))
	}
	t.fold(m)
	if len(t.past.roots) > 0 {
		without := *k
		without.past, m.past = nil, nil
		t.apartFromPast = without.newTask(m, stats, support, s)
	}
	if t.fit != nil {
		t.EnableUncertainty(s)
	}
	return t
}

// Score returns the logits of queries: 0 and the calibrated score.
func (t *task) Score(queries *model.Batch, s *ops.Scope) model.Scores {
	m, _ := t.read(queries, queries.QueryMol, queries.Host.QueryMol, t.stats, s)
	n := len(m.counts)
	var scores model.Scores
	if t.open != nil {
		scores.Uncertainty = make([]float32, n)
	}
	if t.open != nil && t.fit != nil {
		scores.Potency = make([]model.Potency, n)
	}
	logits := make([]float64, 2*n)
	for _, room := range t.rooms(m) {
		room.scoreAll(logits, &scores, s)
	}
	scores.Logits, scores.Layers = t.body.Placed(logits, s), 1
	return scores
}

// apart gives the task its own buffers.
func (t *task) apart() {
	n := len(t.beta)
	t.past.weighted = nil
	t.structure, t.plain, t.cosines, t.pasts = make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
}

func dot[T float32 | float64](x []float32, y []T) (sum float64) {
	for i, v := range x {
		sum += float64(v) * float64(y[i])
	}
	return sum
}
