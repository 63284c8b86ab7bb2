package model

import (
	"fmt"

	"github.com/sugarme/gotch/ts"

	"pacia/data"
	"pacia/data/category"
	"pacia/gnn/params"
	"pacia/internal/each"
	"pacia/ops"
)

// maxDropouts is the maximum number of dropouts in a step; the presets have up to 20.
const maxDropouts = 512

// shape is equal for two batches if their steps have the same operations and sizes.
// Numbers of atoms and bonds are rounded up, and batches are padded.
//
// Legend: A atoms, k features of one, or 0, E bonds, n molecules, B tasks, N
// support molecules of a task, K shots, Q queries.
type shape struct {
	atoms, features, bonds, molecules, tasks, support, shots, queries int
}

func shapeOf(h *data.Batch) shape {
	atoms := len(h.RowPtr) - 1
	return shape{
		atoms: rounded(atoms), features: len(h.Features) / max(1, atoms), bonds: rounded(len(h.Col)), molecules: len(h.MolPtr) - 1,
		tasks: h.Tasks, support: h.Support, shots: h.Shots, queries: len(h.QueryMol),
	}
}

// rounded returns n rounded up to a multiple of an eighth of the power of two below it:
// 6 % of padding on average, and few different shapes.
func rounded(n int) int {
	step := 64
	for 16*step <= n {
		step *= 2
	}
	return (n + step - 1) / step * step
}

// shapedStep is the training step of one shape of batches: a slab for the data of a
// batch, and the operations on it.
type shapedStep struct {
	shape
	inputs      []input
	key         ops.Part[int64]
	slab        *ops.Slab
	batch       *Batch // of views of the slab
	keys        *ops.Keys
	step        *ops.AdamStep
	graph       recording // of its launches, or nil
	calls, used int       // number of steps made; time of the last one
	refusals    int       // failed attempts to capture the graph
}

// input is an array of a batch in the slab.
type input struct {
	fill func(*data.Batch) // copies it from a batch to the slab
	bind func()            // sets the tensor that is a view of it
}

func newShapedStep(s shape, like *data.Batch, adam *ops.Adam, set *params.Set) (p *shapedStep, err error) {
	p = &shapedStep{shape: s}
	if err = p.layOut(like, set); err == nil {
		p.step, err = adam.NewStep()
	}
	if err != nil {
		p.drop()
		return nil, fmt.Errorf("training step of %d atoms: %w", s.atoms, err)
	}
	return p, nil
}

// layOut makes the slab, and a batch of its inputs. It uses only the sizes of like.
func (p *shapedStep) layOut(like *data.Batch, set *params.Set) (err error) {
	var plan ops.SlabPlan
	var g ops.GraphParts
	sizes := *like
	b := &Batch{Host: &sizes}
	atoms, bonds, n := int64(p.atoms), int64(p.bonds), int64(p.molecules)
	B, N, Q := int64(p.tasks), int64(p.support), int64(p.queries)
	if k := int64(p.features); k > 0 {
		add(p, &plan, &g.Features, padded(func(h *data.Batch) []float32 { return h.Features }), atoms, k)
	} else {
		add(p, &plan, &g.Atoms, padded(func(h *data.Batch) []uint8 { return h.Atoms }), atoms, 2)
	}
	add(p, &plan, &g.RowPtr, func(h *data.Batch, to []int32) { pad(to, h.RowPtr, int32(len(h.Col))) }, atoms+1)
	add(p, &plan, &g.Col, padded(func(h *data.Batch) []int32 { return h.Col }), bonds)
	add(p, &plan, &g.Code, bondCodes, bonds)
	add(p, &plan, &g.Mol, padded(func(h *data.Batch) []int32 { return h.MolPtr }), n+1)
	add(p, &plan, &g.Group, padded(func(h *data.Batch) []int32 { return h.GroupPtr }), 2*B+1)
	add(p, &plan, &g.Task, taskPtr, B+1)
	add(p, &plan, &b.SupportMol, padded(func(h *data.Batch) []int32 { return h.SupportMol }), B*N)
	add(p, &plan, &b.QueryMol, padded(func(h *data.Batch) []int32 { return h.QueryMol }), Q)
	add(p, &plan, &b.QueryTask, padded(func(h *data.Batch) []int32 { return h.QueryTask }), Q)
	add(p, &plan, &b.SupportLabel, padded(func(h *data.Batch) []uint8 { return h.SupportLabel }), B*N)
	add(p, &plan, &b.QueryLabel, padded(func(h *data.Batch) []uint8 { return h.QueryLabel }), Q)
	if set.Float64 {
		add(p, &plan, &b.QueryWeight, padded(queryWeights), Q)
	} else {
		add(p, &plan, &b.QueryWeight, padded(func(h *data.Batch) []float32 { return each.As[float32](queryWeights(h)) }), Q)
	}
	p.key = ops.Plan[int64](&plan, maxDropouts)
	if p.slab, err = ops.NewSlab(&plan, set.Device); err != nil {
		return err
	}
	for _, in := range p.inputs {
		in.bind()
	}
	if b.Graph, err = ops.GraphOf(g); err == nil {
		p.batch = b
		p.keys, err = ops.NewKeys(p.key.Tensor(p.slab))
	}
	return err
}

