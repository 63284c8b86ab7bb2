package model

import (
	"errors"
	"fmt"
	"slices"

	"github.com/sugarme/gotch/ts"

	"pacia/data"
	"pacia/data/environment"
	"pacia/data/molecule"
	"pacia/gnn"
	"pacia/internal/each"
	"pacia/ops"
)

// Batch is a data.Batch on the device.
//
// Legend: B tasks, N support molecules of a task, Q queries.
type Batch struct {
	Host         *data.Batch
	Graph        *ops.Graph // nil for a method that reads fingerprints alone
	SupportMol   *ts.Tensor // [B·N] molecules
	QueryMol     *ts.Tensor // [Q] molecules
	QueryTask    *ts.Tensor // [Q]
	SupportLabel *ts.Tensor // [B·N]
	QueryLabel   *ts.Tensor // [Q]
	QueryWeight  *ts.Tensor // [Q] 1/(B·M_task): every task counts the same

	cached *cachedBatch // states cached in a table, or nil
}

// Prepare does the part of the work on a batch that needs no tensors: it finds
// the atoms with equal embeddings, which the encoder computes once. It may run in
// another goroutine before Backward, Adapt or Score, which otherwise do it themselves.
//
// On a GPU Prepare does nothing: computing the embeddings of all atoms takes less
// time than finding equal ones.
func (m *Model) Prepare(h *data.Batch) {
	shares := m.body.sharing(h)
	n, grouped, features := shares.levels(m.config.Layers), shares == sharesGroups, len(h.Floats(molecule.Features)) > 0
	switch {
	case n == 0 || len(h.Levels) == n+1 && h.Grouped() == grouped && features == (len(h.Levels[0].Row) > 0):
	case features:
		h.RefineFeatures(n)
	case grouped:
		h.RefineGroups(n)
	default:
		h.Refine(n)
	}
	if m.keeps(h) && len(h.Names) == 0 {
		h.Identify()
	}
}

// ascends reports whether the molecules of the support and of the queries ascend. Kernels
// need this, because they find the molecule of an atom by binary search.
func ascends(h *data.Batch) bool {
	return slices.IsSorted(h.SupportMol) && slices.IsSorted(h.QueryMol)
}

var errOrder = errors.New("batch: the molecules of the support or of the queries do not ascend")

func (m *Model) batch(h *data.Batch, s *ops.Scope) *Batch { return m.batchOn(h, nil, s) }

// batchOn is like batch, with a table of cached states, which may be nil.
func (m *Model) batchOn(h *data.Batch, table *stateCache, s *ops.Scope) *Batch {
	alone := m.spec.TraitsOf(m.config).Fingerprints
	if !alone {
		s.Check(m.config.checkMolecules(h))
	}
	m.Prepare(h)
	if m.body.Kernels && !ascends(h) {
		s.Check(errOrder)
	}
	d := m.set.Device
	b := &Batch{Host: h}
	if !alone {
		b.cached = table.plan(h, s)
		graph, err := m.newGraph(h, b.cached)
		if err != nil {
			s.Check(fmt.Errorf("batch: %w", err))
		}
		s.Own(graph.Drop)
		b.Graph = graph
	}
	b.SupportMol, b.QueryMol, b.QueryTask = vectorOrNil(h.SupportMol, d, s), vectorOrNil(h.QueryMol, d, s), vectorOrNil(h.QueryTask, d, s)
	b.SupportLabel, b.QueryLabel = vectorOrNil(h.SupportLabel, d, s), vectorOrNil(h.QueryLabel, d, s)
	if len(h.QueryLabel) > 0 {
		b.QueryWeight = m.body.Vector(queryWeights(h), s)
	}
	return b
}

// newGraph copies what the encoder reads of the molecules to the device.
func (m *Model) newGraph(h *data.Batch, r *cachedBatch) (g *ops.Graph, err error) {
	e, joined := m.config.EncoderSpec()
	in := gnn.Input{Batch: h, Row: h.AtomRow, Bits: m.config.inputs(), Joined: joined}
	if e.Reads.Whole {
		in.Counts, err = m.counts(h, moleculeGroups(h))
	}
	levels := h.Levels
	if r != nil {
		levels, in.Row, in.Table = r.Levels, r.Atoms, r.known.Rows()
	}
	if m.body.sharing(h) != sharesNothing {
		in.Levels = hostLevels(levels)
	}
	if err == nil {
		g, err = e.Graph(in, m.set.Device)
	}
	if err == nil && joined && !e.Reads.Whole {
		if err = m.addCounts(g, h); err != nil {
			g.Drop()
		}
	}
	return g, err
}

