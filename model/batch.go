package model

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/sugarme/gotch/ts"

	"pacia/data"
	"pacia/ops"
	"pacia/params"
)

// batch is a data.Batch on the device.
//
// Legend: B tasks, N support molecules of a task, Q queries.
type batch struct {
	host         *data.Batch
	graph        *ops.Graph
	supportMol   *ts.Tensor // [B·N] molecules
	queryMol     *ts.Tensor // [Q] molecules
	queryTask    *ts.Tensor // [Q]
	supportLabel *ts.Tensor // [B·N]
	queryLabel   *ts.Tensor // [Q]
	queryWeight  *ts.Tensor // [Q] 1/(B·M_task): every task counts the same
}

// Prepare does the part of the work on a batch that takes no tensors: it finds
// the atoms whose embeddings are equal, which the encoder computes once. It may
// run in another goroutine, ahead of Backward, Adapt or Score, which do it
// themselves where it was not done.
//
// On a GPU nothing is prepared: there the embeddings of all atoms are computed
// in less time than equal ones are found in.
func (m *Model) Prepare(h *data.Batch) {
	if n := m.levels(h); n > 0 && len(h.Levels) != n+1 {
		h.Refine(n)
	}
}

// levels is how many encoder layers run on distinct surroundings of atoms.
// The first layer's sums depend on nothing else. Its batch norm, and dropout,
// do tell atoms of different tasks apart; but not queries of one task, whose
// atoms are all normalised by the same given statistics. A mixture of layers
// is one of atoms, and so is what is read out of the states of all layers.
// Encoders other than GIN, and kernels, run on atoms alone.
func (m *Model) levels(h *data.Batch) int {
	if m.kernels || m.config.Encoder != "gin" || !m.layout.readout.Last() {
		return 0
	}
	if h.Tasks == 1 && h.Support == 0 && !adapts(m.config.Adapt.Encoder, "D") {
		return m.config.Layers
	}
	return 1
}

// ascends: kernels find the molecules of atoms by search.
func ascends(h *data.Batch) bool {
	return slices.IsSorted(h.SupportMol) && slices.IsSorted(h.QueryMol)
}

var errOrder = errors.New("batch: the molecules of the support or of the queries do not ascend")

func (m *Model) newBatch(h *data.Batch) (*batch, error) {
	if err := m.config.CheckAtoms(len(h.Features) > 0); err != nil {
		return nil, err
	}
	m.Prepare(h)
	if m.kernels && !ascends(h) {
		return nil, errOrder
	}
	b, p := &batch{host: h}, m.set
	var err error
	if b.graph, err = m.newGraph(h); err != nil {
		return nil, err
	}
	keep := func(t *ts.Tensor, e error) *ts.Tensor {
		err = cmp.Or(err, e)
		return t
	}
	b.supportMol = keep(some(h.SupportMol, p.Device))
	b.queryMol = keep(some(h.QueryMol, p.Device))
	b.queryTask = keep(some(h.QueryTask, p.Device))
	b.supportLabel = keep(some(h.SupportLabel, p.Device))
	b.queryLabel = keep(some(h.QueryLabel, p.Device))
	b.queryWeight = keep(weights(h, p))
	if err != nil {
		b.drop()
		return nil, fmt.Errorf("batch: %w", err)
	}
	return b, nil
}

// newGraph copies the molecules to the device.
func (m *Model) newGraph(h *data.Batch) (*ops.Graph, error) {
	if len(h.Features) > 0 {
		return ops.NewFeatureGraph(ops.FeatureGraph{
			Features: h.Features, RowPtr: h.RowPtr, Col: h.Col, Type: bondTypes(h), MolPtr: h.MolPtr, Group: h.GroupPtr,
		}, m.set.Device)
	}
	host := ops.HostGraph{
		Atoms: h.Atoms, RowPtr: h.RowPtr, Col: h.Col, Bond: h.Bond, MolPtr: h.MolPtr, Group: h.GroupPtr, Row: h.AtomRow,
	}
	if m.levels(h) > 0 {
		for _, l := range h.Levels {
			host.Levels = append(host.Levels, ops.HostLevel(l))
		}
	}
	return ops.NewGraph(host, m.set.Device)
}

// bondTypes [E] are without the directions, which bonds between atoms with
// features do not have.
func bondTypes(h *data.Batch) []uint8 {
	types := make([]uint8, len(h.Col))
	for i := range types {
		types[i] = h.Bond[2*i]
	}
	return types
}

// checkStep says what a batch lacks for a training step.
func checkStep(h *data.Batch) error {
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

// some is a vector on the device, or nil where there is nothing.
func some[T ops.Element](values []T, d ops.Device) (*ts.Tensor, error) {
	if len(values) == 0 {
		return nil, nil
	}
	return ops.Vector(values, d)
}

// queryWeights is 1/(B·M_task) for each query.
func queryWeights(h *data.Batch) []float64 {
	count := make([]float64, h.Tasks)
	for _, t := range h.QueryTask {
		count[t]++
	}
	w := make([]float64, len(h.QueryTask))
	for i, t := range h.QueryTask {
		w[i] = 1 / (count[t] * float64(h.Tasks))
	}
	return w
}

func weights(h *data.Batch, p *params.Set) (*ts.Tensor, error) {
	if len(h.QueryLabel) == 0 {
		return nil, nil
	}
	return vector(queryWeights(h), p)
}

// vector is a vector of the type of the parameters.
func vector(w []float64, p *params.Set) (*ts.Tensor, error) {
	if p.Float64 {
		return ops.Vector(w, p.Device)
	}
	single := make([]float32, len(w))
	for i := range w {
		single[i] = float32(w[i])
	}
	return ops.Vector(single, p.Device)
}

// tasks is B, or 0 for a batch of queries without support.
func (b *batch) tasks() int {
	if b.host.Support == 0 {
		return 0
	}
	return b.host.Tasks
}

func (b *batch) drop() {
	b.graph.Drop()
	ops.Drop(b.supportMol, b.queryMol, b.queryTask, b.supportLabel, b.queryLabel, b.queryWeight)
}