// add adds an input of the given shape to the slab, which fill copies from a batch. tensor becomes its view.
func add[T ops.Element](p *shapedStep, plan *ops.SlabPlan, tensor **ts.Tensor, fill func(h *data.Batch, to []T), shape ...int64) {
	part := ops.Plan[T](plan, shape...)
	p.inputs = append(p.inputs, input{
		fill: func(h *data.Batch) { fill(h, ops.Fill(p.slab, part)) },
		bind: func() { *tensor = part.Tensor(p.slab) },
	})
}

// padded copies values of a batch, followed by zeros.
func padded[T ops.Element](values func(*data.Batch) []T) func(*data.Batch, []T) {
	return func(h *data.Batch, to []T) {
		var zero T
		pad(to, values(h), zero)
	}
}

func bondCodes(h *data.Batch, to []uint8) {
	clear(to[len(h.Col):])
	for i := range h.Col {
		to[i] = category.BondCode(h.Bond[2*i], h.Bond[2*i+1])
	}
}

// taskPtr copies the atoms of each task.
func taskPtr(h *data.Batch, to []int32) {
	for t := range to {
		to[t] = h.GroupPtr[2*t]
	}
}

// upload fills the slab and starts its copy to the device.
func (p *shapedStep) upload(h *data.Batch, key uint64) error {
	if err := p.slab.Next(); err != nil {
		return err
	}
	for _, in := range p.inputs {
		in.fill(h)
	}
	p.keys.Fill(ops.Fill(p.slab, p.key), key)
	return p.slab.Send()
}

// pad copies the values from to the beginning of to, and fills the rest of it with v.
func pad[T any](to, from []T, v T) {
	for i := copy(to, from); i < len(to); i++ {
		to[i] = v
	}
}

func (p *shapedStep) drop() {
	if p.graph != nil {
		p.graph.Drop()
	}
	if p.step != nil {
		p.step.Drop()
	}
	if p.slab != nil {
		p.slab.Drop() // with all tensors of the batch
	}
}

// launch starts the operations of one step: forward, backward and optimiser. The
// first call derives the keys of dropout from key; later they are in the slab. If
// capturing is set, the operations become the content of a CUDA graph.
func (m *Model) launch(p *shapedStep, key uint64, capturing bool) error {
	// Without existing gradients, the backward pass stores its own tensors as gradients and
	// does not add to others.
	if err := ops.ForgetGradients(params.Tensors(m.Parameters())); err != nil {
		return err
	}
	return ops.InScope(func(s *ops.Scope) {
		loss := m.method.Loss(p.batch, ops.Mode{Training: true, Key: key, Keys: p.keys}, s)
		p.keys.Known()
		s.Check(ops.Backward(loss))
		s.Check(p.step.Launch(loss, false, capturing))
	})
}