// addCounts adds to a graph the fingerprints that its molecules' vectors are joined with.
func (m *Model) addCounts(g *ops.Graph, h *data.Batch) error {
	c, err := m.counts(h, nil)
	if err != nil {
		return err
	}
	return g.AddCounts(c, m.config.inputs(), m.set.Device)
}

// counts returns the fingerprints of a batch, with descriptors if the encoder reads them.
func (m *Model) counts(h *data.Batch, groups []int32) (ops.Counts, error) {
	f := &h.Fingerprints
	c := ops.Counts{Ptr: f.Ptr, Bit: f.Bit, Count: f.Count, Group: groups}
	if m.ranks == nil {
		return c, nil
	}
	return m.ranks.join(c, h.Floats(molecule.Descriptors))
}

// moleculeGroups returns the batch's groups (support and queries of each task) as
// offsets into its molecules.
func moleculeGroups(h *data.Batch) []int32 {
	queries := make([]int32, h.Tasks)
	for _, t := range h.QueryTask {
		queries[t]++
	}
	groups := make([]int32, 1, 2*h.Tasks+1)
	for _, q := range queries {
		last := groups[len(groups)-1] + int32(h.Support)
		groups = append(groups, last, last+q)
	}
	return groups
}

func hostLevels(levels []environment.Level) []ops.HostLevel {
	return each.Of(levels, func(l environment.Level) ops.HostLevel { return ops.HostLevel(l) })
}

func (m *Model) checkStep(h *data.Batch) error {
	if c, ok := m.method.(WithCheck); ok {
		return c.Check(h)
	}
	return CheckEpisodes(h)
}

// CheckEpisodes returns an error if a batch lacks labelled support molecules or queries.
func CheckEpisodes(h *data.Batch) error {
	queries := len(h.QueryMol)
	if h.Support == 0 || len(h.SupportLabel) != h.Tasks*h.Support || queries == 0 || len(h.QueryLabel) != queries || len(h.QueryTask) != queries {
		return fmt.Errorf("training step: %d tasks of %d support molecules with %d labels, %d queries with %d labels and %d tasks; all of them are needed",
			h.Tasks, h.Support, len(h.SupportLabel), queries, len(h.QueryLabel), len(h.QueryTask))
	}
	for q, t := range h.QueryTask {
		if t < 0 || int(t) >= h.Tasks {
			return fmt.Errorf("training step: query %d is of task %d, out of range of 0 to %d", q, t, h.Tasks-1)
		}
	}
	return nil
}

// vectorOrNil returns values as a vector on the device, or nil if there are none.
func vectorOrNil[T ops.Element](values []T, d ops.Device, s *ops.Scope) *ts.Tensor {
	if len(values) == 0 {
		return nil
	}
	return s.Keep(ops.Vector(values, d))
}

// queryWeights returns 1/(B·M_task) for each query.
func queryWeights(h *data.Batch) []float64 {
	count := make([]float64, h.Tasks)
	for _, t := range h.QueryTask {
		count[t]++
	}
	return each.Of(h.QueryTask, func(t int32) float64 { return 1 / (count[t] * float64(h.Tasks)) })
}

// Vector returns a vector on the device, of the type of the parameters.
func (b *Body) Vector(v []float64, s *ops.Scope) *ts.Tensor { return b.place(v, s, int64(len(v))) }

// Placed moves logits from Go's memory to the device: [Q, 1, 2].
func (b *Body) Placed(v []float64, s *ops.Scope) *ts.Tensor {
	return b.place(v, s, int64(len(v)/2), 1, 2)
}

func (b *Body) place(v []float64, s *ops.Scope, shape ...int64) *ts.Tensor {
	if b.Set.Float64 {
		return s.Keep(ops.New(v, shape, b.Set.Device))
	}
	single := each.As[float32](v)
	return s.Keep(ops.New(single, shape, b.Set.Device))
}

// tasks returns B, or 0 for a batch of queries without support.
func (b *Batch) tasks() int {
	if b.Host.Support == 0 {
		return 0
	}
	return b.Host.Tasks
}

// Loss returns the loss of logits [Q, L, 2] against the labels of the batch's queries
// (Eq. 12). scores are the L outputs of a hypernetwork of depth, or empty.
func (b *Batch) Loss(logits *ts.Tensor, scores []*ts.Tensor, form ops.LossForm, s *ops.Scope) *ops.LossParts {
	return s.KeepLoss(ops.Loss(logits, b.QueryLabel, b.QueryWeight, scores, form, b.Host.Tasks))
}
